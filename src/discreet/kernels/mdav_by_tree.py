"""MDAV on a tree of boxes: for all but small tables. See `discreet.kernels.mdav`."""

from __future__ import annotations

import time

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels.carried_sums import add
from discreet.kernels.compiling import compiled
from discreet.kernels.kdtree import Tree, build, remove, steps_from_average, steps_from_record
from discreet.kernels.neighbours import farthest, nearest
from discreet.kernels.stretches import SECONDS, Advance, next_pace

_FIRST_STRETCH = 500
"""Records of the first stretch, which is a guess."""

# The tree is rebuilt when this share of its records is left: near-empty leaves waste time.
_WORN = 0.5


@compiled
def _add_all(
    sums: NDArray[np.float64], slips: NDArray[np.float64], points: NDArray[np.float64]
) -> None:
    for record in range(len(points)):
        add(sums, slips, points, record, 1.0)


@njit(inline="always")
def _take_group(
    tree: Tree,
    points: NDArray[np.float64],
    seed: int,
    sums: NDArray[np.float64],
    slips: NDArray[np.float64],
    keys: NDArray[np.float64],
    group: NDArray[np.int64],
    labels: NDArray[np.int64],
    label: int,
) -> None:
    """Label `seed` and its nearest, and take them out of the tree and of the sums."""
    group[0] = seed
    for m in range(len(group)):
        if m == 1:  # the seed has left, whatever its ties
            nearest(tree, points[seed], keys, group[1:])
        remove(tree, points, group[m])
    for m in range(1, len(group)):  # the compiler's own sort takes two seconds to compile
        record, at = group[m], m
        while at > 0 and group[at - 1] > record:
            group[at] = group[at - 1]
            at -= 1
        group[at] = record
    for record in group:
        labels[record] = label
        add(sums, slips, points, record, -1.0)


@compiled
def _form_groups(
    tree: Tree,
    points: NDArray[np.float64],
    k: int,
    sums: NDArray[np.float64],
    slips: NDArray[np.float64],
    labels: NDArray[np.int64],
    left: int,
    label: int,
    stop: int,
) -> tuple[int, int]:
    """Steps 1-4 until fewer than `stop` records are left, and the first group of step 5."""
    keys, group, centre = np.empty(k - 1), np.empty(k, np.int64), np.zeros(points.shape[1])
    nominal = len(centre) > len(sums)
    while left >= max(stop, 2 * k):
        for j in range(len(sums)):
            centre[j] = (sums[j] + slips[j]) / left
        if nominal:
            steps_from_average(tree, tree.steps)
        pair = left >= 3 * k
        for _ in range(2 if pair else 1):
            seed = farthest(tree, centre)
            _take_group(tree, points, seed, sums, slips, keys, group, labels, label)
            left -= k
            label += 1
            for j in range(len(centre)):
                centre[j] = points[seed, j]
            if nominal:
                steps_from_record(tree, points[seed])
        if not pair:
            break
    return left, label


def labels_by_tree(
    points: NDArray[np.float64],
    k: int,
    advance: Advance | None = None,
    nominal: int = 0,
) -> NDArray[np.int64]:
    """Return what `discreet.kernels.mdav.mdav_labels` does, of a table with columns and in range.

    >>> labels_by_tree(np.array([[18.0], [19.0], [45.0], [46.0]]), 2)
    array([0, 0, 1, 1])
    """
    n, numeric = len(points), points.shape[1] - nominal
    labels = np.full(n, -1, np.int64)
    sums, slips = np.zeros(numeric), np.zeros(numeric)
    _add_all(sums, slips, points)
    left, label, worn, pace = n, 0, n, _FIRST_STRETCH
    reported, clock = 0, time.perf_counter()
    while left >= 2 * k:
        if left <= worn:
            pivot = np.append((sums + slips) / left, np.zeros(nominal))
            tree = build(points, np.flatnonzero(labels < 0), pivot, nominal)
            worn = int(_WORN * left)
        start, before = time.perf_counter(), left
        stop = max(left - pace, worn)
        left, label = _form_groups(tree, points, k, sums, slips, labels, left, label, stop)
        pace = max(2 * k, int(next_pace(pace, start)))
        now = time.perf_counter()
        if advance is not None and now - clock >= SECONDS:
            advance(n - left - reported)
            reported, clock = n - left, now
        if before < 3 * k:
            break
    labels[labels < 0] = label
    if advance is not None and n > reported:
        advance(n - reported)
    return labels
