"""Means and covariances over clusters and unions of clusters, before and after (eq. 7)."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

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


def largest_difference(before: Numbers, after: Numbers, labels: NDArray[np.int64]) -> float:
    """Return the largest relative difference of a mean or covariance over unions of clusters.

    Looked at are each cluster, each union of two, and all records. A mean is compared in units of
    the larger of itself and the column's standard deviation, a covariance in units of the product
    of the two standard deviations, all over the union.

    >>> x = np.array([[1.0], [2.0], [3.0], [10.0], [12.0], [14.0]])
    >>> groups = np.array([0, 0, 0, 1, 1, 1])
    >>> largest_difference(x, x[[2, 1, 0, 3, 4, 5]], groups)
    0.0
    >>> largest_difference(x, x[::-1], groups)
    5.0
    """
    count = int(labels.max()) + 1
    tables = []
    for values in (before, after):
        parts: list[Moments] = []
        for g in range(count):
            cluster = values[labels == g]
            mean = cluster.mean(axis=0)
            mean = mean + (cluster - mean).mean(axis=0)
            about = cluster - mean
            parts.append((float(len(cluster)), mean, about.T @ about / len(cluster)))
        tables.append(parts)
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
