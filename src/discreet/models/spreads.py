"""Centres and spreads of columns that are read in pieces, whatever the size of their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers
from discreet.models.design_matrix import LEAST


@dataclass(frozen=True, eq=False)
class Spreads:
    """Mean and standard deviation of each column, over the present values.

    A column without values has the mean 0; a constant one has its value as the mean, to the last
    bit, and the deviation 1.

    >>> found = Spreads.of(lambda: [np.array([[30.0, 7.0]]), np.array([[50.0, np.nan]])], 2)
    >>> found.centre, found.deviation, found.gaps
    (array([40.,  7.]), array([10.,  1.]), array([False,  True]))
    """

    centre: Numbers
    deviation: Numbers
    gaps: NDArray[np.bool_]
    count: Numbers

    @classmethod
    def of(cls, pieces: Callable[[], Iterable[Numbers]], columns: int) -> Spreads:
        """Read the pieces twice; an infinite value counts as missing."""
        low, high = np.full(columns, np.inf), np.full(columns, -np.inf)
        gaps = np.zeros(columns, dtype=bool)
        for values in pieces():
            finite = np.isfinite(values)
            gaps |= np.isnan(values).any(axis=0)
            low = np.minimum(low, np.where(finite, values, np.inf).min(axis=0, initial=np.inf))
            high = np.maximum(high, np.where(finite, values, -np.inf).max(axis=0, initial=-np.inf))
        constant = ~(low < high)
        # In units of the largest value no square overflows or underflows.
        unit = np.where(constant, 1.0, np.maximum(np.abs(low), np.abs(high)))
        count, mean, squares = np.zeros(columns), np.zeros(columns), np.zeros(columns)
        for values in pieces():
            finite = np.isfinite(values)
            part = np.where(finite, values, 0.0) / unit
            more = finite.sum(axis=0)
            total = np.maximum(count + more, 1)
            mean_here = part.sum(axis=0) / np.maximum(more, 1)
            about = np.where(finite, part - mean_here, 0.0)
            squares += (about**2).sum(axis=0) + (mean_here - mean) ** 2 * count * more / total
            mean += (mean_here - mean) * more / total
            count += more
        centre = np.where(constant, np.where(np.isfinite(low), low, 0.0), mean * unit)
        deviation = np.sqrt(squares / np.maximum(count, 1)) * unit
        return cls(centre, np.where(constant, 1.0, np.maximum(deviation, LEAST)), gaps, count)
