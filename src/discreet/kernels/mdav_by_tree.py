"""MDAV on a tree of boxes: for all but small tables. See `discreet.kernels.mdav`."""

from __future__ import annotations

import time
from contextlib import ExitStack

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels.carried_sums import add
from discreet.kernels.compiling import compiled, inner
from discreet.kernels.cores import cores
from discreet.kernels.kdtree import (
    NOBODY,
    Tree,
    build,
    remove,
    steps_from_average,
    steps_from_record,
)
from discreet.kernels.kdtree_leaves import Each
from discreet.kernels.looking_ahead import (
    Ahead,
    Crew,
    Records,
    Shelf,
    foresee_opposites,
    make_lists,
    nothing_ahead,
)
from discreet.kernels.mdav_front import Front, farthest_listed, list_front, no_front
from discreet.kernels.neighbours import farthest, nearest
from discreet.kernels.stretches import SECONDS, Advance, next_pace

_FIRST_STRETCH = 500
"""Records of the first stretch, which is a guess."""

# The tree is rebuilt when this share of its records is left: near-empty leaves waste time.
_WORN = 0.5


LISTED = 64
"""How many of the records farthest from the average are listed at a time."""
_WORTH, _WAIT = 16, 1024
"""A list that serves fewer pairs of groups is not worth making; how many wait for the next then."""
AHEAD_FROM = 10_000
"""Records left from which on threads look ahead; fewer are grouped in no time."""
AHEAD = (16, 256)
"""Pairs of groups to look ahead, at least and at most."""
_TURNOVER = 75
"""One record in so many may leave for the first, or the second, groups of the pairs ahead."""
_SPARE = 1
"""Nearest records that are listed beyond those of a group: another group may take one."""
_OPPOSITES = 2
"""Farthest records that are listed: another group will often take the first."""


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
    ahead: Ahead,
    keys: NDArray[np.float64],
    group: NDArray[np.int64],
    labels: NDArray[np.int64],
    label: int,
) -> None:
    """Label `seed` and its nearest, and take them out of the tree and of the sums."""
    group[0], size = seed, 1
    remove(tree, points, seed)  # it has left, whatever its ties
    if ahead.row[seed] >= 0:
        for record in ahead.near[ahead.row[seed]]:
            if size < len(group) and labels[record] < 0:
                group[size] = record
                size += 1
    if size < len(group):
        nearest(tree, points[seed], keys, group[1:], group[:0])
    for m in range(1, len(group)):
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


@inner
def _listed_opposite(ahead: Ahead, seed: int, labels: NDArray[np.int64]) -> int:
    """The record left that is farthest from a seed, if its list says so, else NOBODY."""
    if ahead.row[seed] >= 0:
        for record in ahead.far[ahead.row[seed]]:
            if record != NOBODY and labels[record] < 0:
                return int(record)
    return NOBODY


@compiled
def form_groups(
    tree: Tree,
    points: NDArray[np.float64],
    k: int,
    sums: NDArray[np.float64],
    slips: NDArray[np.float64],
    ahead: Ahead,
    front: Front,
    labels: NDArray[np.int64],
    left: int,
    label: int,
    stop: int,
    listed: bool,
) -> tuple[int, int]:
    """Steps 1-4 until fewer than `stop` records are left, and the first group of step 5.

    Only as long as `front` can say which record is farthest from the average, if it lists any; and
    if they are to be `listed`, as long as these records have their lists.
    """
    far_keys, far = np.empty(1), np.empty(1, np.int64)
    keys, group, centre = np.empty(k - 1), np.empty(k, np.int64), np.zeros(points.shape[1])
    nominal = len(centre) > len(sums)
    while left >= max(stop, 2 * k):
        for j in range(len(sums)):
            centre[j] = (sums[j] + slips[j]) / left
        if nominal:
            steps_from_average(tree, tree.steps)
        if len(front.records):
            seed = farthest_listed(front, points, labels, centre)
        else:
            farthest(tree, centre, far_keys, far)
            seed = far[0]
        if seed == NOBODY or (listed and ahead.row[seed] < 0):
            break
        pair = left >= 3 * k
        for turn in range(2 if pair else 1):
            if turn == 1:
                opposite = _listed_opposite(ahead, seed, labels)
                if opposite == NOBODY:
                    if nominal:
                        steps_from_record(tree, points[seed])
                    farthest(tree, points[seed], far_keys, far)
                    opposite = far[0]
                seed = opposite
            _take_group(tree, points, seed, sums, slips, ahead, keys, group, labels, label)
            left -= k
            label += 1
        if not pair:
            break
    return left, label


def _pairs_ahead(left: int, k: int) -> int:
    return max(AHEAD[0], min(AHEAD[1], left // (_TURNOVER * k)))


class _Lookout:
    """Looks ahead to the next groups, with some threads."""

    def __init__(self, points: NDArray[np.float64], k: int, crew: Crew) -> None:
        self._points, self._k, self._crew = points, k, crew
        # room for the lists of three times as many groups as are looked at
        self._shelf = Shelf(len(points), 6 * AHEAD[1], k - 1 + _SPARE, _OPPOSITES)
        self.ahead = self._shelf.ahead
        self._taken, self._looks = np.zeros(len(points), np.int64), 0

    def look(self, tree: Tree, seeds: Records) -> None:
        """Make lists for some records, in order, and for those that are farthest from them."""
        seeds = self._shelf.admit(seeds)
        self._make_lists(tree, seeds, True)
        self._looks += 1
        opposites = np.empty(len(seeds), np.int64)
        count = foresee_opposites(seeds, self.ahead, self._k, self._taken, self._looks, opposites)
        self._make_lists(tree, self._shelf.admit(opposites[:count]), False)

    def _make_lists(self, tree: Tree, records: Records, opposite: bool) -> None:
        points, ahead = self._points, self.ahead
        self._crew.search(
            tree, records, lambda own, part: make_lists(own, points, part, ahead, opposite)
        )


def labels_by_tree(
    points: NDArray[np.float64],
    k: int,
    advance: Advance | None = None,
    nominal: int = 0,
    threads: int | None = None,
) -> NDArray[np.int64]:
    """Return what `discreet.kernels.mdav.mdav_labels` does, of a table with columns and in range.

    With several `threads`, by default as many as there are cores, most searches in a large
    table are made ahead of time; the labels are the same.

    >>> labels_by_tree(np.array([[18.0], [19.0], [45.0], [46.0]]), 2)
    array([0, 0, 1, 1])
    """
    n, numeric = len(points), points.shape[1] - nominal
    labels = np.full(n, -1, np.int64)
    sums, slips = np.zeros(numeric), np.zeros(numeric)
    _add_all(sums, slips, points)
    ahead = nothing_ahead(n)
    left, label, worn, pace, plain, wait = n, 0, n, _FIRST_STRETCH, 0, 1
    reported, clock = 0, time.perf_counter()
    threads = cores() if threads is None else threads
    with ExitStack() as stack:
        lookout: _Lookout | None = None
        each: Each = map
        if threads > 1 and n >= AHEAD_FROM:
            crew = stack.enter_context(Crew(threads))
            lookout, each = _Lookout(points, k, crew), crew.each
            ahead = lookout.ahead
        while left >= 2 * k:
            centre = np.append((sums + slips) / left, np.zeros(nominal))
            if left <= worn:
                tree = build(points, np.flatnonzero(labels < 0), centre, nominal, each)
                worn = int(_WORN * left)
            start, before = time.perf_counter(), left
            looks = lookout is not None and left >= max(AHEAD_FROM, 4 * k)
            pairs = _pairs_ahead(left, k) if looks else LISTED
            lists = plain == 0 and left >= max(4 * k, 4 * pairs) and (looks or not nominal)
            front = no_front()
            if lists:
                steps_from_average(tree, tree.steps)
                front = list_front(tree, centre, pairs)
                if lookout is not None and looks:
                    lookout.look(tree, front.records)
                # codes have shares for an average, which move too
                front = no_front() if nominal else front
            stop = max(left - (2 * k * plain if plain else pace), worn)
            listed = lists and looks
            left, label = form_groups(
                tree, points, k, sums, slips, ahead, front, labels, left, label, stop, listed
            )
            plain = 0
            if lists:
                # a list that soon fails to serve, as among ties, is not soon made again
                soon = left >= max(stop, 2 * k) and before - left < 2 * k * _WORTH
                wait = min(4 * wait, _WAIT) if soon else 1
                plain = wait if soon else 0
            pace = max(2 * k, int(min(n, next_pace(pace, start))))
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
