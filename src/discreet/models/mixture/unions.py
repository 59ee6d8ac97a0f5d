"""Means and covariances over clusters and unions of clusters, before and after (eq. 7)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers
from discreet.models.mixture.members import members

Moments = tuple[float, Numbers, Numbers]


def _together(sizes: Numbers, means: Numbers, within: Numbers) -> tuple[Numbers, Numbers]:
    """Return means and covariances of unions from those of their parts: eq. 7.

    The first axis is that of the unions, the second that of the parts of each.
    """
    shares = sizes / sizes.sum(axis=1, keepdims=True)
    mean = np.einsum("up,upi->ui", shares, means)
    about = means - mean[:, None]
    between = about[..., :, None] * about[..., None, :]
    return mean, np.einsum("up,upij->uij", shares, within + between)


def cluster_moments(columns: Sequence[Numbers], labels: NDArray[np.int64]) -> list[Moments]:
    """Return size, mean and covariance of each cluster of these columns.

    >>> size, mean, covariance = cluster_moments([np.array([1.0, 2.0, 6.0])], np.zeros(3, int))[0]
    >>> size, mean, covariance.round(6)
    (3.0, array([3.]), array([[4.666667]]))
    """
    moments = []
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
        moments.append((size, mean, scatter / size))
    return moments


def _rows(columns: Sequence[Numbers], rows: NDArray[np.int64]) -> Numbers:
    return np.column_stack([np.empty((len(rows), 0)), *(column[rows] for column in columns)])


def largest_difference(before: Sequence[Moments], after: Sequence[Moments]) -> float:
    """Return the largest relative difference of a mean or covariance over unions of clusters.

    This covers each cluster, each union of two, and all records. A mean is compared in units of
    the larger of itself and the column's standard deviation, a covariance in units of the product
    of the two standard deviations, all over the union. A constant column counts in units of its
    mean; it should not change.

    >>> x, groups = np.array([1.0, 2.0, 3.0, 10.0, 12.0, 14.0]), np.array([0, 0, 0, 1, 1, 1])
    >>> was = cluster_moments([x], groups)
    >>> largest_difference(was, cluster_moments([x[[2, 1, 0, 3, 4, 5]]], groups))
    0.0
    >>> largest_difference(was, cluster_moments([x[::-1]], groups))
    5.0
    """
    files = [_stacked(table) for table in (before, after)]
    count = len(before)
    everything = np.arange(count)[None, :]
    largest = _difference(*(_together(*(part[everything] for part in file)) for file in files))
    for g in range(count):
        # A cluster joined with itself has its own moments.
        pairs = np.column_stack([np.full(count - g, g), np.arange(g, count)])
        unions = (_together(*(part[pairs] for part in file)) for file in files)
        largest = max(largest, _difference(*unions))
    return largest


def _stacked(table: Sequence[Moments]) -> tuple[Numbers, Numbers, Numbers]:
    sizes, means, covariances = (np.array(part) for part in zip(*table, strict=True))
    return sizes, means, covariances


def _difference(before: tuple[Numbers, Numbers], after: tuple[Numbers, Numbers]) -> float:
    """Return the largest relative difference over these unions."""
    (was, within), (now, now_within) = before, after
    spread = np.sqrt(np.einsum("uii->ui", within))
    unit = np.maximum(np.abs(was), spread)
    spread = np.where(spread > 0, spread, unit)
    means = _relative(now - was, unit)
    product = spread[:, :, None] * spread[:, None, :]
    covariances = _relative(now_within - within, product)
    return max(float(means.max(initial=0.0)), float(covariances.max(initial=0.0)))


def _relative(differences: Numbers, units: Numbers) -> Numbers:
    """Return sizes of differences in these units; zero stays zero, whatever the unit."""
    sizes = np.abs(differences)
    with np.errstate(divide="ignore", over="ignore"):
        return np.divide(sizes, units, out=np.zeros_like(sizes), where=sizes > 0)
