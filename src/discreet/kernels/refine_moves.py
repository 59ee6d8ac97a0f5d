"""The moves of the local search, and the annealing that chooses among them.

A move is priced, then taken or not by the rule of Metropolis: always when it lowers the sum of
squares, otherwise with probability exp(-increase/temperature). Every move leaves all groups
with k to 2k-1 records.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled, inner
from discreet.kernels.refine_state import (
    Clusters,
    below,
    drop_group,
    join_cost,
    leave_gain,
    move_record,
    recompute_centroid,
    squared_distance,
    swap_delta,
    swap_records,
    total_sse,
    uniform,
)

__all__ = ["anneal", "create_group", "dissolve_group", "resplit_pair"]

# Cumulative shares of the kinds of moves; the rest are swaps.
DISSOLVE = 0.01
CREATE = 0.02
RESPLIT = 0.12
RELOCATE = 0.70


@inner
def accepts(random: NDArray[np.uint64], delta: float, temperature: float) -> bool:
    """Return whether a change of the sum of squares by `delta` is taken."""
    if delta <= 0.0:
        return True
    if delta >= 30.0 * temperature:
        return False
    return delta < -temperature * math.log(uniform(random))


@compiled
def dissolve_group(clusters: Clusters, group: int, k: int, temperature: float) -> float:
    """Send each record of a group to the best group around it; return the change made."""
    neighbours, sizes = clusters.neighbours, clusters.sizes
    moved = np.empty(sizes[group], dtype=np.int64)
    for i in range(moved.size):
        moved[i] = clusters.members[group, i]
    delta = 0.0
    done = 0
    for record in moved:
        best, best_cost = group, np.inf
        previous = group
        for r in range(neighbours.shape[1]):
            target = clusters.group[neighbours[record, r]]
            if target in (previous, group) or sizes[target] >= 2 * k - 1:
                continue
            previous = target
            cost = join_cost(clusters, record, target)
            if cost < best_cost:
                best, best_cost = target, cost
        if best == group:
            break
        delta += best_cost - leave_gain(clusters, record)
        move_record(clusters, record, best)
        done += 1
    if done == moved.size and accepts(clusters.random, delta, temperature):
        drop_group(clusters, group)
        return delta
    for i in range(done - 1, -1, -1):
        move_record(clusters, moved[i], group)
    return 0.0


@compiled
def create_group(clusters: Clusters, record: int, k: int, temperature: float) -> float:
    """Gather a new group around a record from groups that can spare one; return the change."""
    neighbours, sizes = clusters.neighbours, clusters.sizes
    created = clusters.group_count[0]
    if (created + 1) * k > clusters.points.shape[0] or neighbours.shape[1] < k - 1:
        return 0.0
    if sizes[clusters.group[record]] <= k:
        return 0.0
    sources = np.empty(k, dtype=np.int64)
    delta = 0.0
    done = 0
    best, best_delta = record, -leave_gain(clusters, record)
    while best >= 0:
        delta += best_delta
        sources[done] = clusters.group[best]
        move_record(clusters, best, created)
        done += 1
        if done == k:
            break
        best, best_delta = -1, np.inf
        for r in range(neighbours.shape[1]):
            candidate = int(np.int64(neighbours[record, r]))
            source = clusters.group[candidate]
            if source == created or sizes[source] <= k:
                continue
            change = join_cost(clusters, candidate, created) - leave_gain(clusters, candidate)
            if change < best_delta:
                best, best_delta = candidate, change
    if done == k and accepts(clusters.random, delta, temperature):
        clusters.group_count[0] = created + 1
        return delta
    for i in range(done - 1, -1, -1):
        move_record(clusters, clusters.members[created, i], sources[i])
    return 0.0


@compiled
def resplit_pair(clusters: Clusters, a: int, b: int, k: int, temperature: float) -> float:
    """Pool two groups and cut them again along a random direction; return the change.

    The direction joins two records of the pool, and the cut is the best one that leaves k to
    2k-1 records on both sides. Cutting a pool of m records into parts of size i and m-i with
    centroids p and q leaves a sum of squares lower by i(m-i)/m·|p-q|² than the pool's own.
    """
    points, sizes = clusters.points, clusters.sizes
    columns = points.shape[1]
    m = sizes[a] + sizes[b]
    pool = np.empty(m, dtype=np.int64)
    for i in range(sizes[a]):
        pool[i] = clusters.members[a, i]
    for i in range(sizes[b]):
        pool[sizes[a] + i] = clusters.members[b, i]
    first = below(clusters.random, m)
    second = below(clusters.random, m - 1)
    if second >= first:
        second += 1
    start, end = points[pool[first]], points[pool[second]]
    keys = np.empty(m)
    for i in range(m):
        key = 0.0
        for j in range(columns):
            key += points[pool[i], j] * (end[j] - start[j])
        keys[i] = key
    gap = 1
    while gap < m // 9:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, m):
            key, record, j = keys[i], pool[i], i
            while j >= gap and keys[j - gap] > key:
                keys[j], pool[j] = keys[j - gap], pool[j - gap]
                j -= gap
            keys[j], pool[j] = key, record
        gap //= 3
    left, right = np.zeros(columns), np.zeros(columns)
    for j in range(columns):
        right[j] = sizes[a] * clusters.centroids[a, j] + sizes[b] * clusters.centroids[b, j]
    between = (
        squared_distance(clusters.centroids[a], clusters.centroids[b]) * sizes[a] * sizes[b] / m
    )
    best_cut, best_between = 0, -1.0
    for i in range(1, m - k + 1):
        record = pool[i - 1]
        for j in range(columns):
            left[j] += points[record, j]
            right[j] -= points[record, j]
        if i < k or i > 2 * k - 1 or m - i > 2 * k - 1:
            continue
        distance = 0.0
        for j in range(columns):
            difference = left[j] / i - right[j] / (m - i)
            distance += difference * difference
        if distance * i * (m - i) / m > best_between:
            best_cut, best_between = i, distance * i * (m - i) / m
    delta = float(between - best_between)
    if not accepts(clusters.random, delta, temperature):
        return 0.0
    for i in range(m):
        group, place = (a, i) if i < best_cut else (b, i - best_cut)
        clusters.members[group, place] = pool[i]
        clusters.group[pool[i]] = group
        clusters.slot[pool[i]] = place
    sizes[a], sizes[b] = best_cut, m - best_cut
    recompute_centroid(clusters, a)
    recompute_centroid(clusters, b)
    return delta


@compiled
def anneal(
    clusters: Clusters, k: int, active: NDArray[np.int64], steps: int, hot: float, cold: float
) -> float:
    """Try `steps` moves of the active records, cooling from `hot` to `cold`; return the SSE."""
    random, sizes = clusters.random, clusters.sizes
    candidates = clusters.neighbours.shape[1]
    temperature = hot
    block = 256
    cooling = (cold / hot) ** (block / max(steps, 1)) if hot > 0.0 else 1.0
    for step in range(steps):
        if step % block == 0 and step > 0:
            temperature *= cooling
        x = active[below(random, active.size)]
        # Drawing the bound first favours near neighbours, where most good moves are.
        rank = below(random, below(random, candidates) + 1)
        y = int(np.int64(clusters.neighbours[x, rank]))
        a, b = clusters.group[x], clusters.group[y]
        kind = uniform(random)
        if kind < DISSOLVE:
            dissolve_group(clusters, a, k, temperature)
            continue
        if kind < CREATE:
            create_group(clusters, x, k, temperature)
            continue
        if a == b:
            continue
        if kind < RESPLIT:
            resplit_pair(clusters, a, b, k, temperature)
        elif kind < RELOCATE and sizes[a] > k and sizes[b] < 2 * k - 1:
            delta = join_cost(clusters, x, b) - leave_gain(clusters, x)
            if accepts(random, delta, temperature):
                move_record(clusters, x, b)
        else:
            # x joins y, so the record that makes room is any other of y's group.
            place = below(random, sizes[b] - 1)
            if place >= clusters.slot[y]:
                place += 1
            z = clusters.members[b, place]
            if accepts(random, swap_delta(clusters, x, z), temperature):
                swap_records(clusters, x, z)
    return total_sse(clusters)
