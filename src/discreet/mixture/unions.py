"""Means and covariances over clusters and unions of clusters, before and after (eq. 7)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from discreet.mixture.members import members

Numbers = NDArray[np.float64]
Moments = tuple[float, Numbers, Numbers]


def _together(parts: list[Moments]) -> Moments:
    """Return size, mean and covariance of a union from those of its parts: eq. 7."""
    size = sum(part[0] for part in parts)
    mean = np.asarray(sum(part[0] / size * part[1] for part in parts))
    covariance = np.asarray(
        sum(n / size * (within + np.outer(m - mean, m - mean)) for n, m, within in parts)
    )
    return size, mean, covariance


def cluster_moments(columns: Sequence[Numbers], labels: NDArray[np.int64]) -> list[Moments]:
    """Return size, mean and covariance of each cluster of these columns.

    >>> size, mean, covariance = cluster_moments([np.array([1.0, 2.0, 6.0])], np.zeros(3, int))[0]
    >>> size, mean, covariance.round(6)
    (3.0, array([3.]), array([[4.666667]]))
    """
    found = []
    for blocks in members(labels):
        size = float(sum(map(len, blocks)))
        mean = np.zeros(len(columns))
        for _ in range(2):  # once more, for what rounding did to the first sum
            rest = sum((_rows(columns, block) - mean).sum(axis=0) for block in blocks)
            mean = mean + rest / size
        scatter = np.zeros((len(columns), len(columns)))
        for block in blocks:
            about = _rows(columns, block) - mean
            scatter += about.T @ about
        found.append((size, mean, scatter / size))
    return found


def _rows(columns: Sequence[Numbers], rows: NDArray[np.int64]) -> Numbers:
    return np.column_stack([np.empty((len(rows), 0)), *(column[rows] for column in columns)])


def largest_difference(before: Sequence[Moments], after: Sequence[Moments]) -> float:
    """Return the largest relative difference of a mean or covariance over unions of clusters.

    Looked at are each cluster, each union of two, and all records. A mean is compared in units of
    the larger of itself and the column's standard deviation, a covariance in units of the product
    of the two standard deviations, all over the union.

    >>> x, groups = np.array([1.0, 2.0, 3.0, 10.0, 12.0, 14.0]), np.array([0, 0, 0, 1, 1, 1])
    >>> was = cluster_moments([x], groups)
    >>> largest_difference(was, cluster_moments([x[[2, 1, 0, 3, 4, 5]]], groups))
    0.0
    >>> largest_difference(was, cluster_moments([x[::-1]], groups))
    5.0
    """
    count = len(before)
    tables = (before, after)
    unions = [(g,) for g in range(count)] + list(combinations(range(count), 2))
    found = 0.0
    for union in [*unions, tuple(range(count))]:
        (_, was, within), (_, now, after_within) = (
            _together([parts[g] for g in union]) for parts in tables
        )
        spread = np.sqrt(np.diag(within))
        unit = np.maximum(np.abs(was), spread)
        product = np.multiply.outer(spread, spread)
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.abs(now - was) / unit
            covariances = np.abs(after_within - within) / product
        found = max(found, float(np.nan_to_num(means, posinf=0.0).max(initial=0.0)))
        found = max(found, float(np.nan_to_num(covariances, posinf=0.0).max(initial=0.0)))
    return found
