"""Protecting by level: what a household shares is treated once for each household.

Households are a table of their own, with the record of the first member for each. The treated
household columns are then copied to all members; the columns of persons are then treated on the
table of persons, beside the household columns as they will be released. If the step forms classes
of k households, it treats the persons within each of these classes, so that all columns together
are k-anonymous too. A person with several records is treated like a household, whose members are
the records. If persons with several records live in households, there are three levels: what
remains after the households is treated once for each person, and then by record.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Component, Context, Grain, Groups, Masked, Method
from discreet.contracts.renaming import with_columns
from discreet.microdata import Microdata, Role
from discreet.microdata.clusters import Clusters, clusters_by, clusters_of
from discreet.microdata.derived import Derived
from discreet.microdata.equivalence import classes
from discreet.microdata.levels import levels_between, of_household, persons_within
from discreet.release.by_blocks import by_blocks
from discreet.release.by_person import (
    ByPerson,
    belonging,
    refuse_torn,
    with_keys_of,
)
from discreet.release.by_strata import by_strata
from discreet.release.by_unit import by_unit
from discreet.release.classes_of_units import with_enough_units
from discreet.release.consistent import consistent, consistent_as_drawn
from discreet.release.strata import in_pooled_strata, in_strata, k_of_all
from discreet.release.suppression_by_household import emptied, suppressed_by_household

K = "k-anonymity"


def protected(
    step: Method, data: Microdata, derived: Mapping[str, Derived], context: Context
) -> Masked:
    """Run a step so that no household gets two values in a column of its level.

    `derived` are the columns that follow from the members of a household. Classes of k records
    become classes of k units, where a unit has several records.
    """
    if step.by is not None:
        return by_strata(
            step, data, lambda part, rows, inner: protected(part, rows, derived, inner), context
        )
    if step.in_blocks is not None:
        return by_blocks(step, data, context)
    homes = clusters_of(data)
    if homes is None:
        return step.protect(data, context)
    task = _Task(step, data, homes, derived)
    masked = _by_grain(task, context)
    if masked.origin is not None or step.grain is Grain.FILE:
        return consistent_as_drawn(masked, data, derived)
    if not _whole_units(step, data):
        masked = with_enough_units(masked, data, task.reached, derived)
    refuse_torn(step, data, masked.data)
    return consistent(masked, data, homes, derived)


def _by_grain(task: _Task, context: Context) -> Masked:
    step, data, homes, derived = task.step, task.data, task.homes, task.derived
    if _whole_units(step, data):
        whole = clusters_by(data, next(a.name for a in data.schema if a.whole))
        known = derived if whole.role is homes.role else {}
        return by_unit(step, data, whole, task.reached, known, context)
    if step.grain is Grain.VALUE:
        return step.protect(data, context)
    if step.grain is Grain.FILE:
        masked = step.protect(data, context)
        return replace(masked, data=of_one_member(masked.data))
    if not task.shared:
        return by_person(step).protect(data, context)
    if step.grain is Grain.SUPPRESSION:
        masked = step.protect(data, context)
        return suppressed_by_household(masked, data, belonging(data), task.reached, derived)
    return task.by_level(context)


def by_person(step: Method) -> ByPerson:
    """Return a step that treats, once for each person, what the person's records share."""
    return ByPerson(step, lambda data, context: protected(step, data, {}, context))


def _whole_units(step: Method, data: Microdata) -> bool:
    """Whether a step should form groups of whole households or persons."""
    return any(a.whole for a in data.schema) and promises_k(step) and step.grain is not Grain.FILE


def reached_by(step: Method, data: Microdata) -> tuple[str, ...]:
    """Return the columns that a step treats: those that it names, or those of the usual roles.

    >>> import discreet
    >>> data = discreet.read({"age": [1], "pay": [2]}, roles={"age": "quasi-identifier"})
    >>> reached_by(discreet.Rounding(), data), reached_by(discreet.Rounding(columns=["pay"]), data)
    (('age',), ('pay',))
    """
    named: tuple[str, ...] | None = step.values().get("columns")
    confidential = Role.CONFIDENTIAL in step.spec.treats and step.grain is not Grain.FILE
    if named is None:
        named = data.quasi_identifiers
    elsewhere = data.having(Role.CONFIDENTIAL) if confidential else ()
    return tuple(name for name in dict.fromkeys((*named, *elsewhere)) if name in data.schema)


def promises_k(component: Component) -> bool:
    """Whether a component, or a part of it, makes classes of k records.

    >>> import discreet
    >>> promises_k(discreet.PostMaskingOptimisation()), promises_k(discreet.AdditiveNoise())
    (True, False)
    """
    parts = [value for value in component.values().values() if isinstance(value, Component)]
    return K in component.spec.guarantees or any(promises_k(part) for part in parts)


def of_one_member(data: Microdata) -> Microdata:
    """Return the table with the household columns of each household's first record for all of it.

    A record without a number no longer belongs to a household.
    """
    homes = clusters_of(data)
    if homes is None:
        return data
    broken = [n for n in of_household(data) if not homes.agreeing(data.column(n)).all()]
    at = homes.first[homes.labels]
    table = data.replace(data.column(name).with_values(data[name][at]) for name in broken)
    inner = persons_within(table)
    return table if inner is None else with_keys_of(of_one_member(inner), table)


@dataclass(frozen=True, eq=False)
class _Task:
    """A step with the table that it is to treat, and what is known about its households."""

    step: Method
    data: Microdata
    homes: Clusters
    derived: Mapping[str, Derived]

    @cached_property
    def reached(self) -> tuple[str, ...]:
        return reached_by(self.step, self.data)

    @cached_property
    def shared(self) -> tuple[str, ...]:
        """The columns of household level that the step treats."""
        level, _ = levels_between(self.homes)
        return tuple(n for n in self.reached if self.data.schema[n].level is level)

    @cached_property
    def persons(self) -> tuple[str, ...]:
        return tuple(name for name in self.reached if name not in self.shared)

    def by_level(self, context: Context) -> Masked:
        """Treat the households, then their members."""
        follow = [name for name in self.shared if name in self.derived]
        sizes = [name for name in follow if self.derived[name].how == "size"]
        household_columns = [name for name in self.shared if name not in follow]
        key = self.data.having(self.homes.role)[:1]
        parts: list[Masked] = []
        table, strata = self.data, np.zeros(len(self.data), dtype=np.int64)
        if household_columns:
            households = self._households(household_columns, sizes, context.within("households"))
            if households.origin is not None:
                masked = self.step.protect(self.data, context)
                return replace(masked, data=of_one_member(masked.data))
            parts.append(households)
            at = self.homes.labels
            counted = (*sizes, *key) if promises_k(self.step) else ()
            columns = [households.data.column(name) for name in (*household_columns, *counted)]
            table = table.replace(Microdata(columns).take(at))
        if k_of_all([part.claims for part in parts]):
            strata = classes(parts[0].data, (*household_columns, *sizes))[self.homes.labels]
        elif not household_columns and promises_k(self.step):
            strata = classes(table, sizes)
        if self.persons:
            parts.append(self._persons(table, strata, bool(household_columns), context))
            for column in parts[-1].data:
                if column.name in household_columns or column.values is table[column.name]:
                    continue
                role = self.data.schema[column.name].role
                attribute = replace(column.attribute, role=role)
                table = table.replace([replace(column, attribute=attribute)])
        return self._outcome(table, parts, household_columns, follow)

    def _households(
        self, household_columns: Collection[str], sizes: Collection[str], context: Context
    ) -> Masked:
        """Treat the households; if they are distinguished by size, those of each size separately.

        If a size is too rare, it is suppressed, and so is the number by which members are counted.
        """
        table = _without_role(self.data, set(self.reached) - set(household_columns)).take(
            self.homes.first
        )
        step = with_columns(self.step, {n: () for n in self.reached if n not in household_columns})
        if not (sizes and promises_k(step)):
            return step.protect(table, context)
        _, size = np.unique(self.homes.sizes, return_inverse=True)
        masked, rare = in_pooled_strata(step, table, size, context)
        return self._uncounted(masked, rare, sizes)

    def _uncounted(self, masked: Masked, rare: NDArray[np.bool_], sizes: Collection[str]) -> Masked:
        """Suppress the size and the number of the households of rare sizes."""
        if not rare.any():
            return masked
        table = masked.data
        names = (*sizes, *table.having(self.homes.role))
        note = (
            f"{_listed(sizes)} suppressed, and so is the number of the {self.homes.word}, where "
            f"the size is too rare: its {self.homes.members} could be counted"
        )
        return replace(
            masked,
            data=table.replace(emptied(table.column(name), rare) for name in names),
            notes=(*masked.notes, note),
        )

    def _persons(
        self,
        table: Microdata,
        strata: NDArray[np.int64],
        of_households: bool,
        context: Context,
    ) -> Masked:
        step = by_person(with_columns(self.step, dict.fromkeys(self.shared, ())))
        table = _without_role(table, self.shared)
        if not strata.any():
            return step.protect(table, context)
        if of_households:
            return in_strata(step, table, strata, context)
        masked, rare = in_pooled_strata(step, table, strata, context)
        homes = self.homes.labels
        rare = (np.bincount(homes, rare) > 0)[homes]
        sizes = [n for n in self.shared if n in self.derived and self.derived[n].how == "size"]
        return self._uncounted(masked, rare, sizes)

    def _outcome(
        self, table: Microdata, parts: list[Masked], household_columns: list[str], follow: list[str]
    ) -> Masked:
        """Combine the outcomes of both levels; of claims, only a k-anonymity that both make."""
        kept = all(self.derived[n].how == "size" and promises_k(self.step) for n in follow)
        claims = k_of_all([part.claims for part in parts]) if kept else ()
        notes = [note for part in parts for note in part.notes]
        if household_columns:
            notes.append(
                f"{_listed(household_columns)} of {self.homes.word} level: treated once for each "
                f"of the {len(self.homes.sizes):,} {self.homes.word}s and copied to their "
                f"{self.homes.members}"
            )
        if parts and any(part.claims for part in parts) and not claims:
            measures = sorted({claim.measure for part in parts for claim in part.claims})
            notes.append(
                f"{', '.join(measures)} holds for the columns of one level and is not claimed for "
                f"all; 'unit: {self.homes.word}' forms groups of whole {self.homes.word}s"
            )
        if follow:
            notes.append(
                f"{_listed(follow)} what anyone can count or add up from the {self.homes.members} "
                f"of a {self.homes.word}, and agrees with what is released about them; leave out "
                f"the {self.homes.word} number if others must not know it"
            )
        groups = Groups(classes(table, self.reached), int(claims[0].bound)) if claims else None
        return Masked(table, groups, claims, tuple(notes))


def _listed(names: Collection[str]) -> str:
    quoted = ", ".join(f"'{name}'" for name in names)
    return f"{quoted} {'is' if len(names) == 1 else 'are'}"


def _without_role(data: Microdata, names: Collection[str]) -> Microdata:
    """Return the table with these columns to be used but not treated."""
    return data.with_attributes(replace(data.schema[name], role=Role.OTHER) for name in names)
