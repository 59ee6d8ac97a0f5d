"""The values between which each record of a column lies; if few differ, each pair is kept once.

Ages, hours and amounts in round figures have far fewer values than a file has records: comparisons
with all records become comparisons with the different values, and each record takes two bytes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers
from discreet.microdata.equivalence import coded

FEW = 2**16
"""Up to this many different values have codes of two bytes."""
LOOKED_AT = 4_000
"""The number of first records that show whether values repeat."""

Rows = NDArray[np.int64]
Ends = tuple[Numbers, Numbers]
"""The lower and the upper ends of some records; the same array if all are points."""


@dataclass(frozen=True, eq=False)
class Spans:
    """The ends of each record or, with `codes`, of each different one.

    `high` is `low` if all are points. NaN is a missing value.

    >>> ages = Spans.points(np.array([30.0, 41.0, 30.0]))
    >>> ages.low, ages.codes, ages.at(np.array([2]))[0]
    (array([30., 41.]), array([0, 1, 0], dtype=uint16), array([30.]))
    """

    low: Numbers
    high: Numbers
    codes: NDArray[np.integer] | None = None

    @classmethod
    def points(cls, values: Numbers) -> Spans:
        """Return records that each lie at a single value."""
        if len(np.unique(values[:LOOKED_AT])) > LOOKED_AT // 2:
            return cls(values, values)
        return cls.different(values).small()

    @classmethod
    def different(cls, values: Numbers) -> Spans:
        """Return the same with codes, however many differ; values are in order, NaN last."""
        codes, distinct = coded(values)
        return cls(distinct, distinct, codes)

    def __len__(self) -> int:
        return len(self.low if self.codes is None else self.codes)

    @property
    def is_points(self) -> bool:
        """Whether every record lies at a single value."""
        return self.low is self.high

    def at(self, rows: Rows | slice) -> Ends:
        """Return the ends of some records."""
        if self.codes is not None:
            return self.of_codes(self.codes[rows])
        return self.of_codes(rows)

    def of_codes(self, codes: NDArray[np.integer] | slice) -> Ends:
        """Return the ends that some codes stand for."""
        low = self.low[codes]
        return low, low if self.is_points else self.high[codes]

    def small(self) -> Spans:
        """Return the same in little memory: with codes of two bytes, or none if many differ."""
        if self.codes is None:
            return self
        if len(self.low) > FEW:
            return Spans(*self.of_codes(self.codes))
        return Spans(self.low, self.high, self.codes.astype(np.uint16))

    def but(self, anything: NDArray[np.bool_]) -> Spans:
        """Return the same, except that some records may lie anywhere.

        >>> Spans.points(np.array([3.0, 4.0])).but(np.array([True, False])).at(slice(None))
        (array([-inf,   4.]), array([inf,  4.]))
        """
        if self.codes is None or len(self.low) >= FEW:
            low, high = self.at(slice(None))
            return Spans(np.where(anything, -np.inf, low), np.where(anything, np.inf, high))
        codes = self.codes.copy()
        codes[anything] = len(self.low)
        return Spans(np.append(self.low, -np.inf), np.append(self.high, np.inf), codes)


def gaps_of(first: Ends, second: Ends) -> NDArray[np.float32]:
    """Return how far apart spans are; a missing value is one unit away from all others.

    >>> low, high = np.array([1.0, 1.0]), np.array([2.0, 2.0])
    >>> gaps_of((low, high), (np.array([2.0, 5.0]), np.array([3.0, 6.0])))
    array([0., 3.], dtype=float32)
    """
    (least, most), (low, high) = first, second
    # Between points there is one difference, not two; most columns have no missing values.
    if least is most and low is high:
        gap = np.abs(least - low)
    else:
        gap = least - high
        np.maximum(gap, low - most, out=gap)
        np.maximum(gap, 0.0, out=gap)
    missing = np.isnan(least), np.isnan(low)
    if missing[0].any() or missing[1].any():
        gap = np.where(np.isnan(gap), missing[0] ^ missing[1], gap)
    return gap.astype(np.float32)


def along(ends: Ends, axis: int) -> Ends:
    """Return ends along the rows (0) or the columns (1) of a matrix of pairs."""
    low, high = ends
    at = (None, slice(None)) if axis else (slice(None), None)
    first = low[at]
    return first, first if high is low else high[at]
