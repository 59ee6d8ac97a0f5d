"""Linkage by imitation: the intruder masks the people too, and looks for the same records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Pairing, Spec, Target
from discreet.measures.linkage.attempt import Comparison, LinkageAttack
from discreet.measures.linkage.cells import FARTHEST, Matrix, Rows, summed
from discreet.measures.linkage.imitation import imitations
from discreet.measures.linkage.looked_up import LookedUp
from discreet.microdata import Column, Numbers

ABSENT = 1e6
"""Cost of a person whom the imitation left out."""
MANY_CODES = 1_000
"""With more categories than this a table of them is larger than what is looked up in it."""


class ImitationLinkage(LinkageAttack):
    """Links each released record to the person who becomes most like it when masked again.

    Microaggregation and recoding give the same result for the same file every time. The intruder
    who knows the method finds each person's group, and if columns are grouped separately the groups
    of one person have hardly anybody else in common. A method that draws at random does not give
    itself away like this.

    >>> import discreet
    >>> from discreet.contracts import Target
    >>> roles = dict.fromkeys("ab", "quasi-identifier")
    >>> data = discreet.read({"a": [1, 2, 8, 9], "b": [1, 7, 2, 8]}, roles=roles)
    >>> apart = discreet.Microaggregation(discreet.partition.MDAV(k=2), attributes_at_a_time=1)
    >>> release = discreet.protect(data, apart, seed=1)
    >>> target = Target(data, release.data, release.pairing)
    >>> ImitationLinkage().attempt(target, Context()).success
    1.0
    """

    knows_method: ClassVar[bool] = True
    spec: ClassVar[Spec] = Spec(
        name="imitation-linkage",
        title="Linkage by imitation",
        citation="Nin, Herranz & Torra (2008), On the disclosure risk of multivariate "
        "microaggregation",
        missing="equal to another missing value",
        random=True,
        formula="c(i, j) = ‖released i − what the method makes of person j‖², columns "
        "standardised, categories 0 or 1",
        cost="up to five runs of the method; n² comparisons, of a sample where these are more than "
        "30 million; up to 2,000 records n³ for the best assignment, memory n²",
    )

    def compare(
        self, target: Target, names: Sequence[str], pairing: Pairing, context: Context
    ) -> Comparison:
        """Mask the people, and compare the outcome with the release."""
        run = imitations(pairing, len(target.original), context)[0]
        people = len(target.original)
        place = np.full(people, -1)
        place[run.origin] = np.arange(len(run.origin))
        shared = [
            name for name in names if name in target.released.schema and name in run.released.schema
        ]
        columns = [
            _aligned(target.released.column(name), run.released.column(name)) for name in shared
        ]

        def costs(rows: Rows, originals: Rows | slice) -> Matrix:
            at = place[originals]
            parts = (column.apart(rows, at) for column in columns)
            total = summed(parts, rows, originals, people)
            total[:, at < 0] = ABSENT
            return total

        return Comparison(costs)


@dataclass(frozen=True, eq=False)
class _Numbers:
    """A column of numbers, as released and as imitated, in units of its spread."""

    released: Numbers
    imitated: Numbers

    @cached_property
    def complete(self) -> bool:
        return not any(np.isnan(values).any() for values in (self.released, self.imitated))

    def apart(self, rows: Rows, at: Rows) -> Matrix:
        """Return the squared differences; a number and a missing one are one unit apart."""
        released, imitated = self.released[rows, None], self.imitated[None, at]
        gap = released - imitated
        if self.complete:
            return np.square(gap, out=gap).astype(np.float32)
        unlike = np.isnan(released) ^ np.isnan(imitated)
        return np.where(np.isnan(gap), unlike, gap**2).astype(np.float32)


@dataclass(frozen=True, eq=False)
class _Codes:
    """A column of categories, as released and as imitated, with one code for each text."""

    released: NDArray[np.integer]
    imitated: NDArray[np.integer]
    count: int

    def apart(self, rows: Rows, at: Rows) -> Matrix | LookedUp:
        """Return 1 where they differ."""
        if self.count > MANY_CODES:
            unlike = self.released[rows, None] != self.imitated[None, at]
            return np.asarray(unlike, dtype=np.float32)
        unlike = self.released[rows, None] != np.arange(self.count)
        return LookedUp(unlike.astype(np.float32), self.imitated[at])


def _aligned(released: Column, imitated: Column) -> _Numbers | _Codes:
    if released.attribute.continuous and imitated.attribute.continuous:
        spread = float(np.nanstd(released.values)) if (~released.missing).any() else 0.0
        numbers, others = (column.values / (spread or 1.0) for column in (released, imitated))
        if not released.missing.all():
            # Another run may draw a number that lies far off all those released.
            ends = np.nanmin(numbers) - FARTHEST, np.nanmax(numbers) + FARTHEST
            others = np.clip(others, *ends)
        return _Numbers(numbers, others)
    codes: dict[object, int] = {}
    tables = [
        [codes.setdefault(str(level), len(codes)) for level in _levels(column)]
        for column in (released, imitated)
    ]
    # A missing value is an additional category, the last.
    kind = np.min_scalar_type(len(codes))
    first, second = (np.array([*table, len(codes)], dtype=kind) for table in tables)
    return _Codes(first[_places(released)], second[_places(imitated)], len(codes) + 1)


def _levels(column: Column) -> list[object]:
    if column.attribute.continuous:
        return list(np.unique(column.values[~column.missing]).tolist())
    return list(column.attribute.categories)


def _places(column: Column) -> Rows:
    if not column.attribute.continuous:
        return column.values.astype(np.int64)
    levels = np.unique(column.values[~column.missing])
    return np.where(column.missing, -1, np.searchsorted(levels, column.values))
