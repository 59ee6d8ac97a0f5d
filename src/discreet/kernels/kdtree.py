"""A tree of boxes over records, whose boxes shrink as records are removed.

Records are split at medians, as in a k-d tree, into leaves of `LANES` records. Every
`LANES` consecutive nodes of a level share a block, and the bounds of a block lie side by
side, so that a query bounds sixteen boxes, or measures sixteen records, with the same few
vector instructions. The searches are in `discreet.kernels.neighbours`.

A *slot* is a place in a block. The blocks of the leaves come first: slot s of theirs is
leaf s. A slot of any other block represents the block `child[slot]` one level below. The
root is the last block.

The last columns may be codes of nominal columns: two records are 0 apart in such a column if
their codes are equal, and 1 if not. That is the squared distance of one coordinate per category,
1/√2 each, without the coordinates; their average is the share of each category. With shares f,
the average is ½ (Σ f² − 2 f_c + 1) away from a record with code c.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled, in_place, inner
from discreet.kernels.cores import Each, for_all
from discreet.kernels.kdtree_leaves import sort_into_leaves
from discreet.kernels.lanes import LANES

NOBODY = np.iinfo(np.int64).max


class Tree(NamedTuple):
    """The arrays of a tree; B blocks, L leaves, d columns, m of them nominal, C categories."""

    values: NDArray[np.float64]  # (L, d, LANES) the records; NaN in free lanes, except for codes
    records: NDArray[np.int64]  # (L, LANES) their indices, NOBODY in a free lane
    size: NDArray[np.int64]  # (L,) records in the leaf as it was built
    place: NDArray[np.int64]  # (n,) leaf * LANES + lane of each record
    low: NDArray[np.float64]  # (B, d, LANES) boxes; an empty slot is +inf .. -inf
    high: NDArray[np.float64]
    reach: NDArray[np.float64]  # (B, LANES) largest squared distance to the pivot, without codes
    coded_reach: NDArray[np.float64]  # (B, LANES) the same, codes included
    first: NDArray[np.int64]  # (B, LANES) lowest index, NOBODY in an empty slot
    child: NDArray[np.int64]  # (B * LANES,) the block that a slot represents
    parent: NDArray[np.int64]  # (B,) the slot that represents a block, -1 at the root
    pivot: NDArray[np.float64]  # (d,) a central point, for the bounds on far distances
    numeric: int  # columns before those of codes
    nearest: int  # the addresses of these searches' code, or 0
    farthest: int
    starts: NDArray[np.int64]  # (m + 1,) where the categories of a nominal column start
    counts: NDArray[np.int64]  # (C,) records of each category
    squares: NDArray[np.int64]  # (m,) Σ counts² of each nominal column
    pivot_steps: NDArray[np.float64]  # (C,) squared distance of a category to the pivot
    steps: NDArray[np.float64]  # (C,) and to the centre of a search for the farthest record
    most: NDArray[np.float64]  # (2, m) the largest of them, and of their excess over the pivot's
    slope: NDArray[np.float64]  # (d,) from here on, working space of the searches
    sums: NDArray[np.float64]  # (LANES,)
    limits: NDArray[np.float64]  # (LANES,)
    stack: NDArray[np.int64]  # blocks to visit
    bounds: NDArray[np.float64]  # and the bounds they were pushed with


FILLED = 1_024
"""Leaves that one thread fills at a time, in whole blocks."""


def for_thread(tree: Tree) -> Tree:
    """Return the same tree with its own working space, for a concurrent search."""
    return tree._replace(
        steps=np.empty_like(tree.steps),
        most=np.empty_like(tree.most),
        slope=np.empty_like(tree.slope),
        sums=np.empty_like(tree.sums),
        limits=np.empty_like(tree.limits),
        stack=np.empty_like(tree.stack),
        bounds=np.empty_like(tree.bounds),
    )


@inner
def _reach(tree: Tree, leaf: int, lane: int) -> float:
    total = 0.0
    for j in range(tree.numeric):
        gap = tree.values[leaf, j, lane] - tree.pivot[j]
        total += gap * gap
    return total


@inner
def _steps_to_pivot(tree: Tree, leaf: int, lane: int) -> float:
    total = 0.0
    for m in range(len(tree.squares)):
        total += tree.pivot_steps[tree.starts[m] + int(tree.values[leaf, tree.numeric + m, lane])]
    return total


@in_place
def _gather(tree: Tree, block: int, slot: int, lower: int, column: int) -> None:
    """Box of a slot in one column, from the boxes of the block it represents."""
    low, high = np.inf, -np.inf
    for i in range(tree.low.shape[2]):  # not LANES: unrolled, it only takes longer to compile
        low = min(low, tree.low[lower, column, i])
        high = max(high, tree.high[lower, column, i])
    tree.low[block, column, slot], tree.high[block, column, slot] = low, high


@in_place
def _gather_reach(tree: Tree, block: int, slot: int, lower: int) -> None:
    """Reach and lowest index of a slot, from the block it represents."""
    reach, first = -np.inf, NOBODY
    for i in range(tree.low.shape[2]):
        reach = max(reach, tree.reach[lower, i])
        first = min(first, tree.first[lower, i])
    tree.reach[block, slot], tree.first[block, slot] = reach, first


@in_place
def _gather_coded_reach(tree: Tree, block: int, slot: int, lower: int) -> None:
    """Reach of a slot with its codes, from the block it represents."""
    coded = -np.inf
    for i in range(tree.low.shape[2]):
        coded = max(coded, tree.coded_reach[lower, i])
    tree.coded_reach[block, slot] = coded


def _fill_leaves(
    tree: Tree, points: NDArray[np.float64], order: NDArray[np.int64], start: int, stop: int
) -> None:
    """Store the records of some leaves, and the bounds of these leaves."""
    records = np.full((stop - start) * LANES, NOBODY)
    filled = order[start * LANES : stop * LANES]
    records[: len(filled)] = filled
    is_free = records == NOBODY
    free, used = np.flatnonzero(is_free), np.flatnonzero(~is_free)
    values = points[np.where(is_free, 0, records)]
    reach, steps = np.zeros(len(records)), np.zeros(len(records))
    for j in range(tree.numeric):
        gap = values[:, j] - tree.pivot[j]
        reach += gap * gap
    for m in range(len(tree.squares)):
        codes = values[:, tree.numeric + m].astype(np.int64)
        steps += tree.pivot_steps[tree.starts[m] + codes]
    reach[free] = -np.inf
    by_leaf = values.reshape(stop - start, LANES, -1)
    block, slot = np.divmod(np.arange(start, stop), LANES)
    values[free] = np.inf
    tree.low[block, :, slot] = _over_lanes(np.minimum, by_leaf)
    values[free] = -np.inf
    tree.high[block, :, slot] = _over_lanes(np.maximum, by_leaf)
    values[free] = np.nan
    tree.values[start:stop] = by_leaf.transpose(0, 2, 1)
    tree.records[start:stop] = records.reshape(-1, LANES)
    tree.size[start:stop] = (tree.records[start:stop] != NOBODY).sum(axis=1)
    tree.place[records[used]] = start * LANES + used
    tree.reach[block, slot] = reach.reshape(-1, LANES).max(axis=1)
    tree.coded_reach[block, slot] = (reach + steps).reshape(-1, LANES).max(axis=1)
    tree.first[block, slot] = tree.records[start:stop].min(axis=1)


def _over_lanes(extreme: np.ufunc, by_leaf: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the least or largest of the lanes, several times as fast as a reduction of them."""
    extremes = by_leaf[:, 0].copy()
    for lane in range(1, LANES):
        extreme(extremes, by_leaf[:, lane], out=extremes)
    return extremes


def _fill_level(tree: Tree, start: int, stop: int) -> None:
    """Store the bounds of the blocks of a level in their parents."""
    block, slot = np.divmod(tree.parent[start:stop], LANES)
    for bounds in (tree.low, tree.first):
        bounds[block, ..., slot] = bounds[start:stop].min(axis=-1)
    for bounds in (tree.high, tree.reach, tree.coded_reach):
        bounds[block, ..., slot] = bounds[start:stop].max(axis=-1)


@compiled
def steps_from_average(tree: Tree, steps: NDArray[np.float64]) -> None:
    """Set the squared distance of each category to the average of the records in the tree."""
    left = 0
    if len(tree.squares):
        for c in range(tree.starts[1]):
            left += tree.counts[c]
    for m in range(len(tree.squares)):
        for c in range(tree.starts[m], tree.starts[m + 1]):
            # whole numbers for as long as possible, so that equally frequent categories stay tied
            steps[c] = 0.5 * ((tree.squares[m] / left - 2 * tree.counts[c]) / left + 1.0)


@inner
def steps_from_record(tree: Tree, record: NDArray[np.float64]) -> None:
    """Set the squared distance of each category to a record."""
    for c in range(len(tree.steps)):
        tree.steps[c] = 1.0
    for m in range(len(tree.squares)):
        tree.steps[tree.starts[m] + int(record[tree.numeric + m])] = 0.0


def build(
    points: NDArray[np.float64],
    active: NDArray[np.int64],
    pivot: NDArray[np.float64],
    nominal: int = 0,
    each: Each = map,
    order: NDArray[np.int64] | None = None,
) -> Tree:
    """Tree over the rows `active` (ascending, at least one) of a C-ordered array.

    The last `nominal` columns are codes, whole numbers from 0; what `pivot` has there is not used.
    `each` works like `map`, possibly on several threads; the tree is the same. `order` has the
    records of the leaves if these are already known: each run of LANES is a leaf, with NOBODY after
    its last record if it has free lanes.
    """
    d = points.shape[1]
    numeric = d - nominal
    widths = points[:, numeric:].max(axis=0).astype(np.int64) + 1
    starts = np.append(0, np.cumsum(widths)).astype(np.int64)
    if order is None:
        order = active.copy()
        sort_into_leaves(points, order, nominal, int(widths.max(initial=0)), each)
    leaves = -(-len(order) // LANES)
    sizes = [-(-leaves // LANES)]
    while sizes[-1] > 1:
        sizes.append(-(-sizes[-1] // LANES))
    blocks = sum(sizes)
    child = np.full(blocks * LANES, -1, np.int64)
    parent = np.full(blocks, -1, np.int64)
    child_start, start = 0, sizes[0]
    for below in sizes[:-1]:
        slots = start * LANES + np.arange(below)
        child[slots] = child_start + np.arange(below)
        parent[child_start : child_start + below] = slots
        child_start, start = start, start + -(-below // LANES)
    some = points[active[:: max(1, len(active) // 1_000)]]
    tallies = [
        np.bincount(codes.astype(np.int64), minlength=width)
        for codes, width in zip(points[active, numeric:].T, widths, strict=True)
    ]
    tree = Tree(
        values=np.empty((leaves, d, LANES)),
        records=np.empty((leaves, LANES), np.int64),
        size=np.empty(leaves, np.int64),
        place=np.full(len(points), -1, np.int64),
        low=np.full((blocks, d, LANES), np.inf),
        high=np.full((blocks, d, LANES), -np.inf),
        reach=np.full((blocks, LANES), -np.inf),
        coded_reach=np.full((blocks, LANES), -np.inf),
        first=np.full((blocks, LANES), NOBODY, np.int64),
        child=child,
        parent=parent,
        # within the box, so that a column with a single value adds no rounding to a bound
        pivot=np.clip(pivot, some.min(axis=0), some.max(axis=0)),
        numeric=numeric,
        nearest=0,
        farthest=0,
        starts=starts,
        counts=np.concatenate([np.zeros(0, np.int64), *tallies]),
        squares=np.array([(tally**2).sum() for tally in tallies], np.int64),
        pivot_steps=np.empty(starts[-1]),
        steps=np.empty(starts[-1]),
        most=np.empty((2, nominal)),
        slope=np.empty(d),
        sums=np.empty(LANES),
        limits=np.empty(LANES),
        stack=np.empty(LANES * (len(sizes) + 1), np.int64),
        bounds=np.empty(LANES * (len(sizes) + 1)),
    )
    if nominal:
        steps_from_average(tree, tree.pivot_steps)

    def fill(start: int) -> None:
        _fill_leaves(tree, points, order, start, min(start + FILLED, leaves))

    for_all(each, fill, range(0, leaves, FILLED))
    ends = np.cumsum(sizes).tolist()
    # Children before their parents; the root, which is last, has none.
    for start, stop in pairwise([0, *ends[:-1]]):
        _fill_level(tree, start, stop)
    return tree


@compiled
def remove(tree: Tree, points: NDArray[np.float64], record: int) -> None:
    """Remove a record, and shrink the boxes that it alone held open.

    The other records stay where they are, and boxes never lose one of them, so that concurrent
    searches by other threads are right about every record that is still there when they end.
    """
    leaf, lane = tree.place[record] // LANES, tree.place[record] % LANES
    reach = _reach(tree, leaf, lane)
    nominal = len(tree.squares)
    coded = reach + _steps_to_pivot(tree, leaf, lane) if nominal else reach
    for m in range(nominal):
        category = tree.starts[m] + int(points[record, tree.numeric + m])
        tree.squares[m] -= 2 * tree.counts[category] - 1
        tree.counts[category] -= 1
    tree.records[leaf, lane] = NOBODY
    if tree.numeric:
        tree.values[leaf, 0, lane] = np.nan

    block, slot, lanes = leaf // LANES, leaf % LANES, tree.records.shape[1]
    for j in range(points.shape[1]):
        value = points[record, j]
        if value == tree.low[block, j, slot] or value == tree.high[block, j, slot]:
            low, high = np.inf, -np.inf
            for i in range(lanes):
                if tree.records[leaf, i] != NOBODY:
                    low = min(low, tree.values[leaf, j, i])
                    high = max(high, tree.values[leaf, j, i])
            tree.low[block, j, slot], tree.high[block, j, slot] = low, high
    if reach == tree.reach[block, slot] or record == tree.first[block, slot]:
        farthest, first = -np.inf, NOBODY
        for i in range(lanes):
            if tree.records[leaf, i] != NOBODY:
                farthest = max(farthest, _reach(tree, leaf, i))
                first = min(first, tree.records[leaf, i])
        tree.reach[block, slot], tree.first[block, slot] = farthest, first
    if nominal and coded == tree.coded_reach[block, slot]:
        farthest = -np.inf
        for i in range(lanes):
            if tree.records[leaf, i] != NOBODY:
                farthest = max(farthest, _reach(tree, leaf, i) + _steps_to_pivot(tree, leaf, i))
        tree.coded_reach[block, slot] = farthest

    while tree.parent[block] >= 0:
        lower = block
        block, slot = tree.parent[lower] // LANES, tree.parent[lower] % LANES
        for j in range(points.shape[1]):
            value = points[record, j]
            if value == tree.low[block, j, slot] or value == tree.high[block, j, slot]:
                _gather(tree, block, slot, lower, j)
        if reach == tree.reach[block, slot] or record == tree.first[block, slot]:
            _gather_reach(tree, block, slot, lower)
        if nominal and coded == tree.coded_reach[block, slot]:
            _gather_coded_reach(tree, block, slot, lower)
