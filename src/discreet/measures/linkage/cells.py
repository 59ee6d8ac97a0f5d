"""Released cells beside the values of originals, column by column, as an intruder compares them.

A released number is an interval, and so is the rank of an original that shares its value with
others; the distance between two intervals is their gap. A released category is a symbol that allows
some categories of the original and no others. All gaps of a cell about which nothing is known are
0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.measures.linkage.looked_up import LookedUp
from discreet.measures.linkage.sets import ANY, cells_of, levels_of, straight
from discreet.measures.linkage.spans import Spans, along, gaps_of
from discreet.microdata import Microdata, Numbers
from discreet.microdata.all_cores import for_each
from discreet.microdata.decoded import Decoded, DecodedColumn

Rows = NDArray[np.int64]
Matrix = NDArray[np.float32]

BLOCK_CELLS = 4_000_000
"""Pairs of records that are compared at a time."""
FARTHEST = 1e15
"""Standard deviations beyond which everything is equally far; squares are summed in 32 bits."""


@dataclass(frozen=True, eq=False)
class NumberCells:
    """A column of numbers or ordered categories: intervals of the release and of the originals.

    Values are in units of the column's standard deviation, or ranks in units of the number of
    records. NaN is a missing value, one unit away from all others.
    """

    name: str
    masked: Spans
    people: Spans

    @property
    def released(self) -> int:
        """The number of released records."""
        return len(self.masked)

    @property
    def plain(self) -> bool:
        """Whether every released cell is a single value, none missing."""
        return self.masked.is_points and bool(np.isfinite(self.masked.low).all())

    def gaps(
        self,
        rows: Rows,
        originals: Rows | slice = slice(None),
        then: Callable[[Matrix], Matrix] | None = None,
    ) -> Matrix:
        """Return how far some released records are from originals, as a matrix.

        `then` is applied to each gap; where originals repeat, it is computed once.
        """
        return self.looked_up(rows, originals, then).matrix

    def looked_up(
        self,
        rows: Rows,
        originals: Rows | slice = slice(None),
        then: Callable[[Matrix], Matrix] | None = None,
    ) -> LookedUp:
        """Return the gaps from the originals' different values, and which value each has."""
        codes = None if self.people.codes is None else self.people.codes[originals]
        if codes is None:
            ends = self.people.of_codes(originals)
        elif len(codes) < len(self.people.low):
            ends, codes = self.people.of_codes(codes), None
        else:
            ends = self.people.low, self.people.high
        gaps = gaps_of(along(self.masked.at(rows), 0), along(ends, 1))
        return LookedUp(gaps if then is None else then(gaps), codes)

    def gaps_beside(self, rows: Rows, originals: Rows) -> Matrix:
        """Return how far each released record is from the original paired with it."""
        return gaps_of(self.masked.at(rows), self.people.at(originals))


@dataclass(frozen=True, eq=False)
class CategoryCells:
    """A nominal column: the symbol of each released record, and which categories it allows.

    The last category is a missing value.
    """

    name: str
    symbols: NDArray[np.integer]
    allows: NDArray[np.bool_]
    categories: NDArray[np.integer]

    @property
    def released(self) -> int:
        """The number of released records."""
        return len(self.symbols)

    def gaps(
        self,
        rows: Rows,
        originals: Rows | slice = slice(None),
        then: Callable[[Matrix], Matrix] | None = None,
    ) -> Matrix:
        """Return 0 for the originals that a released record allows and 1 for others."""
        return self.looked_up(rows, originals, then).matrix

    def looked_up(
        self,
        rows: Rows,
        originals: Rows | slice = slice(None),
        then: Callable[[Matrix], Matrix] | None = None,
    ) -> LookedUp:
        """Return the same for each category, and which category each original has."""
        refused = self._refused[self.symbols[rows]]
        return LookedUp(refused if then is None else then(refused), self.categories[originals])

    @cached_property
    def _refused(self) -> Matrix:
        return (~self.allows).astype(np.float32)

    def gaps_beside(self, rows: Rows, originals: Rows) -> Matrix:
        """Return the same for the original paired with each released record."""
        allowed = self.allows[self.symbols[rows], self.categories[originals]]
        return np.asarray(~allowed, dtype=np.float32)


Cells = NumberCells | CategoryCells


def cells(
    original: Microdata,
    released: Microdata,
    names: Sequence[str],
    origin: Rows | None,
    *,
    ranks: bool = False,
) -> list[Cells]:
    """Return the columns about which the release says something; numbers as ranks if requested.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 30, 50]}, roles={"age": "quasi-identifier"})
    >>> [age] = cells(data, data, ["age"], np.arange(3), ranks=True)
    >>> (3 * age.gaps(np.array([0]))).round().tolist()
    [[0.0, 1.0, 2.0]]
    """
    view = Decoded(original, released, names, origin)

    def of(name: str) -> Cells | None:
        column = view[name]
        if column.lost:
            return None
        return _numbers(column, ranks) if straight(column) else _categories(column)

    return [cells for cells in for_each(of, names, len(released)) if cells is not None]


def _numbers(column: DecodedColumn, ranks: bool) -> NumberCells:
    name, gone = column.original.attribute.name, column.original.missing
    values = _present_values(column.original.values, gone)
    placed = Spans.different if ranks else Spans.points
    people = placed(values)
    if column.decoding is None:
        masked = placed(_present_values(column.values, column.missing))
    else:
        low, high = (np.append(end, np.nan) for end in column.decoding.hulls)
        masked = Spans(low, high, np.where(column.values < 0, len(low) - 1, column.values))
    if ranks:
        ranks_of = _Ranks.among(people)
        people, masked = ranks_of.spans(people), ranks_of.spans(masked)
    else:
        known = values[~gone] if gone.any() else values
        spread = float(known.std()) if len(known) else 0.0
        scale = spread if spread > 0 else 1.0
        people = _over(people, scale)
        masked = _within_reach(_over(masked, scale), people)
    people, masked = people.small(), masked.small()
    anything = column.unknown | (column.missing & column.suppressed)
    return NumberCells(name, masked.but(anything) if anything.any() else masked, people)


def _within_reach(masked: Spans, people: Spans) -> Spans:
    """Return released values, moved nearer if all people are too far away for a square."""
    known = people.low[~np.isnan(people.low)]
    if not len(known):
        return masked
    ends = known.min() - FARTHEST, known.max() + FARTHEST
    low = np.clip(masked.low, *ends)
    return Spans(low, low if masked.is_points else np.clip(masked.high, *ends), masked.codes)


def _present_values(values: NDArray[Any], missing: NDArray[np.bool_]) -> Numbers:
    """Return numbers, or codes as numbers, with NaN where one is missing."""
    if not missing.any():
        return values.astype(np.float64, copy=False)
    return np.where(missing, np.nan, values).astype(np.float64)


def _over(spans: Spans, scale: float) -> Spans:
    with np.errstate(over="ignore"):  # values that are too far away are brought within reach
        low = spans.low / scale
        return Spans(low, low if spans.is_points else spans.high / scale, spans.codes)


class _Ranks(NamedTuple):
    """The different values of the originals in order, and how many originals are below each."""

    levels: Numbers
    below: Rows

    @classmethod
    def among(cls, people: Spans) -> _Ranks:
        assert people.codes is not None
        levels = people.low[~np.isnan(people.low)]
        counts = np.bincount(people.codes, minlength=len(levels))[: len(levels)]
        return cls(levels, np.append(0, np.cumsum(counts)))

    def spans(self, values: Spans) -> Spans:
        """Return the ranks, as shares, that values between two ends have among the originals."""
        first = self.below[np.searchsorted(self.levels, values.low, "left")] + 1.0
        last = self.below[np.searchsorted(self.levels, values.high, "right")].astype(np.float64)
        # A value that nobody has lies between two ranks.
        between = last < first
        first[between] = last[between] = last[between] + 0.5
        records, missing = max(int(self.below[-1]), 1), np.isnan(values.low)
        low, high = (np.where(missing, np.nan, end / records) for end in (first, last))
        return Spans(low, high, values.codes)


def _categories(column: DecodedColumn) -> CategoryCells:
    levels, codes = levels_of(column.original)
    width = len(levels) + 1
    tables: list[NDArray[np.int32]] = []
    symbols, place = _present(cells_of(column, levels, tables))
    allows = np.zeros((len(symbols), width), dtype=bool)
    for number, symbol in enumerate(symbols.tolist()):
        # The code −1 of a missing value is the last position.
        allows[number, slice(None) if symbol == ANY else _members(symbol, tables)] = True
    categories = np.where(codes < 0, width - 1, codes).astype(np.min_scalar_type(width))
    return CategoryCells(column.original.attribute.name, place, allows, categories)


def _present(cells: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.integer]]:
    """Return the symbols that occur, in order, and the position of each cell among them."""
    least = int(cells.min(initial=0))
    seen = np.bincount(cells - least) > 0
    places = np.cumsum(seen) - 1
    small = places.astype(np.min_scalar_type(len(places)))
    return np.flatnonzero(seen) + least, small[cells - least]


def _members(symbol: int, tables: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
    return np.array([symbol], dtype=np.int32) if symbol > ANY else tables[ANY - 1 - symbol]


def summed(
    parts: Iterable[Matrix | LookedUp], rows: Rows, originals: Rows | slice, people: int
) -> Matrix:
    """Return the sum over columns; without any, records are indistinguishable.

    >>> summed([], np.arange(2), slice(None), 3).shape
    (2, 3)
    """
    wide = len(range(people)[originals]) if isinstance(originals, slice) else len(originals)
    total = np.zeros((len(rows), wide), dtype=np.float32)
    for part in parts:
        if isinstance(part, LookedUp):
            part.added_to(total, people)
        else:
            total += part
    return total
