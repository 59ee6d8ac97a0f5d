"""A share counted on some of the records, and how far it may be from that of all."""

from __future__ import annotations

import math

from discreet.microdata import Numbers

NORMAL_95 = 1.959964


def interval_of_share(
    chances: Numbers, z: float = NORMAL_95, most: int | None = None
) -> tuple[float, float]:
    """Return the interval of Wilson (1927) for a mean of chances.

    It does not shrink to a point if none of the records, or every one, is a hit: none among a
    hundred may still mean one in thirty. Chances between 0 and 1 vary less than hits and misses
    with the same mean, so that the interval is wide enough for them. `most` is how many of the
    chances are about different records, where some are about the same ones.

    >>> import numpy as np
    >>> [round(end, 3) for end in interval_of_share(np.zeros(100))]
    [0.0, 0.037]
    """
    if not len(chances):
        return 0.0, 1.0
    count = len(chances) if most is None else max(1, min(len(chances), most))
    return wilson(float(chances.mean()), count, z)


def wilson(share: float, count: float, z: float = NORMAL_95) -> tuple[float, float]:
    """Return the interval of a share that was counted among this many.

    >>> [round(end, 3) for end in wilson(0.5, 100)]
    [0.404, 0.596]
    """
    middle = share + z * z / (2 * count)
    reach = z * math.sqrt(max(share * (1 - share), 0.0) / count + z * z / (4 * count * count))
    low, high = ((middle + side * reach) / (1 + z * z / count) for side in (-1, 1))
    return min(max(0.0, low), share), max(min(1.0, high), share)


def for_all(shares: int) -> float:
    """Return the width, in standard errors, of intervals that hold for 95 % all together.

    The largest of several shares is the largest by luck, too; an interval as wide as this covers
    it all the same (Bonferroni).

    >>> round(for_all(1), 2), round(for_all(5), 2)
    (1.96, 2.58)
    """
    from scipy.stats import norm

    return float(norm.ppf(1 - 0.025 / max(shares, 1)))


def widened(
    share: float, interval: tuple[float, float], shares: int, holds_for: int = 1
) -> tuple[float, float]:
    """Return the interval of the largest of several shares, from one that holds for fewer.

    >>> [round(end, 3) for end in widened(0.5, (0.402, 0.598), 5)]
    [0.371, 0.629]
    """
    wider = for_all(shares) / for_all(holds_for)
    low, high = (share + wider * (end - share) for end in interval)
    return max(0.0, low), min(1.0, high)


def exact_low(share: float, count: int) -> float:
    """Return the lower end of the interval of Clopper and Pearson (1934).

    For a few hits among many, Wilson's lies above the truth more often than once in forty.

    >>> round(exact_low(0.02, 150), 4), round(wilson(0.02, 150)[0], 4)
    (0.0041, 0.0068)
    """
    from scipy.stats import beta

    hits = share * count
    return 0.0 if hits <= 0 else min(share, float(beta.ppf(0.025, hits, count - hits + 1)))
