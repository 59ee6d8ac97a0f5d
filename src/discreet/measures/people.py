"""Attacks on people, those in the file and those held back from the method.

An attack that succeeds as often against people whom the method never saw says something about the
population and nothing about the people in the file. So each is tried on as many of both as a
control allows (Giomi, Boenisch, Wehmeyer & Tasnádi 2022, A unified framework for quantifying
privacy risk in synthetic data), and the shares have intervals by Wilson (1927).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from discreet.contracts import (
    Attack,
    Columns,
    Context,
    Findings,
    Imitated,
    Outcome,
    Pairing,
    Target,
    param,
)
from discreet.errors import DataError, NotApplicable, UsageError
from discreet.measures.linkage.cells import Cells, Rows, cells
from discreet.microdata import Column, Microdata, unknown_column

PEOPLE = 2_000
"""The most people of each kind that an attack is tried on."""
MOST_PAIRS = 500_000_000
LEAST_PEOPLE = 100


class PeopleAttack(Attack):
    """An attack on people of whom the intruder knows some columns exactly."""

    LEAST: ClassVar[int] = 4
    against_people: ClassVar[bool] = True
    by_knowledge: ClassVar[bool] = True

    columns: Columns = param(
        default=None,
        help="the columns that the intruder knows; all quasi-identifiers if not given",
    )

    def attack(self, data: Microdata, context: Context) -> Findings:
        """Return how it would go if half of the file were released as it is."""
        if len(data) < 2 * self.LEAST:
            raise DataError(
                f"{self.spec.name} cannot be tried on this file: it needs at least "
                f"{2 * self.LEAST} records, half of them as a control, but there are {len(data)}"
            )
        order = context.generator("halves").permutation(len(data))
        used, others = np.sort(order[::2]), np.sort(order[1::2])
        table, rows = data.take(used), np.arange(len(used))
        pairing = Pairing(rows, imitate=lambda _: Imitated(table, rows))
        return self.tried(
            Target(table, table, pairing, data.take(others)),
            context,
            "if half of the records were released as they are",
            len(data),
        )

    def tried(
        self, target: Target, context: Context, when: str, records: int | None = None
    ) -> Findings:
        """Return how it goes against a target made of one file, in words."""
        try:
            outcome = self.attempt(target, context)
        except NotApplicable as reason:
            raise DataError(f"{self.spec.name} cannot be tried on this file: {reason}") from None
        return Findings(
            {},
            np.full(len(target.original) if records is None else records, outcome.success),
            {},
            detail={"success": outcome.success, "blind": outcome.blind, **outcome.detail},
            note=in_words(outcome, when),
        )

    def known(self, target: Target) -> list[str]:
        """Return the columns that the intruder knows."""
        for name in self.columns or ():
            if name not in target.original.schema:
                known_names = target.original.schema.names
                raise UsageError(unknown_column(name, known_names, asked_by=type(self).__name__))
        names = list(self.columns or target.original.quasi_identifiers)
        if not names:
            raise NotApplicable("no column is a quasi-identifier")
        if not len(target.released) or not len(target.original):
            raise NotApplicable("the release has no records")
        return names


def in_words(outcome: Outcome, when: str = "") -> str:
    """Return an outcome as a sentence.

    >>> in_words(Outcome(0.31, 0.01, control=0.05))
    '31.0 % of the attempts succeed, 1.0 % by a blind guess, 5.0 % against people held back'
    """
    control = (
        ""
        if outcome.control is None
        else f", {100 * outcome.control:.1f} % against people held back"
    )
    share = f"{100 * outcome.success:.1f} % of the attempts succeed"
    return f"{share}{f' {when}' if when else ''}, {100 * outcome.blind:.1f} % by a blind guess" + (
        control
    )


@dataclass(frozen=True, eq=False)
class Everybody:
    """The people in the file and those held back as one table; `inside` counts the first."""

    table: Microdata
    inside: int

    @classmethod
    def of(cls, target: Target) -> Everybody:
        """Join the people of a target."""
        original, control = target.original, target.control
        if control is None or not len(control):
            return cls(original, len(original))
        columns = []
        for column in original:
            if column.name not in control.schema:
                continue
            other = control.column(column.name)
            if other.attribute.categories != column.attribute.categories:
                raise NotApplicable(
                    f"the people held back do not have the categories of '{column.name}' that the "
                    "original has"
                )
            values = np.concatenate([column.values, other.values])
            columns.append(Column(column.attribute, values))
        return cls(Microdata(columns), len(original))

    @property
    def outside(self) -> int:
        """How many were held back."""
        return len(self.table) - self.inside

    def drawn(self, released: int, generator: np.random.Generator) -> tuple[Rows, Rows]:
        """Return rows of people in the file and of at most as many people held back."""
        most = max(LEAST_PEOPLE, min(PEOPLE, MOST_PAIRS // max(released, 1)))
        inside = generator.permutation(self.inside)[:most]
        outside = self.inside + generator.permutation(self.outside)[:most]
        return np.sort(inside), np.sort(outside)

    def cells(self, released: Microdata, names: Sequence[str], origin: Rows | None) -> list[Cells]:
        """Return the columns about which the release says something, beside these people."""
        columns = cells(self.table, released, names, origin)
        if not columns:
            raise NotApplicable("the release says nothing about what the intruder knows")
        return columns
