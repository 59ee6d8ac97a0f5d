"""Tables of counts with noise, made into tables that a population could have.

Everything here is computed from noisy counts alone: post-processing, which reveals nothing more
about a record than the noisy counts do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers

Cells = NDArray[np.int64]
Pair = tuple[int, int]

TAKEN_FOR_NOISE = 0.6
"""Deviations of the noise that are taken off a difference from independence; by trial on Adult."""
RAKED = 20
"""Rounds of iterative proportional fitting; noisy tables need no more than a few."""


def pairs_of(columns: int) -> list[Pair]:
    """Return all pairs of columns, in the order in which their tables are counted."""
    return list(combinations(range(columns), 2))


def counts_of(cells: Sequence[Cells], sizes: Sequence[int]) -> Cells:
    """Return the counts of all one-way and then all two-way tables, one after another.

    >>> counts_of([np.array([0, 0, 1]), np.array([1, 0, 1])], [2, 2])
    array([2, 1, 1, 2, 1, 1, 0, 1])
    """
    single = [np.bincount(c, minlength=s) for c, s in zip(cells, sizes, strict=True)]
    crossed = [
        np.bincount(cells[i] * sizes[j] + cells[j], minlength=sizes[i] * sizes[j])
        for i, j in pairs_of(len(sizes))
    ]
    return np.concatenate([*single, *crossed]).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Tables:
    """One-way and two-way tables that agree: no count is negative, and all have one total."""

    single: tuple[Numbers, ...]
    crossed: dict[Pair, Numbers]

    @classmethod
    def fitted(
        cls, noisy: Cells, sizes: Sequence[int], total: float | None, deviation: float = 0.0
    ) -> Tables:
        """Return tables that fit noisy counts, `total` being the number of records if public.

        A one-way table is estimated from its own counts and from the sums over every two-way table
        with its column, each weighted by its precision, and projected on those without negative
        counts. A two-way table is that of independent columns, apart from what exceeds the noise,
        whose standard deviation is `deviation`.
        """
        single, crossed = _parted(noisy.astype(np.float64), sizes)
        if total is None:
            total = max(1.0, estimated_total([*single, *crossed.values()]))
        margins = [on_simplex(_margin(i, single, crossed), total) for i in range(len(sizes))]
        return cls(
            tuple(margins),
            {
                (i, j): dependent(table, margins[i], margins[j], deviation)
                for (i, j), table in crossed.items()
            },
        )

    @property
    def total(self) -> float:
        """The number of records."""
        return float(self.single[0].sum())

    def of(self, first: int, second: int) -> Numbers:
        """Return the two-way table of two columns, the rows being the first one's cells."""
        if first < second:
            return self.crossed[first, second]
        return self.crossed[second, first].T


def _parted(noisy: Numbers, sizes: Sequence[int]) -> tuple[list[Numbers], dict[Pair, Numbers]]:
    lengths = [*sizes, *(sizes[i] * sizes[j] for i, j in pairs_of(len(sizes)))]
    parts = np.split(noisy, np.cumsum(lengths)[:-1])
    crossed = {
        (i, j): part.reshape(sizes[i], sizes[j])
        for (i, j), part in zip(pairs_of(len(sizes)), parts[len(sizes) :], strict=True)
    }
    return parts[: len(sizes)], crossed


def estimated_total(tables: Sequence[Numbers]) -> float:
    """Return the number of records by all tables; a table of m cells has m times the variance.

    >>> estimated_total([np.array([9.0, 3.0]), np.array([[4.0, 2.0], [6.0, 3.0]])])
    13.0
    """
    sums, sizes = [float(t.sum()) for t in tables], [t.size for t in tables]
    return float(np.average(sums, weights=1 / np.array(sizes)))


def _margin(column: int, single: Sequence[Numbers], crossed: dict[Pair, Numbers]) -> Numbers:
    """Return the one-way table of a column by all tables that it is in, by inverse variance."""
    margins, precision = [single[column]], [1.0]
    for (i, j), table in crossed.items():
        if column in (i, j):
            margins.append(table.sum(axis=1 if column == i else 0))
            precision.append(1 / table.shape[1 if column == i else 0])
    return np.asarray(np.average(margins, axis=0, weights=precision))


def on_simplex(table: Numbers, total: float) -> Numbers:
    """Return the nearest table without negative counts that has this total.

    Duchi et al., Efficient projections onto the l1-ball (2008), Figure 1: all counts are lowered by
    the same amount, and those that would be negative are 0.

    >>> on_simplex(np.array([5.0, 3.0, -4.0]), 6)
    array([4., 2., 0.])
    """
    falling = np.sort(table, axis=None)[::-1]
    lowered = (np.cumsum(falling) - total) / np.arange(1, falling.size + 1)
    last = int(np.flatnonzero(falling > lowered)[-1]) if total > 0 else 0
    return np.asarray(np.maximum(table - lowered[last], 0.0))


def dependent(table: Numbers, rows: Numbers, columns: Numbers, deviation: float) -> Numbers:
    """Return a two-way table with these margins, dependent where the counts say so beyond noise.

    Counts are moved towards those of independent columns by some of the deviation, and no further
    than these, so that noise is not taken for dependence.

    >>> half = np.array([10.0, 10.0])
    >>> dependent(np.array([[7.0, 4.0], [2.0, 6.0]]), half, half, deviation=5.0).round(6)
    array([[5., 5.],
           [5., 5.]])
    """
    total = rows.sum()
    if total <= 0:
        return np.zeros_like(table)
    apart = np.outer(rows, columns) / total
    beyond = np.maximum(np.abs(table - apart) - TAKEN_FOR_NOISE * deviation, 0.0)
    return raked(np.maximum(apart + np.sign(table - apart) * beyond, 0.0), rows, columns)


def raked(table: Numbers, rows: Numbers, columns: Numbers) -> Numbers:
    """Return a table with these margins, by iterative proportional fitting.

    A row that has records but no counts gets the shares of the other margin.

    >>> raked(np.ones((2, 2)), np.array([3.0, 1.0]), np.array([2.0, 2.0]))
    array([[1.5, 1.5],
           [0.5, 0.5]])
    """
    total = rows.sum()
    if total <= 0:
        return np.zeros_like(table)
    fitted = table + 1e-9 * np.outer(rows, columns) / total
    for _ in range(RAKED):
        fitted = fitted * _ratio(columns, fitted.sum(axis=0))
        fitted = fitted * _ratio(rows, fitted.sum(axis=1))[:, None]
    return np.asarray(fitted)


def _ratio(wanted: Numbers, present: Numbers) -> Numbers:
    return np.divide(wanted, present, out=np.zeros_like(wanted), where=present > 0)


def mutual_information(table: Numbers) -> float:
    """Return how much one column says about the other, in nats.

    >>> round(mutual_information(np.array([[5.0, 0.0], [0.0, 5.0]])), 4)
    0.6931
    """
    total = table.sum()
    if total <= 0:
        return 0.0
    share = table / total
    apart = np.outer(share.sum(axis=1), share.sum(axis=0))
    seen = share > 0
    return float((share[seen] * np.log(share[seen] / apart[seen])).sum())
