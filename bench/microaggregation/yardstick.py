"""The yardstick of `discreet.kernels.mdav`: MDAV as a plain compiled loop, one thread.

Three scans of the remaining records for each pair of groups (the record farthest from the
average; the neighbours of that record, and the record farthest from it; the neighbours of
the latter), over a compact array of the active indices, with a small heap for the nearest.
Nothing is pruned. Labels must be those of the fast kernel, including ties.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Points = NDArray[np.float64]
Places = NDArray[np.int64]


@njit(cache=True, inline="always")
def _squared_distance(points: Points, i: int, centre: Points) -> float:
    total = 0.0
    for j in range(points.shape[1]):
        gap = points[i, j] - centre[j]
        total += gap * gap
    return total


@njit(cache=True)
def _add(sums: Points, slips: Points, points: Points, i: int, sign: float) -> None:
    """Add or remove one record in running sums that carry their rounding error."""
    for j in range(points.shape[1]):
        value = sign * points[i, j]
        total = sums[j] + value
        if abs(sums[j]) >= abs(value):
            slips[j] += (sums[j] - total) + value
        else:
            slips[j] += (value - total) + sums[j]
        sums[j] = total


@njit(cache=True)
def _farthest(points: Points, active: Places, left: int, centre: Points) -> int:
    """Position of the active record farthest from `centre`; the lowest index among ties."""
    best, where = -1.0, 0
    for a in range(left):
        distance = _squared_distance(points, active[a], centre)
        if distance > best:
            best, where = distance, a
    return where


@njit(cache=True)
def _sift(keys: Points, places: Places, size: int) -> None:
    """Restore the heap, largest (key, place) on top, after its top was replaced."""
    parent = 0
    while True:
        child = 2 * parent + 1
        if child >= size:
            return
        other = child + 1
        if other < size and (
            keys[other] > keys[child]
            or (keys[other] == keys[child] and places[other] > places[child])
        ):
            child = other
        if keys[parent] > keys[child] or (
            keys[parent] == keys[child] and places[parent] > places[child]
        ):
            return
        keys[parent], keys[child] = keys[child], keys[parent]
        places[parent], places[child] = places[child], places[parent]
        parent = child


@njit(cache=True)
def _take_group(
    points: Points,
    active: Places,
    left: int,
    seed: int,
    k: int,
    labels: Places,
    label: int,
    sums: Points,
    slips: Points,
    keys: Points,
    places: Places,
) -> tuple[int, int]:
    """Label the record at position `seed` and its k - 1 nearest.

    Returns the number of records left and the record farthest from the seed among them.
    """
    centre = points[active[seed]]
    size = k - 1
    keys[:] = np.inf
    places[:] = points.shape[0]
    best, farthest = -1.0, -1
    for a in range(left):
        if a == seed:
            continue
        distance = _squared_distance(points, active[a], centre)
        # places are met in ascending order, so that an equal distance never displaces
        if size > 0 and distance < keys[0]:
            keys[0], places[0] = distance, a
            _sift(keys, places, size)
        if distance > best:
            best, farthest = distance, active[a]
    labels[active[seed]] = label
    for m in range(size):
        labels[active[places[m]]] = label
    kept = 0
    for a in range(left):
        if labels[active[a]] < 0:
            active[kept] = active[a]
            kept += 1
        else:
            _add(sums, slips, points, active[a], -1.0)
    if labels[farthest] >= 0 and kept > 0:
        # every remaining record ties with one that the group took
        farthest = active[_farthest(points, active, kept, centre)]
    return kept, farthest


@njit(cache=True)
def _run(points: Points, k: int, labels: Places) -> None:
    n, d = points.shape
    active = np.arange(n)
    sums, slips = np.zeros(d), np.zeros(d)
    keys, places = np.empty(max(k - 1, 1)), np.empty(max(k - 1, 1), np.int64)
    for i in range(n):
        _add(sums, slips, points, i, 1.0)
    left, label = n, 0
    while left >= 2 * k:
        pair = left >= 3 * k
        seed = _farthest(points, active, left, (sums + slips) / left)
        left, farthest = _take_group(
            points, active, left, seed, k, labels, label, sums, slips, keys, places
        )
        label += 1
        if not pair:
            break
        seed = int(np.searchsorted(active[:left], farthest))
        left, _ = _take_group(
            points, active, left, seed, k, labels, label, sums, slips, keys, places
        )
        label += 1
    for a in range(left):
        labels[active[a]] = label


def mdav_labels(points: Points, k: int) -> Places:
    """Groups of the records by MDAV, in the order in which they are formed."""
    labels = np.full(len(points), -1, np.int64)
    _run(np.ascontiguousarray(points, dtype=np.float64), k, labels)
    return labels
