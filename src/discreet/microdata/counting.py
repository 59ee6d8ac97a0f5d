"""How often each number of a column occurs: in bins where these are few, else by sorting."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.microdata.equivalence import few
from discreet.microdata.whole_numbers import AT_ONCE, in_units

CACHED_BINS, FEW_BINS = 1 << 12, 12
"""Bins that stay in the processor's cache, and so few that each is compared with all numbers."""


def counted(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the different numbers in order, and how often each occurs; none may be NaN.

    >>> counted(np.array([30.5, 41.0, 30.5]))
    (array([30.5, 41. ]), array([2, 1]))
    """
    whole = in_units(values, narrow=True)
    if whole is None:
        return np.unique(values, return_counts=True)
    places, space, least, unit = whole
    if few(space, len(values)):
        counts = bin_counts(places, space)
        used = np.flatnonzero(counts)
        counts = counts[used]
    else:
        places.sort()
        starts = np.append(0, np.flatnonzero(places[1:] != places[:-1]) + 1)
        used, counts = places.take(starts), np.diff(starts, append=len(places))
    distinct = np.add(used, least, dtype=np.float64)
    distinct /= unit
    return distinct, counts


def bin_counts(values: NDArray[np.integer], end: int, least: int = 0) -> NDArray[np.int64]:
    """Return how often each of the whole numbers from `least` to `end` - 1 occurs.

    >>> bin_counts(np.array([1, -1, 1], np.int32), 2, least=-1)
    array([1, 0, 2])
    """
    bins = range(least, end)
    if len(bins) > CACHED_BINS:
        return np.bincount(values - least if least else values, minlength=len(bins))
    counts = np.zeros(len(bins), np.int64)
    for start in range(0, len(values), AT_ONCE):
        some = values[start : start + AT_ONCE]
        if len(bins) <= FEW_BINS:
            # Adding one to the same bin again and again takes longer than several comparisons.
            narrow = some.astype(np.int8)
            counts += [np.count_nonzero(narrow == number) for number in bins]
        else:
            counts += np.bincount(some - least if least else some, minlength=len(bins))
    return counts
