"""Association: how closely two columns are related, whatever their kinds.

Two columns of numbers (ordinal: the numbers of the categories) have their correlation, a number and
a category the correlation ratio, two categories Cramér's V. The latter two are corrected for what
chance alone gives, so that all are near 0 if the columns are unrelated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Column, Kind, Microdata, Numbers
from discreet.microdata.weights import effective_size
from discreet.models.moments import correlations

MOST_CELLS = 1_000_000
"""A table of two columns with up to this many cells is counted cell by cell."""


def associations(
    data: Microdata,
    names: Sequence[str],
    known: Mapping[tuple[str, str], float] | None = None,
    weights: Numbers | None = None,
) -> dict[tuple[str, str], float]:
    """Return the association of each pair of columns; NaN where one of the two does not vary.

    Nothing is computed for the pairs that are already `known`.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 30, 40, 50] * 5, "pay": [9, 8, 7, 6] * 5,
    ...                       "ill": ["n", "n", "y", "y"] * 5, "sex": ["f", "m"] * 10})
    >>> {pair: round(a, 2) for pair, a in associations(data, data.schema.names).items()}
    {('age', 'pay'): -1.0, ('age', 'ill'): 0.89, ('age', 'sex'): 0.39, ('pay', 'ill'): 0.89,
     ('pay', 'sex'): 0.39, ('ill', 'sex'): 0.0}
    """
    known = known or {}
    if weights is not None and not (weights > 0).all():
        data, weights = data.take(np.flatnonzero(weights > 0)), weights[weights > 0]
    count = float(len(data)) if weights is None else effective_size(weights)
    numbers = [name for name in names if data.schema[name].kind is not Kind.NOMINAL]
    columns = {name: _as_numbers(data.column(name)) for name in numbers}
    linear = np.zeros((len(numbers), len(numbers)))
    if not known.keys() >= set(combinations(numbers, 2)):
        values = np.column_stack([np.empty((len(data), 0)), *columns.values()])
        linear = correlations(values, weights)
    codes = {n: data[n].astype(np.int64) for n in names if data.schema[n].kind is Kind.NOMINAL}
    strengths = {}
    for first, second in combinations(names, 2):
        if (first, second) in known:
            strengths[first, second] = known[first, second]
        elif first in numbers and second in numbers:
            strengths[first, second] = float(linear[numbers.index(first), numbers.index(second)])
        elif first in numbers or second in numbers:
            number, category = (first, second) if first in numbers else (second, first)
            strengths[first, second] = correlation_ratio(
                columns[number], codes[category], weights, count
            )
        else:
            strengths[first, second] = cramers_v(codes[first], codes[second], weights, count)
    return strengths


def _as_numbers(column: Column) -> Numbers:
    """Return the values on a scale on which no difference overflows."""
    known = np.isfinite(column.values) & ~column.missing
    largest = np.abs(column.values[known]).max(initial=0)
    return np.where(known, column.values, np.nan) / (largest if largest > 0 else 1.0)


def correlation_ratio(
    values: Numbers,
    codes: NDArray[np.int64],
    weights: Numbers | None = None,
    count: float | None = None,
) -> float:
    """Return the root of the share of variance that lies between the categories.

    Corrected for degrees of freedom (Kelley 1935): uninformative categories are at 0, not above it.
    Weighted records count as the number of records of equal weight that would carry as much
    information; `count` is that number, if it is known. Weights are above 0.

    >>> correlation_ratio(np.array([1.0, 1.0, 5.0, 5.0]), np.array([0, 0, 1, 1]))
    1.0
    """
    w, count, (values, codes) = _having_both(
        ~np.isnan(values) & (codes >= 0), weights, count, values, codes
    )
    counts = np.bincount(codes, w)
    many = int((counts > 0).sum())
    if many < 2 or count <= many or np.ptp(values) == 0:
        return np.nan
    centred = values - np.average(values, weights=w)
    centred /= np.abs(centred).max()
    total = float(np.square(centred).sum() if w is None else w @ np.square(centred))
    sums = np.bincount(codes, centred if w is None else w * centred)
    between = float((sums[counts > 0] ** 2 / counts[counts > 0]).sum())
    within = max(total - between, 0.0) / (count - many)
    return float(np.sqrt(max(1 - within * (count - 1) / total, 0.0)))


def cramers_v(
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    weights: Numbers | None = None,
    count: float | None = None,
) -> float:
    """Return Cramér's V, corrected for chance (Bergsma 2013, eq. 5).

    Weights and their count are as with the correlation ratio.

    >>> round(cramers_v(np.array([0, 0, 1, 1] * 9), np.array([1, 1, 0, 0] * 9)), 9)
    1.0
    """
    both = (first >= 0) & (second >= 0)
    w, count, (first, second) = _having_both(both, weights, count, first, second)
    rows, columns = np.bincount(first, w), np.bincount(second, w)
    sizes = [int((counts > 0).sum()) for counts in (rows, columns)]
    if min(sizes) < 2 or count <= 1:
        return np.nan
    cells, shared = _counted(first * len(columns) + second, len(rows) * len(columns), w)
    expected = rows[cells // len(columns)] * (columns[cells % len(columns)] / 1.0)
    squared = float((shared**2 / expected).sum()) - 1
    chance = (sizes[0] - 1) * (sizes[1] - 1) / (count - 1)
    room = min(size - (size - 1) ** 2 / (count - 1) for size in sizes) - 1
    return float(np.sqrt(min(max(squared - chance, 0.0) / room, 1.0))) if room > 0 else np.nan


def _having_both(
    both: NDArray[np.bool_], weights: Numbers | None, count: float | None, *columns: NDArray[Any]
) -> tuple[Numbers | None, float, list[NDArray[Any]]]:
    """Return the weights of some records, how many records they count for, and their values."""
    if not both.all():
        columns = tuple(values[both] for values in columns)
        weights, count = None if weights is None else weights[both], None
    if count is None:
        count = float(len(columns[0])) if weights is None else effective_size(weights)
    return weights, count, list(columns)


def _counted(
    codes: NDArray[np.int64], width: int, weights: Numbers | None
) -> tuple[NDArray[np.int64], Numbers]:
    """Return the codes that occur, and how often or with what weight each does."""
    if width > MOST_CELLS:
        cells, place = np.unique(codes, return_inverse=True)
        return cells, np.bincount(place, weights).astype(np.float64)
    counts = np.bincount(codes, weights, width)
    cells = np.flatnonzero(counts)
    return cells, counts[cells].astype(np.float64)
