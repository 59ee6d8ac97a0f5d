"""Partitions as the local search stores them, and what must be true of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.refine_neighbours import candidate_lists
from discreet.kernels.refine_state import (
    Clusters,
    clusters_from_labels,
    pad_columns,
)

Points = NDArray[np.float64]
Labels = NDArray[np.int64]


def slow_sse(points: Points, labels: Labels) -> float:
    """The definition: squared distances to the mean of the own group."""
    total = 0.0
    for label in set(labels.tolist()):
        rows = points[labels == label]
        total += float(((rows - rows.mean(axis=0)) ** 2).sum())
    return total


def small_partition(records: int, k: int, rng: np.random.Generator) -> Labels:
    """Consecutive numbers and sizes k to 2k-1, as inside the search."""
    groups = records // k
    labels = np.arange(records) % groups
    assert np.bincount(labels).max() < 2 * k
    return labels[rng.permutation(records)].astype(np.int64)


def check_state(clusters: Clusters, k: int) -> None:
    """All arrays of the search agree on the partition, and it is allowed."""
    count = int(clusters.group_count[0])
    sizes = clusters.sizes[:count]
    assert sizes.sum() == clusters.group.size
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1
    np.testing.assert_array_equal(np.bincount(clusters.group, minlength=count), sizes)
    records = np.arange(clusters.group.size)
    np.testing.assert_array_equal(clusters.members[clusters.group, clusters.slot], records)
    for group in range(count):
        rows = clusters.points[clusters.group == group]
        np.testing.assert_allclose(clusters.centroids[group], rows.mean(axis=0), atol=1e-9)


def laid_out(seed: int, records: int = 40, columns: int = 5, k: int = 3) -> Clusters:
    rng = np.random.default_rng(seed)
    points = pad_columns(np.exp(rng.standard_normal((records, columns))))
    near, _ = candidate_lists(points, 12, rng)
    return clusters_from_labels(points, near, small_partition(records, k, rng), k, seed)
