"""Averaged runs: several groupings of the same records, masked as one (Li & Sarkar 2013, §8).

With several confidential columns the records can be grouped once for each. The paper then averages
the perturbed values of the runs, which loses almost half of the variance within groups with two
runs and more with more, as independent noise averages out. Here the group means are averaged over
the runs, and noise is added once, with the covariance that is then missing:

    S of the values − S of the averaged means

The averaged means are the mean of projections of the values, so this is a covariance matrix, and
the covariance matrix of the release is that of the values in expectation. The mean of the file is
kept exactly; groups have no mean to keep, since there is more than one grouping.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.contracts import Groups
from discreet.microaggregation.replacement.microperturbation import (
    in_units_of_maximum,
    means_within,
    require_pairs,
    root_of,
)
from discreet.microdata import Numbers


def averaged(numbers: Numbers, runs: Sequence[Groups], rng: np.random.Generator) -> Numbers:
    """Return the mean over the runs of the group means, plus noise with what is missing.

    A missing value is taken to be the mean over the runs of its groups, and that of the
    file where a group has no value; a column without any value stays missing.

    >>> numbers = np.array([[1.0], [3.0], [5.0], [7.0]])
    >>> runs = [Groups(np.array([0, 0, 1, 1])), Groups(np.array([0, 1, 0, 1]))]
    >>> round(float(averaged(numbers, runs, np.random.default_rng(1)).mean()), 9)
    4.0
    """
    for groups in runs:
        require_pairs(groups)
    values = _filled(numbers, runs)
    empty = np.isnan(values)
    values = np.where(empty, 0.0, values)
    middle = values.mean(axis=0)
    scaled, unit = in_units_of_maximum(values - middle)
    centres = np.mean([means_within(scaled, groups) for groups in runs], axis=0)
    missing = (_scatter(scaled) - _scatter(centres)) / (len(values) - 1)
    noise = rng.standard_normal(values.shape) @ root_of(missing).T
    return np.where(empty, np.nan, middle + unit * (centres + noise - noise.mean(axis=0)))


def _filled(numbers: Numbers, runs: Sequence[Groups]) -> Numbers:
    gaps = np.isnan(numbers)
    if not gaps.any():
        return numbers
    overall = means_within(numbers, Groups(np.zeros(len(numbers), dtype=np.int64)))
    means = [means_within(numbers, groups) for groups in runs]
    fill = np.mean([np.where(np.isnan(m), overall, m) for m in means], axis=0)
    return np.where(gaps, fill, numbers)


def _scatter(values: Numbers) -> Numbers:
    centred = values - values.mean(axis=0)
    return np.asarray(centred.T @ centred)
