"""Bins for pictures of continuous columns, robust to a few outliers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.report.public_form import Binned

FENCE = 3.0
FAR_FENCE = 10.0
"""Values within 3 interquartile ranges of the quartiles are on the picture, those beyond 10 are
not, and those between are if they are not among the outermost hundredth."""


def spread(ordered: NDArray[np.float64]) -> tuple[float, float] | None:
    """Return the part of the axis that holds the values of a sorted array, apart from a few
    outliers.

    >>> spread(np.append(np.arange(1000.0), 1e9))
    (0.0, 2250.0)
    """
    if not len(ordered):
        return None
    least, greatest = float(ordered[0]), float(ordered[-1])
    low, lower, upper, high = (float(q) for q in quantiles(ordered, (0.01, 0.25, 0.75, 0.99)))
    range_ = upper - lower
    if range_ > 0:
        bottom = min(lower - FENCE * range_, max(low, lower - FAR_FENCE * range_))
        top = max(upper + FENCE * range_, min(high, upper + FAR_FENCE * range_))
        return max(least, bottom), min(greatest, top)
    # Half of the values are equal, so the quartiles say nothing about the spread of the others.
    return (low, high) if high > low else (least, greatest)


def quantiles(ordered: NDArray[np.float64], shares: tuple[float, ...]) -> NDArray[np.float64]:
    """Return quantiles of a sorted array, interpolated between neighbours.

    >>> quantiles(np.array([0.0, 10.0]), (0.25, 0.5)).tolist()
    [2.5, 5.0]
    """
    place = np.asarray(shares) * (len(ordered) - 1)
    left = np.floor(place).astype(np.int64)
    right = np.minimum(left + 1, len(ordered) - 1)
    part = place - left
    # This form of the weighted mean cannot overflow where a difference could.
    return np.asarray(ordered[left] * (1 - part) + ordered[right] * part)


def shares(ordered: NDArray[np.float64], edges: Sequence[float]) -> Binned:
    """Return the share of a sorted array's values in each bin, and the shares off the axis.

    >>> shares(np.array([0.5, 1.5, 1.6, 9.0]), [0.0, 1.0, 2.0])
    Binned(shares=(0.25, 0.5), below=0.0, above=0.25)
    """
    count = max(1, len(ordered))
    places = np.searchsorted(ordered, edges, side="left")
    places[-1] = np.searchsorted(ordered, edges[-1], side="right")
    return Binned(
        tuple((np.diff(places) / count).round(9).tolist()),
        round(float(places[0]) / count, 9),
        round(float(len(ordered) - places[-1]) / count, 9),
    )
