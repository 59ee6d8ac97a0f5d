"""Nearest neighbours without an n × n matrix: the basis of record linkage.

Linkage needs less than a search for the nearest original: only whether enough originals are nearer
than a record's own, and how many are as near. Both ways of counting stop as soon as this is known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.kernels.cores import for_all, on_all_cores
from discreet.measures.linkage.sets import Boxes, Codes, CodeSets
from discreet.microdata import Numbers
from discreet.microdata.equivalence import first_and_times, numbered

if TYPE_CHECKING:
    from discreet.kernels.kdtree import Tree

TREE_DIMENSIONS = 64
"""Above this the boxes of a tree exclude little, and comparing all takes less memory."""
FEW_PAIRS = 2e7
"""Up to this many pairs, comparing them all is quick, and takes less compiling than a tree."""
BOX = 16
"""Originals in a box of the tree."""
BLOCK = 2_000
PIECE = 16_384
"""Released records whose distances to their own originals are measured at once."""
TIE = 1e-9
"""Distances that differ by less than this share are treated as equal: the mean of two records is
equally far from both, whatever the last bit says."""

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Counts:
    """For each released record, how many originals are nearer than its own, and how many as near.

    Those that are as near include its own. The first number stops at the number of candidates asked
    for. `visits` counts the boxes of a tree that were visited, a measure of the work.
    """

    nearer: NDArray[np.integer]
    as_near: NDArray[np.integer]
    visits: int = 0

    def chances(self, m: int) -> Numbers:
        """Return the chance that the record's own original is among the m nearest.

        An intruder who finds several originals at the same distance picks among them at random:
        with `a` originals strictly nearer than the record's own and `t` as near, its own is
        among the first m with probability min(max(m − a, 0), t) / t.

        >>> Counts(np.array([0, 1]), np.array([2, 1])).chances(1)
        array([0.5, 0. ])
        """
        return np.asarray(np.clip(m - self.nearer, 0, self.as_near) / np.maximum(self.as_near, 1))

    def small(self) -> Counts:
        """Return the counts in half the memory, for keeping."""
        return Counts(self.nearer.astype(np.int32), self.as_near.astype(np.int32), self.visits)

    def take(self, rows: Rows) -> Counts:
        """Return the counts of some records."""
        return Counts(self.nearer[rows], self.as_near[rows], self.visits)


class Originals:
    """The originals, arranged so that those near to a released record are found soon.

    `codes` are nominal columns, each of which adds 1 to a squared distance where it differs, so a
    column of a thousand categories is still one column. An original counts as often as `times`
    says.
    """

    def __init__(
        self, points: Numbers, codes: Codes | None = None, times: Rows | None = None
    ) -> None:
        self.points = points
        self.codes = np.zeros((len(points), 0), np.int32) if codes is None else codes
        self.times = np.ones(len(points), dtype=np.int64) if times is None else times

    @property
    def in_tree(self) -> bool:
        """Whether there are few enough columns for a tree."""
        return bool(self.points.shape[1] + self.codes.shape[1] <= TREE_DIMENSIONS)

    def nearer(
        self,
        boxes: Boxes,
        sets: CodeSets | None,
        owners: Rows,
        m: int,
        context: Context,
        alike: Rows | None = None,
    ) -> Counts:
        """Count for each released record, up to m of the nearer originals; `own` is its own.

        `alike` numbers the released records so that equal ones have one number.
        """
        if sets is None:
            sets = CodeSets.single(np.zeros((len(boxes), 0), np.int32))
        squared = self._squared_to_own(boxes, sets, owners)
        rows, stands_for = _once(squared, owners, alike)
        if len(rows) == len(owners):
            rows = stands_for = np.arange(len(owners))
        limits = self._around(np.sqrt(squared[rows]))
        # What is no longer needed would be kept in memory along with the tree.
        del squared
        if self.in_tree and len(rows) * len(self.points) > FEW_PAIRS:
            counts = self._by_tree(boxes, sets, rows, owners[rows], *limits, m, context)
        else:
            counts = self._by_comparison(boxes.take(rows), sets.take(rows), *limits, m, context)
        return counts.take(stands_for)

    def _squared_to_own(self, boxes: Boxes, sets: CodeSets, owners: Rows) -> Numbers:
        squared = np.empty(len(boxes))

        def measure(start: int) -> None:
            part = slice(start, start + PIECE)
            points, codes = self.points[owners[part]], self.codes[owners[part]]
            squared[part] = boxes.take(part).squared_to(points)
            squared[part] += sets.take(part).refuse(codes)

        with on_all_cores(len(boxes) > PIECE) as each:
            for_all(each, measure, range(0, len(boxes), PIECE))
        return squared

    def _around(self, distance: Numbers) -> tuple[Numbers, Numbers]:
        """Return the squared distances between which an original is as near as one at a distance.

        A distance is no more exact than the coordinates from which it is computed.
        """
        slack = TIE * distance + 8 * np.finfo(np.float64).eps * self._largest
        return np.maximum(distance - slack, 0) ** 2, (distance + slack) ** 2

    @cached_property
    def _largest(self) -> float:
        return float(max(self.points.max(initial=0), -self.points.min(initial=0)))

    @cached_property
    def _tree(self) -> Tree:
        from discreet.kernels.kdtree import build

        # The code of a missing value is −1, and those of the tree begin at 0.
        points = np.hstack([self.points, self.codes + 1])
        everyone, middle = np.arange(len(points)), points.mean(axis=0)
        with on_all_cores(len(points) > PIECE) as each:
            return build(points, everyone, middle, self.codes.shape[1], each)

    def _by_tree(
        self,
        boxes: Boxes,
        sets: CodeSets,
        released: Rows,
        owners: Rows,
        low: Numbers,
        high: Numbers,
        m: int,
        context: Context,
    ) -> Counts:
        from discreet.kernels.kdtree import for_thread
        from discreet.kernels.nearer import count_nearer_by_tree

        tree = self._tree
        nearer, as_near = (np.zeros(len(released), dtype=np.int32) for _ in range(2))
        visits = []
        # In the order of the tree, so that each search finds in the cache what the last one needed.
        order = np.argsort(tree.place[owners], kind="stable")

        def block(start: int) -> int:
            rows = order[start : start + BLOCK]
            box, cells = boxes.take(released[rows]), sets.take(released[rows])
            ends = zip((box.least, box.most), cells.ranges, strict=True)
            least, most = (np.hstack([side, end + 1.0]) for side, end in ends)
            counts = np.empty(len(rows), dtype=np.int64), np.empty(len(rows), dtype=np.int64)
            visits.append(
                count_nearer_by_tree(
                    for_thread(tree), self.times, least, most, cells.codes, cells.starts,
                    cells.members, low[rows], high[rows], m, *counts,
                )
            )  # fmt: skip
            nearer[rows], as_near[rows] = counts
            return len(rows)

        in_blocks(block, len(released), context)
        return Counts(nearer, as_near, sum(visits))

    def _by_comparison(
        self, boxes: Boxes, sets: CodeSets, low: Numbers, high: Numbers, m: int, context: Context
    ) -> Counts:
        from discreet.kernels.linkage import count_nearer

        nearer, as_near = (np.zeros(len(boxes), dtype=np.int64) for _ in range(2))
        # Columns that vary most come first, so that a far original is dropped after few of them.
        order = np.argsort(-self.points.var(axis=0), kind="stable")
        originals = np.ascontiguousarray(self.points[:, order])
        least = np.ascontiguousarray(boxes.least[:, order])
        most = least if boxes.plain else np.ascontiguousarray(boxes.most[:, order])

        def block(start: int) -> int:
            part = slice(start, start + BLOCK)
            count_nearer(
                originals, self.times, least[part], most[part], self.codes, sets.codes[part],
                sets.starts, sets.members, low[part], high[part], m, nearer[part], as_near[part],
            )  # fmt: skip
            return len(least[part])

        in_blocks(block, len(boxes), context)
        return Counts(nearer, as_near, 1 + len(boxes) * len(originals) // BOX)


def own_among_nearest(
    originals: Numbers,
    released: Numbers | Boxes,
    origin: Rows,
    m: int,
    context: Context,
    codes: tuple[Codes, CodeSets] | None = None,
    alike: Rows | None = None,
) -> Numbers:
    """Return the chance that each released record's own original is among the m nearest.

    `codes` are nominal columns of the originals and of the released records. `alike` numbers the
    released records so that equal ones have one number.

    >>> points = np.array([[0.0], [1.0], [5.0]])
    >>> masked = np.array([[0.5], [0.5], [5.2]])
    >>> own_among_nearest(points, masked, np.arange(3), 1, Context())
    array([0.5, 0.5, 1. ])
    """
    boxes = released if isinstance(released, Boxes) else Boxes.points(released)
    if not len(boxes):
        return np.zeros(0)
    before, after = (None, None) if codes is None else codes
    counts = Originals(originals, before).nearer(boxes, after, origin, m, context, alike)
    return counts.chances(m)


def _once(squared: Numbers, owners: Rows, alike: Rows | None) -> tuple[Rows, Rows]:
    """Return the records to be counted, and for each record which of them stands for it.

    A thousand records with the same labels would otherwise count the same thousand originals. Two
    equal records have the same counts if both allow their own original, or have the same one.
    """
    if alike is None:
        everyone = np.arange(len(squared))
        return everyone, everyone
    width = int(owners.max(initial=0)) + 2
    keys = alike * width + np.where(squared == 0, 0, owners + 1)
    stands_for, _ = numbered(keys, (int(alike.max(initial=0)) + 1) * width)
    return first_and_times(stands_for)[0], stands_for


def in_blocks(work: Callable[[int], int], rows: int, context: Context) -> None:
    """Do the work for the blocks that start at each BLOCK-th row, on all cores.

    `work` receives the first row of a block, and returns how many rows it has done.

    >>> done = []
    >>> in_blocks(lambda start: done.append(start) or 1, 5000, Context())
    >>> sorted(done)
    [0, 2000, 4000]
    """
    starts = range(0, rows, BLOCK)
    with context.task("linking records", rows) as advance, on_all_cores(rows > BLOCK) as each:
        for done in each(work, starts):
            advance(done)
