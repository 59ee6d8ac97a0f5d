"""Released cells beside the values of originals, column by column, as an intruder compares them.

A released number is an interval, and so is the rank of an original that shares its value with
others; how far two intervals are apart is their gap. A released category is a symbol that allows
some categories of the original and no others. Of a cell of which nothing is known every gap is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.measures.linkage.sets import ANY, cells_of, levels_of, straight
from discreet.microdata import Microdata, Numbers
from discreet.microdata.decoded import Decoded, DecodedColumn

Rows = NDArray[np.int64]
Matrix = NDArray[np.float32]

BLOCK_CELLS = 4_000_000
"""Pairs of records that are compared at a time."""


@dataclass(frozen=True, eq=False)
class NumberCells:
    """A column of numbers, or of ordered categories: released intervals and those of originals.

    Values are in units of the column's standard deviation, or ranks in units of the number of
    records. NaN is a missing value, one unit away from all others.
    """

    name: str
    least: Numbers
    most: Numbers
    low: Numbers
    high: Numbers

    @property
    def released(self) -> int:
        """The number of released records."""
        return len(self.least)

    @property
    def plain(self) -> bool:
        """Whether every released cell is one value that is there."""
        return self.least is self.most and bool(np.isfinite(self.least).all())

    def gaps(self, rows: Rows, originals: Rows | slice = slice(None)) -> Matrix:
        """Return how far some released records are from originals, as a matrix."""
        least, low = self.least[rows, None], self.low[None, originals]
        most = least if self.most is self.least else self.most[rows, None]
        high = low if self.high is self.low else self.high[None, originals]
        return _gap(least, most, low, high)

    def gaps_beside(self, rows: Rows, originals: Rows) -> Matrix:
        """Return how far each released record is from the original beside it."""
        return _gap(self.least[rows], self.most[rows], self.low[originals], self.high[originals])


def _gap(least: Numbers, most: Numbers, low: Numbers, high: Numbers) -> Matrix:
    # Points among points have one difference, not two; most columns have nothing missing.
    gap = np.abs(least - low) if least is most and low is high else _between(least, most, low, high)
    missing = np.isnan(least), np.isnan(low)
    if missing[0].any() or missing[1].any():
        gap = np.where(np.isnan(gap), missing[0] ^ missing[1], gap)
    return gap.astype(np.float32)


def _between(least: Numbers, most: Numbers, low: Numbers, high: Numbers) -> Numbers:
    gap = least - high
    np.maximum(gap, low - most, out=gap)
    return np.maximum(gap, 0.0, out=gap)


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

    def gaps(self, rows: Rows, originals: Rows | slice = slice(None)) -> Matrix:
        """Return 0 for the originals that a released record allows and 1 for others."""
        refused = (~self.allows).astype(np.float32)[self.symbols[rows]]
        return np.asarray(refused.take(self.categories[originals], axis=1))

    def gaps_beside(self, rows: Rows, originals: Rows) -> Matrix:
        """Return the same for the original beside each released record."""
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
    """Return the columns of which the release says something; numbers as ranks if asked for.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 30, 50]}, roles={"age": "quasi-identifier"})
    >>> [age] = cells(data, data, ["age"], np.arange(3), ranks=True)
    >>> (3 * age.gaps(np.array([0]))).round().tolist()
    [[0.0, 1.0, 2.0]]
    """
    view = Decoded(original, released, names, origin)
    columns: list[Cells] = []
    for name in names:
        column = view[name]
        if column.lost:
            continue
        columns.append(_numbers(column, ranks) if straight(column) else _categories(column))
    return columns


def _numbers(column: DecodedColumn, ranks: bool) -> NumberCells:
    name, gone = column.original.attribute.name, column.original.missing
    values = np.where(gone, np.nan, column.original.values).astype(np.float64)
    if column.decoding is None:
        least = most = np.where(column.missing, np.nan, column.values).astype(np.float64)
    else:
        least, most = (np.append(end, np.nan)[column.values] for end in column.decoding.hulls)
    known = values[~gone]
    if ranks:
        ordered = np.sort(known)
        low, high = _ranked(ordered, values, values)
        least, most = _ranked(ordered, least, most)
    else:
        spread = float(known.std()) if len(known) else 0.0
        scale = spread if spread > 0 else 1.0
        low = high = values / scale
        plain = least is most
        least = least / scale
        most = least if plain else most / scale
    anything = column.unknown | (column.missing & column.suppressed)
    if anything.any():
        least, most = np.where(anything, -np.inf, least), np.where(anything, np.inf, most)
    return NumberCells(name, least, most, low, high)


def _ranked(ordered: Numbers, low: Numbers, high: Numbers) -> tuple[Numbers, Numbers]:
    """Return the ranks that values between two ends have among the originals, as shares."""
    places = _Places.of(low)
    first = places.among(ordered, "left") + 1.0
    # Points, of which one end is the other, are put in order once.
    places = places if high is low else _Places.of(high)
    last = places.among(ordered, "right").astype(np.float64)
    # A value that nobody has lies between two ranks.
    between = last < first
    first[between] = last[between] = last[between] + 0.5
    records = max(len(ordered), 1)
    missing = np.isnan(low)
    return np.where(missing, np.nan, first / records), np.where(missing, np.nan, last / records)


class _Places(NamedTuple):
    """Values that are looked up once for each of them, and in order, which is quick."""

    distinct: Numbers
    inverse: Rows

    @classmethod
    def of(cls, values: Numbers) -> _Places:
        distinct, inverse = np.unique(values, return_inverse=True)
        return cls(distinct, inverse.reshape(-1))

    def among(self, ordered: Numbers, side: Literal["left", "right"]) -> Rows:
        """Return where each value belongs in order."""
        return np.searchsorted(ordered, self.distinct, side)[self.inverse]


def _categories(column: DecodedColumn) -> CategoryCells:
    levels, codes = levels_of(column.original)
    width = len(levels) + 1
    tables: list[NDArray[np.int32]] = []
    symbols, place = _present(cells_of(column, levels, tables))
    allows = np.zeros((len(symbols), width), dtype=bool)
    for number, symbol in enumerate(symbols.tolist()):
        # The code −1 of a missing value is the last place.
        allows[number, slice(None) if symbol == ANY else _members(symbol, tables)] = True
    categories = np.where(codes < 0, width - 1, codes).astype(np.min_scalar_type(width))
    return CategoryCells(column.original.attribute.name, place, allows, categories)


def _present(cells: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.integer]]:
    """Return the symbols that occur, in order, and the place of each cell among them."""
    least = int(cells.min(initial=0))
    seen = np.bincount(cells - least) > 0
    places = np.cumsum(seen) - 1
    small = places.astype(np.min_scalar_type(len(places)))
    return np.flatnonzero(seen) + least, small[cells - least]


def _members(symbol: int, tables: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
    return np.array([symbol], dtype=np.int32) if symbol > ANY else tables[ANY - 1 - symbol]


def summed(matrices: Iterable[Matrix], rows: Rows, originals: Rows | slice, people: int) -> Matrix:
    """Return the sum over columns; nothing tells records apart where there are none.

    >>> summed([], np.arange(2), slice(None), 3).shape
    (2, 3)
    """
    wide = len(range(people)[originals]) if isinstance(originals, slice) else len(originals)
    total = np.zeros((len(rows), wide), dtype=np.float32)
    for matrix in matrices:
        total += matrix
    return total
