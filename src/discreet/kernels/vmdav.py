"""V-MDAV: MDAV with groups whose size follows the data, exact and deterministic.

Solanas and Martínez-Ballesté (2006), V-MDAV: a multivariate microaggregation with variable group
size; outlined in Sun et al. (2012), §2.2.
"""

from __future__ import annotations

import math
import time
from contextlib import AbstractContextManager, ExitStack, nullcontext

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.apart import call
from discreet.kernels.compiling import compiled, in_place, inner
from discreet.kernels.cores import Each
from discreet.kernels.kdtree import NOBODY, Tree, build, remove
from discreet.kernels.kdtree_leaves import before
from discreet.kernels.looking_ahead import Crew, left_of, threads_for
from discreet.kernels.magnitude import in_range
from discreet.kernels.neighbours import searchable
from discreet.kernels.stretches import SECONDS, Advance, next_pace
from discreet.kernels.vmdav_ahead import (
    Ahead,
    callable_lists,
    closest_member,
    look_ahead_to,
    make_lists,
    nearest_listed,
    outside_is_listed,
)

_FIRST_STRETCH = 500
"""Records in the first stretch, a guess."""
_WORN = 0.5
"""The tree is rebuilt when this share of its records is left."""
AHEAD_FROM = 4_000
"""Threads look ahead while at least this many records are left; fewer are grouped in no time."""
QUEUED = 4_096
"""To how many of the records farthest from the centroid threads look ahead at a time."""
WINDOW = 16
"""For how many of the next of these each thread makes lists."""


@inner
def _find_nearest(
    tree: Tree,
    points: NDArray[np.float64],
    record: int,
    keys: NDArray[np.float64],
    closest: NDArray[np.int64],
) -> None:
    call(tree.nearest, tree, points[record], keys, closest, closest[:0])


@in_place
def _nearest_other(
    tree: Tree,
    points: NDArray[np.float64],
    record: int,
    left: int,
    keys: NDArray[np.float64],
    closest: NDArray[np.int64],
) -> tuple[float, int]:
    """Squared distance and index of the remaining record nearest to another that remains."""
    if left < 2:
        return np.inf, -1
    _find_nearest(tree, points, record, keys, closest)
    # Among many duplicates the record itself may not be one of the two: both are at distance 0.
    first = 0 if before(keys[0], closest[0], keys[1], closest[1]) else 1
    if closest[first] == record:
        first = 1 - first
    return keys[first], closest[first]


@compiled
def _form_groups(
    tree: Tree,
    points: NDArray[np.float64],
    k: int,
    gain: float,
    order: NDArray[np.int64],
    at: int,
    ahead: Ahead,
    labels: NDArray[np.int64],
    left: int,
    label: int,
    stop: int,
) -> tuple[int, int, int]:
    """Form groups until fewer than `stop` records, or than k, are left.

    `order` has the records by their distance from the centroid, farthest first; those before `at`
    have their groups; `gain` is γ². If some of them, from `at` on, are queued, this goes only as
    far as the queue.
    """
    keys, closest = np.empty(k - 1), np.empty(k - 1, np.int64)
    nearest_key, nearest_record = np.empty(1), np.empty(1, np.int64)
    pair_keys, pair = np.empty(2), np.empty(2, np.int64)
    members, near, gaps = np.empty(2 * k, np.int64), np.empty(2 * k, np.int64), np.empty(2 * k)
    start, queued = at, len(ahead.queue)
    while left >= max(stop, k):
        while labels[order[at]] >= 0:
            at += 1
        if queued and at - start >= queued:
            break
        members[0] = order[at]
        are_listed = False
        if queued:
            ahead.reached[0] = at - start
            call(ahead.make_lists, tree, points, labels, ahead, at - start)
            are_listed = nearest_listed(ahead, at - start, labels, members[1:k])
        remove(tree, points, members[0])
        labels[members[0]] = label
        if not are_listed:
            _find_nearest(tree, points, members[0], keys, closest)
            for m in range(k - 1):
                members[m + 1] = closest[m]
        for m in range(1, k):
            remove(tree, points, members[m])
            labels[members[m]] = label
        left -= k
        size = k
        foreseen, first = False, NOBODY  # the nearest to the group, and the next to join it
        if are_listed and gain > 0.0:
            call(ahead.make_lists, tree, points, labels, ahead, queued + at - start)
            foreseen = outside_is_listed(ahead, at - start, members[:k])
            listed = closest_member(ahead.gaps[at - start], ahead.outside[at - start], k)
            first = ahead.outside[at - start, listed]
        if gain > 0.0 and left > 0:
            for m in range(size):
                if foreseen and left_of(ahead.outside[at - start, m : m + 1], labels):
                    gaps[m], near[m] = ahead.gaps[at - start, m], ahead.outside[at - start, m]
                else:
                    _find_nearest(tree, points, members[m], nearest_key, nearest_record)
                    gaps[m], near[m] = nearest_key[0], nearest_record[0]
        while gain > 0.0 and left > 0 and size < 2 * k - 1:
            best = closest_member(gaps, near, size)
            inside, candidate = gaps[best], near[best]
            if foreseen and candidate == first and left_of(ahead.outside[at - start, k:], labels):
                around, other = ahead.gaps[at - start, k], ahead.outside[at - start, k]
            else:
                around, other = _nearest_other(tree, points, candidate, left, pair_keys, pair)
            # d_in < γ d_out: the candidate is much closer to the group than to the remaining
            # records.
            if not inside < gain * around:
                break
            members[size], gaps[size], near[size] = candidate, around, other
            remove(tree, points, candidate)
            labels[candidate] = label
            left -= 1
            size += 1
            for m in range(size - 1):
                if near[m] == candidate and left > 0:
                    _find_nearest(tree, points, members[m], nearest_key, nearest_record)
                    gaps[m], near[m] = nearest_key[0], nearest_record[0]
        label += 1
    return left, label, at


def _squared_distances(
    points: NDArray[np.float64], centre: NDArray[np.float64]
) -> NDArray[np.float64]:
    total = np.zeros(len(points))
    for j in range(points.shape[1]):
        total += (points[:, j] - centre[j]) ** 2
    return total


def _steps_to_average(codes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Squared distance of each record to the average of all in one nominal column."""
    counts, n = np.bincount(codes), max(len(codes), 1)
    # whole numbers as long as possible: equally frequent categories stay tied
    steps: NDArray[np.float64] = 0.5 * (((counts**2).sum() / n - 2 * counts) / n + 1.0)
    return steps[codes]


def _steps_to_groups(
    codes: NDArray[np.int64], code: int, labels: NDArray[np.int64], sizes: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Squared distance of a code to the average of each group in one nominal column."""
    pairs, counts = np.unique(labels * (codes.max() + 1) + codes, return_counts=True)
    squares = np.bincount(pairs // (codes.max() + 1), counts**2, len(sizes))
    same_code = np.bincount(labels[codes == code], minlength=len(sizes))
    steps: NDArray[np.float64] = 0.5 * ((squares / sizes - 2 * same_code) / sizes + 1.0)
    return steps


def _join_nearest(
    points: NDArray[np.float64], labels: NDArray[np.int64], count: int, nominal: int
) -> None:
    """Put the remaining records, fewer than k, into the groups with the nearest centroid."""
    rest = np.flatnonzero(labels < 0)
    if count == 0:
        labels[:] = 0
        return
    grouped = np.flatnonzero(labels >= 0)
    groups, sizes = labels[grouped], np.bincount(labels[grouped], minlength=count)
    numeric = points.shape[1] - nominal
    centroids = np.empty((count, numeric))
    for j in range(numeric):
        centroids[:, j] = np.bincount(groups, points[grouped, j], count) / sizes
    for record in rest:
        distances = _squared_distances(centroids, points[record])
        for column in points[:, numeric:].T:
            codes = column[grouped].astype(np.int64)
            distances += _steps_to_groups(codes, int(column[record]), groups, sizes)
        labels[record] = np.argmin(distances)  # among equals the group formed first


def vmdav_labels(
    points: NDArray[np.float64],
    k: int,
    gamma: float = 0.2,
    advance: Advance | None = None,
    nominal: int = 0,
    threads: int | None = None,
) -> NDArray[np.int64]:
    """Group records by V-MDAV.

    The centroid of all records is taken once. While k records or more are left, the one farthest
    from it and the k - 1 nearest to that one form a group, which then grows up to 2k - 1 records:
    of the records left, the one closest to any member (at distance d_in) joins while
    d_in < γ d_out, with d_out its distance to the nearest of the others left. The last fewer than
    k records join the group with the nearest centroid; there a group may exceed 2k - 1.

    Distances are Euclidean on the columns as they are given: standardise them first. A nominal
    column counts as in MDAV. Ties go to the lowest index, so that the labels depend on the data
    alone.

    Parameters
    ----------
    points
        Records by columns, finite; codes from 0 in nominal columns.
    k
        Least size of a group; with fewer than k records there is one group.
    gamma
        The gain factor γ: 0 for groups of k only.
    advance
        Called between stretches of work, a few times a second at most, with the number of
        records grouped since the last call. What it raises stops the run.
    nominal
        How many of the columns, the last ones, are nominal.
    threads
        How many threads look ahead in large tables, by default as many as there are cores; the
        labels are the same.

    Returns
    -------
    The group of each record, numbered from 0 in the order in which groups are formed.

    Examples
    --------
    >>> import numpy as np
    >>> ages = np.array([[18.0], [19.0], [20.0], [45.0], [46.0], [90.0], [91.0]])
    >>> vmdav_labels(ages, k=2, gamma=1.1)
    array([1, 1, 1, 2, 2, 0, 0])
    >>> vmdav_labels(ages, k=2, gamma=0.0)
    array([1, 1, 2, 2, 2, 0, 0])
    """
    if k < 1:
        raise ValueError(f"V-MDAV needs groups of at least one record, but k is {k}")
    if not gamma >= 0:
        raise ValueError(f"the gain factor of V-MDAV cannot be negative, but gamma is {gamma}")
    # writeable only because the kernels are compiled for one type of array
    points, _ = in_range(np.require(points, np.float64, ["C", "A", "W"]), "V-MDAV", nominal)
    if points.shape[1] == 0:
        points = np.zeros((len(points), 1))
    n, numeric = len(points), points.shape[1] - nominal
    labels = np.full(n, -1, np.int64)
    # correctly rounded sums: the centroid does not depend on the order of the records
    centre = np.array([math.fsum(column.tolist()) / max(n, 1) for column in points.T])
    distances = _squared_distances(points[:, :numeric], centre)
    for column in points[:, numeric:].T:
        distances += _steps_to_average(column.astype(np.int64))
    order = np.argsort(-distances, kind="stable")
    nothing = look_ahead_to(order[:0], k, 0, False)
    left, label, at, worn, pace = n, 0, 0, n, _FIRST_STRETCH
    reported, clock = 0, time.perf_counter()
    threads = threads_for(n, make_lists) if threads is None else threads
    with ExitStack() as stack:
        crew: Crew | None = None
        each: Each = map
        if threads > 1 and n >= AHEAD_FROM:
            crew = stack.enter_context(Crew(threads))
            each = crew.each
        while left >= k:
            if left <= worn:
                tree = build(points, np.flatnonzero(labels < 0), centre, nominal, each)
                tree = searchable(tree, farthest_too=False)
                order, at = order[labels[order] < 0], 0
                worn = int(_WORN * left)
            start = time.perf_counter()
            stop = max(left - pace, worn)
            ahead = nothing
            helped: AbstractContextManager[None] = nullcontext()
            if crew is not None and left >= max(AHEAD_FROM, 4 * k):
                while labels[order[at]] >= 0:
                    at += 1
                ahead = look_ahead_to(order[at : at + QUEUED], k, WINDOW * threads, gamma > 0)
                ahead = callable_lists(ahead, tree)
                helped = crew.looking_ahead(make_lists, tree, points, labels, ahead)
            with helped:
                left, label, at = _form_groups(
                    tree, points, k, gamma * gamma, order, at, ahead, labels, left, label, stop
                )
            pace = max(2 * k, int(min(n, next_pace(pace, start))))
            now = time.perf_counter()
            if advance is not None and now - clock >= SECONDS:
                advance(n - left - reported)
                reported, clock = n - left, now
    _join_nearest(points, labels, label, nominal)
    if advance is not None and n > reported:
        advance(n - reported)
    return labels
