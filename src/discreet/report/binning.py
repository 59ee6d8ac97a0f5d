"""Bins for pictures of continuous columns: at round numbers, and blind to a few far values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

BINS = 24
FENCE = 3.0
FAR_FENCE = 10.0
"""Values within 3 interquartile ranges of the quartiles are on the picture, those beyond 10 are
not, and those between are if they are not among the outermost hundredth."""
STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


def spread(ordered: NDArray[np.float64]) -> tuple[float, float] | None:
    """Return the part of the axis where the values of a sorted array are, few far ones apart.

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
    # Half of the values are equal, so the quartiles say nothing of the others' spread.
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


def round_edges(low: float, high: float, *, whole: bool = False) -> list[float] | None:
    """Return about two dozen edges at round numbers from `low` or below to `high` or above.

    Round edges also keep a picture from spelling out the values of single records. None is
    returned where the numbers are too far apart to be put on one axis.

    >>> round_edges(0.3, 4.1)[:3], round_edges(0.3, 4.1)[-1]
    ([0.2, 0.4, 0.6], 4.2)
    >>> round_edges(0, 3, whole=True)
    [0.0, 1.0, 2.0, 3.0, 4.0]
    """
    span = high - low
    if span == 0:
        span = abs(low) / 5 or 1.0
        low, high = low - span / 2, high + span / 2
    if not (math.isfinite(low) and math.isfinite(high) and math.isfinite(span)):
        return None
    # Edges have twelve digits; below this width neighbours would be the same number.
    step = _round_up(max(span / BINS, max(abs(low), abs(high)) / 1e11, 5e-300))
    if whole:
        step = max(1.0, math.ceil(step))
    first, last = math.floor(low / step), math.ceil(high / step)
    if whole and last * step <= high:
        last += 1
    edges = [float(f"{index * step:.12g}") for index in range(first, max(last, first + 1) + 1)]
    return edges if math.isfinite(edges[-1]) and len(set(edges)) == len(edges) else None


def _round_up(width: float) -> float:
    power = 10.0 ** math.floor(math.log10(width))
    return next(factor * power for factor in STEPS if factor * power >= width * (1 - 1e-9))


def shares(ordered: NDArray[np.float64], edges: list[float]) -> dict[str, Any]:
    """Return the share of a sorted array's values in each bin, and the shares off the axis.

    >>> shares(np.array([0.5, 1.5, 1.6, 9.0]), [0.0, 1.0, 2.0])
    {'shares': [0.25, 0.5], 'below': 0.0, 'above': 0.25}
    """
    count = max(1, len(ordered))
    places = np.searchsorted(ordered, edges, side="left")
    places[-1] = np.searchsorted(ordered, edges[-1], side="right")
    return {
        "shares": (np.diff(places) / count).round(9).tolist(),
        "below": round(float(places[0]) / count, 9),
        "above": round(float(len(ordered) - places[-1]) / count, 9),
    }
