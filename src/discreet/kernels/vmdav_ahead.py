"""What V-MDAV will look for around the next records, found ahead of time on all cores.

See `discreet.kernels.looking_ahead`: lists stay right while records leave.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled
from discreet.kernels.kdtree import NOBODY, Tree
from discreet.kernels.kdtree_leaves import before
from discreet.kernels.looking_ahead import Ahead, Crew, Records, Shelf, sort_list
from discreet.kernels.neighbours import nearest

AHEAD_FROM = 10_000
"""Records left from which on threads look ahead; fewer are grouped in no time."""
AHEAD = (16, 512)
"""Groups to look ahead, at least and at most."""
_TURNOVER = 75
"""One record in so many may leave with the groups ahead."""
_SPARE = 1
"""Nearest records that are listed beyond those of a group: another group may take one."""


class Outside(NamedTuple):
    """What is nearest to a group of the first k - 1 of a list, outside of it, for each list."""

    candidate: Records  # (rows,) the nearest to any member, NOBODY if not searched
    near: Records  # (rows, k + 1) the nearest to each member, and last to the candidate
    gaps: NDArray[np.float64]  # (rows, k + 1) their squared distances


def nothing_outside(rows: int, k: int) -> Outside:
    """Return room for so many lists."""
    return Outside(np.full(rows, NOBODY), np.full((rows, k + 1), NOBODY), np.empty((rows, k + 1)))


@compiled
def _list_nearest(tree: Tree, points: NDArray[np.float64], seeds: Records, ahead: Ahead) -> None:
    """List the nearest of seeds that have no list yet."""
    keys = np.empty(ahead.near.shape[1])
    for i in range(len(seeds)):
        near = ahead.near[ahead.row[seeds[i]]]
        if near[0] == NOBODY:
            nearest(tree, points[seeds[i]], keys, near, seeds[i : i + 1])
            sort_list(keys, near)


@compiled
def _look_outside(
    tree: Tree, points: NDArray[np.float64], seeds: Records, ahead: Ahead, outside: Outside, k: int
) -> None:
    """Find what is nearest to the group of each seed, and to the first that may join it."""
    group = np.empty(k + 1, np.int64)
    for seed in seeds:
        row = ahead.row[seed]
        near, gaps = outside.near[row], outside.gaps[row]
        group[0] = seed
        for m in range(1, k):
            group[m] = ahead.near[row, m - 1]
        best = 0
        for m in range(k):
            nearest(tree, points[group[m]], gaps[m : m + 1], near[m : m + 1], group[:k])
            if before(gaps[m], near[m], gaps[best], near[best]):
                best = m
        group[k] = near[best]
        nearest(tree, points[group[k]], gaps[k:], near[k:], group)
        outside.candidate[row] = group[k]


@compiled
def _foresee(
    seeds: Records, ahead: Ahead, k: int, taken: NDArray[np.int64], stamp: int, records: Records
) -> int:
    """Fill `records` with the seeds that no group of an earlier one takes; returns their number."""
    count = 0
    for seed in seeds:
        if taken[seed] == stamp:
            continue
        records[count] = seed
        count += 1
        for m in range(k - 1):
            taken[ahead.near[ahead.row[seed], m]] = stamp
    return count


class Lookout:
    """Looks ahead to the next groups, with some threads."""

    def __init__(self, points: NDArray[np.float64], k: int, grows: bool, crew: Crew) -> None:
        self._points, self._k, self._grows, self._crew = points, k, grows, crew
        rows = 3 * AHEAD[1]
        self._shelf = Shelf(len(points), rows, k - 1 + _SPARE, 0)
        self.ahead, self.outside = self._shelf.ahead, nothing_outside(rows, k)
        self._taken, self._looks = np.zeros(len(points), np.int64), 0

    def look(self, tree: Tree, order: Records, at: int, labels: Records, left: int) -> None:
        """Make lists for the next records of an order, from a place on, that have no label."""
        count = max(AHEAD[0], min(AHEAD[1], left // (_TURNOVER * self._k)))
        some = order[at : at + 4 * count]
        seeds = some[labels[some] < 0][:count]
        points, ahead, outside, k = self._points, self.ahead, self.outside, self._k
        new = seeds[ahead.row[seeds] < 0]
        seeds = self._shelf.admit(seeds)
        outside.candidate[ahead.row[new]] = NOBODY
        self._crew.search(tree, seeds, lambda own, part: _list_nearest(own, points, part, ahead))
        if self._grows:
            self._looks += 1
            alone = np.empty(len(seeds), np.int64)
            count = _foresee(seeds, ahead, k, self._taken, self._looks, alone)
            alone = alone[:count]
            alone = alone[outside.candidate[ahead.row[alone]] == NOBODY]
            self._crew.search(
                tree,
                alone,
                lambda own, part: _look_outside(own, points, part, ahead, outside, k),
            )
