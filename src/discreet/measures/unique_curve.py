"""How the share of unique records falls as a file grows, and how well that is predicted.

A file of n records shows for every smaller size how large its share of uniques would be: a record
of a cell of j is alone if none of the j − 1 others is drawn. What lies ahead, up to the N persons
of the population, continues this curve. And since the file can be thinned by its own sampling
fraction, every estimator can be tried on it where the outcome is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

LEAST_LEFT = 50.0
"""The fewest records of a thinned file."""
PER_STEP = 0.15
"""Error in logarithms that is allowed for each step by a factor of e towards the population, on top
of what the file's own subsamples show. So set that the intervals hold the truth in 58 of 60 samples
of the American Community Survey; of the synthetic population of EU-SILC, which was not used to set
it, they hold it in 58 of 60 too (`python -m bench uniques`)."""
NORMAL_95 = 1.959964

Estimator = Callable[[Mapping[int, float], float], float]


def unique_share(counts: Mapping[int, float], kept: float) -> float:
    """Return the expected share of unique records if every record is kept with this chance.

    >>> unique_share({1: 1, 2: 1}, 1.0), unique_share({1: 1, 2: 1}, 0.5)
    (0.3333333333333333, 0.6666666666666666)
    """
    sizes = np.array(list(counts), dtype=np.float64)
    cells = np.array(list(counts.values()), dtype=np.float64)
    alone = sizes * cells * (1 - kept) ** (sizes - 1)
    return float(alone.sum() / (sizes * cells).sum())


def thinned(counts: Mapping[int, float], kept: float) -> dict[int, float]:
    """Return how many cells of each size are expected if every record is kept with this chance.

    >>> {size: round(times, 6) for size, times in thinned({2: 8}, 0.5).items()}
    {1: 4.0, 2: 2.0}
    """
    from scipy.stats import binom

    sizes = np.array(list(counts), dtype=np.int64)
    cells = np.array(list(counts.values()), dtype=np.float64)
    largest = int(sizes.max())
    # A cell hardly ever keeps more than a few deviations above its expected size.
    most = min(largest, int(kept * largest + 8 * np.sqrt(kept * largest) + 20))
    expected = np.zeros(most)
    for j, times in zip(sizes.tolist(), cells.tolist(), strict=True):
        small = np.arange(1, min(j, most) + 1)
        expected[: len(small)] += times * binom.pmf(small, j, kept)
    return {i + 1: float(times) for i, times in enumerate(expected) if times > 1e-9}


def looked_back(counts: Mapping[int, float], fraction: float) -> float:
    """Return the fraction by which the file is thinned to try an estimator: its own if possible."""
    records = sum(size * times for size, times in counts.items())
    return float(min(max(fraction, LEAST_LEFT / records), 0.9))


def curve(counts: Mapping[int, float], fraction: float) -> float:
    """Return P(F = 1 | f = 1) by continuing the curve of uniques.

    The logarithm of the share as a function of the logarithm of the size is taken at the file, as
    far back as the population lies ahead, and half way between; a parabola through these three
    points, or a straight line if it bends upwards, is followed to the population.

    >>> round(curve({1: 100, 2: 60, 3: 40, 5: 20, 9: 10}, 0.5), 2)
    0.36
    """
    back, ahead = -np.log(looked_back(counts, fraction)), -np.log(fraction)
    at = np.array([0.0, -back / 2, -back])
    shares = np.log([unique_share(counts, float(np.exp(x))) for x in at])
    bend, slope, _ = np.polyfit(at, shares, 2)
    if bend > 0:
        bend, slope = 0.0, np.polyfit(at, shares, 1)[0]
    return float(np.exp(min(bend * ahead**2 + slope * ahead, 0.0)))


def own_error(counts: Mapping[int, float], fraction: float, estimator: Estimator) -> float:
    """Return the logarithm by which an estimator is off when the file itself is the population.

    Where the file is too small to be thinned by its own fraction, the error of the part of the way
    is extended to the whole.
    """
    kept = looked_back(counts, fraction)
    sub = thinned(counts, kept)
    truth = unique_share(counts, 1.0) / unique_share(counts, kept)
    estimate = max(estimator(sub, kept), 1e-12)
    return float(np.log(estimate / truth) * max(1.0, np.log(fraction) / np.log(kept)))


def half_width(counts: Mapping[int, float], fraction: float, chance: float, error: float) -> float:
    """Return half of the 95 % interval of the logarithm of a chance.

    Its parts: what the estimator is off on the file's own subsamples, what the way ahead may add
    to that, and the chance in the number of population uniques among the sample's.
    """
    expected = max(counts.get(1, 0) * chance, 1.0)
    return abs(error) + PER_STEP * -float(np.log(fraction)) + NORMAL_95 / float(np.sqrt(expected))
