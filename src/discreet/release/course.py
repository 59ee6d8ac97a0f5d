"""The course of a run: what remains of claims, groups, origins and notes after each step.

A step works on the outcome of the one before it. What holds for the final release is not the sum of
what the steps promise: a later step may undo what an earlier one achieved.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import NO_ORIGIN, Claim, Context, Groups, Masked, Method
from discreet.contracts.accounting import Accounting
from discreet.contracts.threads import one_thread
from discreet.microdata import Microdata, Role
from discreet.microdata.clusters import clusters_of
from discreet.microdata.derived import Derived, derived_columns
from discreet.microdata.levels import corrected, persons_within
from discreet.release.accounting import accounted
from discreet.release.by_level import protected
from discreet.release.by_person import with_keys_of
from discreet.release.by_strata import refuse_by_inside, refuse_undivided
from discreet.release.forecast import announce
from discreet.release.notes import notes_on_input, notes_on_outcome

LOG = logging.getLogger(__name__)


@one_thread()
def run_steps(data: Microdata, steps: Sequence[Method], context: Context) -> Masked:
    """Run the steps one after another and return what holds for their joint outcome.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 40, 41]}, roles={"age": "quasi-identifier"})
    >>> pairs = discreet.Microaggregation(discreet.partition.MDAV(k=2))
    >>> run_steps(data, [pairs], Context()).claims
    (Claim(k-anonymity: 2 claimed),)
    >>> run_steps(data, [pairs, discreet.AdditiveNoise()], Context()).claims
    ()
    """
    course = Course.start(data)
    for number, step in enumerate(steps, start=1):
        refuse_by_inside(step)
        refuse_undivided(step)
        part, started = context.within(f"step {number}", step.spec.name), time.perf_counter()
        announce(step, course.table, course.derived, context)
        masked = protected(step, course.table, course.derived, part)
        context.progress.after_step(number, course.table, masked)
        course = course.after(f"step {number} ({step.spec.name})", masked, step)
        seconds = time.perf_counter() - started
        LOG.info("step %d, %s: %.1f s", number, step.spec.name, seconds)
    return course.outcome()


@dataclass(frozen=True, eq=False)
class Course:
    """The state after some steps: the table, where its rows came from, claims and notes.

    `drawn` are the quasi-identifiers with values that some step drew at random, `derived` the
    columns that follow from the members of a household; `accounting` says what the steps spent of
    the privacy of a record.
    """

    original: Microdata
    table: Microdata
    origin: NDArray[np.int64]
    claims: tuple[Claim, ...] = ()
    groups: Groups | None = None
    drawn: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    derived: Mapping[str, Derived] = field(default_factory=dict)
    chosen: tuple[Method, ...] = ()
    accounting: Accounting = field(default_factory=lambda: Accounting(()))

    @classmethod
    def start(cls, data: Microdata) -> Course:
        """Return the course before its first step."""
        table, notes, derived = data, tuple(notes_on_input(data)), {}
        homes = clusters_of(data)
        if homes is not None:
            table, on_levels = corrected(data, homes)
            inner = persons_within(table)
            if inner is not None and (persons := clusters_of(inner)) is not None:
                inner, on_persons = corrected(inner, persons)
                table, on_levels = with_keys_of(inner, table), (*on_levels, *on_persons)
            notes, derived = (*notes, *on_levels), derived_columns(table, homes)
        return cls(data, table, np.arange(len(data)), notes=notes, derived=derived)

    def after(self, name: str, masked: Masked, step: Method) -> Course:
        """Return the course with the outcome of one more step."""
        changed = self._changed(masked)
        touched = changed & set(self.original.quasi_identifiers)
        withdrawn = bool(self.claims) and (bool(touched) or masked.origin is not None)
        return replace(
            self,
            table=masked.data,
            origin=self._origin_after(masked),
            claims=(() if withdrawn else self.claims) + masked.claims,
            groups=self._groups_after(masked, changed, bool(touched)),
            drawn=self.drawn | touched if step.is_random else self.drawn,
            notes=(
                *self.notes,
                *([self._withdrawal(name, bool(touched))] if withdrawn else []),
                *masked.notes,
            ),
            chosen=(*self.chosen, *(masked.chosen or (step,))),
            accounting=accounted(self.accounting, name, step, self.table, masked, changed),
        )

    def outcome(self) -> Masked:
        """Return what holds once all steps are done."""
        before = rows_at(self.original, self.origin)
        groups = None
        if before is not None and self.groups is not None and self.drawn:
            groups = self.groups.labels[self.origin]
        notes = notes_on_outcome(self.original, self.table, before, self.drawn, groups)
        return Masked(
            self.table,
            self.groups,
            self.claims,
            (*self.notes, *notes),
            self.origin,
            self.chosen,
            accounting=self.accounting,
        )

    def _changed(self, masked: Masked) -> frozenset[str]:
        """Return the columns that a step changed; all columns if it drew new records."""
        names = masked.data.schema.names
        before = self.table if masked.origin is None else rows_at(self.table, masked.origin)
        if before is None:
            return frozenset(names)
        return frozenset(
            name
            for name in names
            if name not in before.schema
            or not masked.data.column(name).same_as(before.column(name))
        )

    def _withdrawal(self, step: str, changed: bool) -> str:
        """Report that a promise of an earlier step is withdrawn.

        It was about records and values that are no longer there.
        """
        effect = "changed quasi-identifiers" if changed else "left out records"
        return (
            f"{step} {effect} that an earlier step had protected, so the earlier claim of "
            f"{self.claims[0].measure} is not made"
        )

    def _groups_after(
        self, masked: Masked, changed: frozenset[str], touched: bool
    ) -> Groups | None:
        """Return the groups in the order of the original.

        Groups of other columns must not replace those that a claim is about. A step that sees only
        drawn columns knows nothing about single records. One that also sees other columns may link
        what it changes to them again.
        """
        if masked.groups is not None and (self.groups is None or touched):
            return masked.groups.seen_from(self.origin, len(self.original))
        if self.groups is None:
            return None
        drawn = self.groups.drawn_columns
        seen = set(self.table.schema.names) - set(self.table.having(Role.IDENTIFIER))
        return self.groups if seen <= drawn else replace(self.groups, drawn_columns=drawn - changed)

    def _origin_after(self, masked: Masked) -> NDArray[np.int64]:
        """Return the original row of each row of the step's outcome."""
        if masked.origin is None:
            return self.origin
        return np.where(masked.origin >= 0, self.origin[masked.origin], NO_ORIGIN)


def rows_at(data: Microdata, origin: NDArray[np.int64]) -> Microdata | None:
    """Return the rows that records came from; None if some do not come from a single row."""
    if len(origin) == len(data) and np.array_equal(origin, np.arange(len(data))):
        return data
    return None if len(origin) and origin.min() < 0 else data.take(origin)
