"""Searches made ahead of time, on all cores, for records around which groups will soon form.

Records only ever leave the tree. So a list of the nearest records, or of the farthest, stays right:
those of it that are still there are the nearest of all that are still there, as long as enough of
them are. Who looks ahead in vain loses time but never gets another answer, so that groups do not
depend on how far ahead somebody looked, nor on how many threads did.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled, inner
from discreet.kernels.kdtree import NOBODY, Tree, for_thread, steps_from_record
from discreet.kernels.kdtree_leaves import before
from discreet.kernels.neighbours import farthest, nearest

Records = NDArray[np.int64]

PARTS = 2
"""Into how many parts the searches of a thread are divided, so that none waits long for others."""


class Ahead(NamedTuple):
    """Lists made ahead of time, the first on top; NOBODY where none was made."""

    row: Records  # (n,) where the lists of a record are, or -1
    near: Records  # (rows, K) the nearest other records
    far: Records  # (rows, F) the farthest


def nothing_ahead(n: int) -> Ahead:
    """Return the lists of n records none of which has one."""
    return Ahead(np.full(n, -1, np.int64), np.empty((0, 0), np.int64), np.empty((0, 0), np.int64))


class Shelf:
    """Room for lists, of which the oldest make way for new ones."""

    def __init__(self, n: int, rows: int, near: int, far: int) -> None:
        self.ahead = Ahead(
            np.full(n, -1, np.int64), np.full((rows, near), NOBODY), np.full((rows, far), NOBODY)
        )
        self._owners = np.full(rows, -1, np.int64)
        self._next = 0

    def admit(self, records: Records) -> Records:
        """Give empty lists to records that have none; return those that have one, not in vain."""
        ahead = self.ahead
        new = records[ahead.row[records] < 0]
        rows = (self._next + np.arange(len(new))) % len(self._owners)
        self._next = (self._next + len(new)) % len(self._owners)
        owners = self._owners[rows]
        ahead.row[owners[owners >= 0]] = -1
        self._owners[rows], ahead.row[new] = new, rows
        ahead.near[rows], ahead.far[rows] = NOBODY, NOBODY
        return records[ahead.row[records] >= 0]


class Crew:
    """Threads that search one tree at the same time, each with working space of its own."""

    def __init__(self, threads: int) -> None:
        self._count = threads
        self._pool = ThreadPoolExecutor(threads)
        self.each = self._pool.map
        self._tree: Tree | None = None
        self._trees: list[Tree] = []

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def search(self, tree: Tree, records: Records, work: Callable[[Tree, Records], None]) -> None:
        """Do the work for all records, divided among the threads."""
        if tree is not self._tree:
            self._tree, self._trees = tree, [for_thread(tree) for _ in range(self._count)]
        parts = min(PARTS * self._count, len(records))
        # every so-many-th, since searches that lie together take similarly long
        shares = [np.ascontiguousarray(records[part::parts]) for part in range(parts)]

        def do(share: Records) -> None:
            own = self._trees.pop()  # at most as many at a time as there are threads
            try:
                work(own, share)
            finally:
                self._trees.append(own)

        for _ in self._pool.map(do, shares):
            pass


@inner
def sort_list(keys: NDArray[np.float64], records: Records) -> None:
    """Put a list that a search returned in its order."""
    for m in range(1, len(keys)):
        key, record, at = keys[m], records[m], m
        while at > 0 and before(key, record, keys[at - 1], records[at - 1]):
            keys[at], records[at] = keys[at - 1], records[at - 1]
            at -= 1
        keys[at], records[at] = key, record


@compiled
def make_lists(
    tree: Tree, points: NDArray[np.float64], records: Records, ahead: Ahead, opposite: bool
) -> None:
    """Make the lists of some records, as far as they are not made yet.

    Those of the farthest only where it is asked for.
    """
    near_keys, far_keys = np.empty(ahead.near.shape[1]), np.empty(ahead.far.shape[1])
    for i in range(len(records)):
        record = records[i]
        near, far = ahead.near[ahead.row[record]], ahead.far[ahead.row[record]]
        if len(near) and near[0] == NOBODY:
            nearest(tree, points[record], near_keys, near, records[i : i + 1])
            sort_list(near_keys, near)
        if opposite and far[0] == NOBODY:
            steps_from_record(tree, points[record])
            farthest(tree, points[record], far_keys, far)
            sort_list(far_keys, far)


@compiled
def foresee_opposites(
    seeds: Records, ahead: Ahead, k: int, taken: NDArray[np.int64], stamp: int, records: Records
) -> int:
    """Fill `records` with those that will be farthest from the seeds; returns how many there are.

    As if groups formed around the seeds in turn: what they take has the stamp afterwards.
    """
    count = 0
    for seed in seeds:
        if taken[seed] == stamp:
            continue
        taken[seed] = stamp
        size = 1
        for record in ahead.near[ahead.row[seed]]:
            if size < k and taken[record] != stamp:
                taken[record] = stamp
                size += 1
        for record in ahead.far[ahead.row[seed]]:
            if record != NOBODY and taken[record] != stamp:
                taken[record] = stamp
                records[count] = record
                count += 1
                break
    return count
