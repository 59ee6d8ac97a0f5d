"""Which columns of a released record agree with which of an original, for probabilistic linkage.

A number agrees with a value within a tolerance, a label with every value that it stands for (and,
for numbers, with those within the tolerance of its ends), a category with itself. Nothing is known
about a suppressed or missing cell, so it agrees with nothing; otherwise it would agree with all
originals alike, and its record would seem a sure match for each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.measures.linkage.cells import Matrix
from discreet.measures.linkage.sets import ANY, Codes, CodeSets, cells_of, levels_of, straight
from discreet.microdata import Microdata, Numbers
from discreet.microdata.all_cores import for_each
from discreet.microdata.decoded import Decoded, DecodedColumn
from discreet.microdata.equivalence import classes, first_and_times

if TYPE_CHECKING:
    from discreet.kernels.agreement import Pairs

FARTHEST = np.finfo(np.float64).max
"""Where an open end lies: a missing value, at −inf, is beyond it."""

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Compared:
    """The different records of both files, and how often each one occurs.

    `of_released` and `of_original` say which of them each row of the two files is; `straight` says
    which columns are numbers with a tolerance.
    """

    pairs: Pairs
    straight: NDArray[np.bool_]
    released_times: Ints
    original_times: Ints
    of_released: Ints
    of_original: Ints

    @classmethod
    def of(
        cls,
        original: Microdata,
        released: Microdata,
        view: Decoded,
        names: Sequence[str],
        tolerance: Numbers,
    ) -> Compared:
        """Compare the columns `names`; the release must say something about each of them."""
        from discreet.kernels.agreement import MISSING, Pairs

        (of_original, firsts, original_times), (of_released, rows, released_times) = for_each(
            lambda data: _different(data, names), [original, released], len(released)
        )
        # In the order of the file, which is also the order in which callers look them up.
        order = np.argsort(firsts)
        firsts, original_times = firsts[order], original_times[order]
        of_original = np.argsort(order)[of_original]
        bytewise = [_is_symbol(view[name]) for name in names]
        numbers, symbols = bytewise.count(False), bytewise.count(True)
        place = np.where(bytewise, -np.cumsum(bytewise), np.cumsum(np.invert(bytewise)) - 1)
        values, least = np.empty((numbers, len(firsts))), np.empty((numbers, len(rows)))
        # Two ends take twice the memory, which large files cannot spare.
        points = all(view[n].decoding is None or not straight(view[n]) for n in names)
        most = least if points else np.empty_like(least)
        categories = np.empty((symbols, len(firsts)), dtype=np.uint8)
        released_as = np.empty((symbols, len(rows)), dtype=np.uint8)
        cells = np.full((numbers, 0), -1, dtype=np.int32)
        tables: list[Codes] = []
        for at, column in zip(place.tolist(), (view[name] for name in names), strict=True):
            if at < 0:
                codes = column.original.values[firsts]
                categories[-1 - at] = np.where(codes < 0, MISSING, codes)
                released_as[-1 - at] = _symbols(column, rows)
                continue
            if straight(column):
                original_values = np.where(column.original.missing, -np.inf, column.original.values)
                least[at], most[at] = (end[rows] for end in _ends(column))
            else:
                levels, codes = levels_of(column.original)
                original_values = np.where(codes < 0, -np.inf, codes)
                coded = cells_of(column, levels, tables)[rows]
                least[at] = most[at] = np.where(coded >= 0, coded, np.inf)
                if tables and not cells.shape[1]:
                    cells = np.full(least.shape, -1, dtype=np.int32)
                if tables:
                    cells[at] = coded
            values[at] = original_values[firsts]
        sets = CodeSets.together(cells, tables)
        compared = cls(
            Pairs(
                least, most, cells, sets.starts, sets.members, values,
                released_as, categories, place, tolerance,
            ),
            np.array([straight(view[n]) for n in names]),
            released_times,
            original_times,
            of_released,
            of_original,
        )  # fmt: skip
        return compared.within(tolerance)

    def within(self, tolerance: Numbers) -> Compared:
        """Return the same records, whose numbers agree within another tolerance."""
        tolerance = np.where(self.straight, tolerance, 0.0)
        return replace(self, pairs=self.pairs._replace(tolerance=tolerance))

    @property
    def sizes(self) -> tuple[int, int]:
        """How many different records there are, released and original."""
        return len(self.released_times), len(self.original_times)

    def only(self, released: Ints, originals: Ints | slice) -> Compared:
        """Return some of the records."""
        pairs = self.pairs._replace(
            least=np.ascontiguousarray(self.pairs.least[:, released]),
            most=np.ascontiguousarray(self.pairs.most[:, released]),
            cells=self._cells_of(released),
            values=np.ascontiguousarray(self.pairs.values[:, originals]),
            symbols=np.ascontiguousarray(self.pairs.symbols[:, released]),
            categories=np.ascontiguousarray(self.pairs.categories[:, originals]),
        )
        return replace(
            self,
            pairs=pairs,
            released_times=self.released_times[released],
            original_times=self.original_times[originals],
        )

    def _cells_of(self, released: Ints) -> Codes:
        cells = self.pairs.cells
        return np.ascontiguousarray(cells[:, released]) if cells.shape[1] else cells

    def patterns(self, released: Ints, originals: Ints) -> Ints:
        """Return the pattern of each released record with the original beside it.

        Records down the rows and originals along the columns give the patterns of all their pairs.
        """
        pairs = self.pairs
        patterns = np.zeros(np.broadcast(released, originals).shape, dtype=np.int64)
        for c, (row, most) in enumerate(zip(pairs.place, pairs.tolerance, strict=True)):
            if row < 0:
                agrees = pairs.symbols[-1 - row, released] == pairs.categories[-1 - row, originals]
                patterns |= agrees.astype(np.int64) << c
                continue
            values = pairs.values[row, originals]
            gaps = np.maximum(
                pairs.least[row, released] - values, values - pairs.most[row, released]
            )
            agrees = gaps <= most
            if pairs.cells.shape[1]:
                cells = pairs.cells[row, released]
                sets = np.nonzero((cells < ANY) & (values >= 0))
                cells, values = (np.broadcast_to(a, agrees.shape)[sets] for a in (cells, values))
                several = CodeSets(cells[:, None], pairs.starts, pairs.members)
                agrees[sets] = several.refuse(values[:, None].astype(np.int32)) == 0
            patterns |= agrees.astype(np.int64) << c
        return patterns

    def costs(self, rows: Ints, people: Ints | slice, costs_of: Matrix) -> Matrix:
        """Return the costs of the patterns of some rows of the release with some people."""
        from discreet.kernels.agreement import fill_costs

        released, originals = self.of_released[rows], self.of_original[people]
        costs = np.empty((len(released), len(originals)), dtype=np.float32)
        fill_costs(self.pairs, released, originals, costs_of, costs)
        return costs


def _different(data: Microdata, names: Sequence[str]) -> tuple[Ints, Ints, Ints]:
    """Return which different record each row is, a row of each different record, and its count."""
    labels = classes(data, names)
    rows, times = first_and_times(labels)
    return labels, rows, times


def _is_symbol(column: DecodedColumn) -> bool:
    """Whether a column has categories, each released as itself, few enough to fit in a byte."""
    from discreet.kernels.agreement import MISSING

    attribute = column.original.attribute
    coded = column.decoding is None and not attribute.continuous and not straight(column)
    return coded and len(attribute.categories) <= MISSING


def _symbols(column: DecodedColumn, rows: Ints) -> NDArray[np.uint8]:
    """Return the symbols of some released records; a missing value also counts as unknown."""
    from discreet.kernels.agreement import MISSING, UNKNOWN

    codes = column.values[rows]
    known = (codes >= 0) & (codes < MISSING) & ~column.unknown[rows]
    return np.where(known, codes, UNKNOWN).astype(np.uint8)


def _ends(column: DecodedColumn) -> tuple[Numbers, Numbers]:
    """Return the values between which each record lies; beyond all values if nothing is known."""
    if column.decoding is None:
        low = high = column.values.astype(np.float64)
    else:
        low, high = (np.append(end, np.nan)[column.values] for end in column.decoding.hulls)
    unknown = column.unknown | column.missing
    return (
        np.where(unknown, np.inf, np.maximum(low, -FARTHEST)),
        np.where(unknown, np.inf, np.minimum(high, FARTHEST)),
    )
