"""The partition that the local search works on: groups, members, centroids, and single changes.

Removing record x from a group of size n and centroid c lowers its sum of squares by
n/(n-1)·|x-c|², and adding it raises it by n/(n+1)·|x-c|². So pricing and making a change takes
O(columns), whatever the size of the file.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled, inner

__all__ = [
    "LANES",
    "Clusters",
    "below",
    "clusters_from_labels",
    "drop_group",
    "join_cost",
    "leave_gain",
    "move_record",
    "pad_columns",
    "recompute_centroid",
    "swap_delta",
    "swap_records",
    "total_sse",
    "uniform",
]

# Columns are padded with zeros to a multiple of this, and sums run in as many accumulators:
# the processor then adds in parallel, and in an order that no compiler option can change.
LANES = 4


class Clusters(NamedTuple):
    """A partition under change: its groups are 0 .. group_count[0]-1; arrays change in place."""

    points: NDArray[np.float64]  # (records, padded columns)
    neighbours: NDArray[np.int32]  # (records, candidates), nearest first
    group: NDArray[np.int64]  # of each record
    slot: NDArray[np.int64]  # the record's place in members[group]
    members: NDArray[np.int64]  # (groups, 2k)
    sizes: NDArray[np.int64]
    centroids: NDArray[np.float64]  # (groups, padded columns)
    group_count: NDArray[np.int64]  # one element: how many groups there are
    random: NDArray[np.uint64]  # one element: the generator's state


def pad_columns(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the table with columns of zeros up to a multiple of LANES."""
    records, columns = points.shape
    padded = np.zeros((records, -(-max(columns, 1) // LANES) * LANES))
    padded[:, :columns] = points
    return padded


def clusters_from_labels(
    points: NDArray[np.float64],
    neighbours: NDArray[np.int32],
    labels: NDArray[np.int64],
    k: int,
    seed: int,
) -> Clusters:
    """Lay out the partition `labels` (0 .. g-1, sizes k to 2k-1) of padded points."""
    records = points.shape[0]
    # No partition into groups of k or more has more groups than this.
    groups = records // k + 1
    sizes = np.zeros(groups, dtype=np.int64)
    counts = np.bincount(labels)
    sizes[: counts.size] = counts
    order = np.argsort(labels, kind="stable")
    slot = np.empty(records, dtype=np.int64)
    slot[order] = np.arange(records) - np.repeat(np.cumsum(counts) - counts, counts)
    members = np.zeros((groups, 2 * k), dtype=np.int64)
    members[labels, slot] = np.arange(records)
    clusters = Clusters(
        points=points,
        neighbours=np.ascontiguousarray(neighbours, dtype=np.int32),
        group=labels.astype(np.int64),
        slot=slot,
        members=members,
        sizes=sizes,
        centroids=np.zeros((groups, points.shape[1])),
        group_count=np.array([counts.size], dtype=np.int64),
        random=np.array([seed], dtype=np.uint64),
    )
    total_sse(clusters)
    return clusters


@inner
def bits(random: NDArray[np.uint64]) -> np.uint64:
    """Return the next 64 random bits (splitmix64)."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    z = random[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.uint64(z ^ (z >> np.uint64(31)))


@compiled
def below(random: NDArray[np.uint64], limit: int) -> int:
    """Return a random integer in 0 .. limit-1, for limits under 2³¹."""
    return int((np.int64(bits(random) >> np.uint64(33)) * limit) >> 31)


@compiled
def uniform(random: NDArray[np.uint64]) -> float:
    """Return a random number in (0, 1]."""
    return (np.float64(bits(random) >> np.uint64(11)) + 1.0) / 9007199254740992.0


@inner
def squared_distance(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Return |a-b|² of two rows of padded length."""
    s0 = s1 = s2 = s3 = 0.0
    for j in range(0, a.shape[0], 4):
        d0 = a[j] - b[j]
        d1 = a[j + 1] - b[j + 1]
        d2 = a[j + 2] - b[j + 2]
        d3 = a[j + 3] - b[j + 3]
        s0 += d0 * d0
        s1 += d1 * d1
        s2 += d2 * d2
        s3 += d3 * d3
    return (s0 + s1) + (s2 + s3)


@compiled
def leave_gain(clusters: Clusters, record: int) -> float:
    """Return how much the sum of squares falls when the record leaves its group."""
    group = clusters.group[record]
    size = clusters.sizes[group]
    if size == 1:
        return 0.0
    distance = squared_distance(clusters.points[record], clusters.centroids[group])
    return float(distance * size / (size - 1))


@compiled
def join_cost(clusters: Clusters, record: int, group: int) -> float:
    """Return how much the sum of squares rises when the record joins another group."""
    size = clusters.sizes[group]
    if size == 0:
        return 0.0
    distance = squared_distance(clusters.points[record], clusters.centroids[group])
    return float(distance * size / (size + 1))


@compiled
def move_record(clusters: Clusters, record: int, target: int) -> None:
    """Move the record to the group `target`, which may be empty."""
    points, centroids, sizes = clusters.points, clusters.centroids, clusters.sizes
    source = clusters.group[record]
    slot = clusters.slot[record]
    last = sizes[source] - 1
    filler = clusters.members[source, last]
    clusters.members[source, slot] = filler
    clusters.slot[filler] = slot
    sizes[source] = last
    clusters.members[target, sizes[target]] = record
    clusters.slot[record] = sizes[target]
    sizes[target] += 1
    clusters.group[record] = target
    if last > 0:
        share = 1.0 / last
        for j in range(points.shape[1]):
            centroids[source, j] += (centroids[source, j] - points[record, j]) * share
    share = 1.0 / sizes[target]
    if sizes[target] == 1:
        for j in range(points.shape[1]):
            centroids[target, j] = points[record, j]
    else:
        for j in range(points.shape[1]):
            centroids[target, j] += (points[record, j] - centroids[target, j]) * share


@compiled
def swap_delta(clusters: Clusters, x: int, y: int) -> float:
    """Return the change of the sum of squares when records x and y are exchanged.

    With D = y - x and groups A of x and B of y: 2(c_B - c_A)·D - |D|²(1/|A| + 1/|B|).
    """
    a, b = clusters.group[x], clusters.group[y]
    p, q = clusters.points[x], clusters.points[y]
    ca, cb = clusters.centroids[a], clusters.centroids[b]
    t0 = t1 = s0 = s1 = 0.0
    for j in range(0, p.shape[0], 2):
        d0 = q[j] - p[j]
        d1 = q[j + 1] - p[j + 1]
        t0 += (cb[j] - ca[j]) * d0
        t1 += (cb[j + 1] - ca[j + 1]) * d1
        s0 += d0 * d0
        s1 += d1 * d1
    shares = 1.0 / clusters.sizes[a] + 1.0 / clusters.sizes[b]
    return float(2.0 * (t0 + t1) - (s0 + s1) * shares)


@compiled
def swap_records(clusters: Clusters, x: int, y: int) -> None:
    """Exchange records x and y of two groups."""
    a, b = clusters.group[x], clusters.group[y]
    slot_x, slot_y = clusters.slot[x], clusters.slot[y]
    clusters.members[a, slot_x] = y
    clusters.members[b, slot_y] = x
    clusters.slot[x], clusters.slot[y] = slot_y, slot_x
    clusters.group[x], clusters.group[y] = b, a
    share_a, share_b = 1.0 / clusters.sizes[a], 1.0 / clusters.sizes[b]
    for j in range(clusters.points.shape[1]):
        step = clusters.points[y, j] - clusters.points[x, j]
        clusters.centroids[a, j] += step * share_a
        clusters.centroids[b, j] -= step * share_b


@inner
def drop_group(clusters: Clusters, group: int) -> None:
    """Remove an empty group; the last group takes its number."""
    last = clusters.group_count[0] - 1
    clusters.group_count[0] = last
    if group == last:
        return
    size = clusters.sizes[last]
    clusters.sizes[group] = size
    clusters.sizes[last] = 0
    for i in range(size):
        record = clusters.members[last, i]
        clusters.members[group, i] = record
        clusters.group[record] = group
    for j in range(clusters.points.shape[1]):
        clusters.centroids[group, j] = clusters.centroids[last, j]


@inner
def recompute_centroid(clusters: Clusters, group: int) -> None:
    """Compute the centroid from the group's members."""
    centroids, points = clusters.centroids, clusters.points
    size = clusters.sizes[group]
    for j in range(points.shape[1]):
        centroids[group, j] = 0.0
    for i in range(size):
        record = clusters.members[group, i]
        for j in range(points.shape[1]):
            centroids[group, j] += points[record, j]
    for j in range(points.shape[1]):
        centroids[group, j] /= size


@compiled
def total_sse(clusters: Clusters) -> float:
    """Return the within-group sum of squares; recompute the centroids, free of past rounding."""
    total = 0.0
    for group in range(clusters.group_count[0]):
        recompute_centroid(clusters, group)
        for i in range(clusters.sizes[group]):
            total += squared_distance(
                clusters.points[clusters.members[group, i]], clusters.centroids[group]
            )
    return total
