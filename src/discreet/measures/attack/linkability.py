"""Linkability: two files about the same people, joined through a release."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Aim, Columns, Context, Outcome, Spec, Target, param
from discreet.errors import NotApplicable, UsageError
from discreet.measures.linkage.cells import Cells, Rows
from discreet.measures.linkage.look_alikes import look_alikes
from discreet.measures.people import Everybody, PeopleAttack
from discreet.measures.sampled import interval_of_share
from discreet.microdata import Numbers


class Linkability(PeopleAttack):
    """Joins what two files know about a person where both lead to the same released record.

    One file has some of the known columns, the other file the rest. The intruder looks up the
    nearest released record by either part; if it is the same one, the two are taken to be about
    one person. It is tried on people in the file and, where some were held back, on as many whom
    the method never saw: to join their data by chance is not due to the release.

    >>> import discreet, numpy as np
    >>> draw = np.random.default_rng(1)
    >>> roles = dict.fromkeys("abcd", "quasi-identifier")
    >>> data = discreet.read({c: draw.normal(size=300) for c in "abcd"}, roles=roles)
    >>> outcome = Linkability().attempt(Target(data, data), Context())
    >>> outcome.success, round(outcome.blind, 4)
    (1.0, 0.0033)
    """

    aim: ClassVar[Aim] = Aim.JOIN
    spec: ClassVar[Spec] = Spec(
        name="linkability",
        title="Linkability: two files joined through the release",
        citation="Giomi, Boenisch, Wehmeyer & Tasnádi (2022), A unified framework for quantifying "
        "privacy risk in synthetic data, §4.2",
        missing="equal to another missing value; of a suppressed one nothing is known",
        random=True,
        formula="share of people whose nearest released record by the first columns is their "
        "nearest by the others; |A ∩ B|/(|A|·|B|) for ties A and B",
        cost="n comparisons for each of up to 2,000 people; fewer people where that is more than "
        "500 million",
    )

    first: Columns = param(
        default=None,
        help="the known columns that the first file has; every other one if not given",
    )

    def attempt(self, target: Target, context: Context) -> Outcome:
        """Return the share of people whose two parts are joined."""
        everybody = Everybody.of(target)
        names = self.known(target)
        if len(names) < 2:
            raise NotApplicable("it needs at least two known columns, so that each file has one")
        released, origin = len(target.released), None
        if target.pairing is not None:
            origin = target.pairing.origin
        columns = everybody.cells(target.released, names, origin)
        parts = self._parts(names, columns)
        inside, outside = everybody.drawn(released, context.generator("people"))
        total = len(everybody.table)
        won = _joined(parts, inside, released, total)
        others = _joined(parts, outside, released, total) if len(outside) else None
        return Outcome(
            float(won.mean()),
            1 / released,
            interval=interval_of_share(won),
            control=None if others is None else float(others.mean()),
            control_interval=None if others is None else interval_of_share(others),
            detail={
                "first file": [column.name for column in parts[0]],
                "second file": [column.name for column in parts[1]],
                "people": len(won),
            },
        )

    def _parts(self, names: list[str], columns: list[Cells]) -> tuple[list[Cells], list[Cells]]:
        chosen = set(names[::2] if self.first is None else self.first)
        if not chosen < set(names):
            raise UsageError(
                "the columns of the first file must be some of those that the intruder knows "
                f"({', '.join(names)}), but {', '.join(sorted(chosen))} were given"
            )
        first = [column for column in columns if column.name in chosen]
        second = [column for column in columns if column.name not in chosen]
        if not first or not second:
            raise NotApplicable("the release says nothing about what one of the two files has")
        return first, second


def _joined(
    parts: tuple[list[Cells], list[Cells]], people: Rows, released: int, everybody: int
) -> Numbers:
    won = np.empty(len(people))
    sides = (look_alikes(part, people, released, everybody) for part in parts)
    for first, second in zip(*sides, strict=True):
        for (place, first_rows), (_, second_rows) in zip(first, second, strict=True):
            both = np.intersect1d(first_rows, second_rows, assume_unique=True)
            won[place] = len(both) / (len(first_rows) * len(second_rows))
    return won
