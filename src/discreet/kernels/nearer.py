"""How many originals are nearer to a released record than its own, by a tree of boxes.

A released record is a box too; for a point, both of its ends are the same. Nominal columns
are codes, counted from 1, with 0 for a missing one; a released cell that stands for several codes
is their range, and codes within it are looked up in its set (`discreet.kernels.sets`).

This is easier than finding the nearest neighbour: once enough nearer originals are found,
whichever they are, the answer is known and the search ends. Nearer boxes are opened first, so a
record that is not linked is settled within a leaf or two; for one that is linked, only the boxes
that reach into the ball around it are opened.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.boxes_to_visit import push
from discreet.kernels.compiling import compiled, in_place, inner
from discreet.kernels.kdtree import Tree
from discreet.kernels.lanes import LANES, lowest_lane, ranges_within
from discreet.kernels.sets import ANY, allows


@inner
def _refused(
    values: NDArray[np.float64],
    lane: int,
    numeric: int,
    cells: NDArray[np.int32],
    starts: NDArray[np.int64],
    members: NDArray[np.int32],
) -> float:
    """Count the sets of a record that do not contain the code in their range."""
    total = 0.0
    for c in range(len(cells)):
        # A code outside the range of its set has already been counted.
        if cells[c] < ANY:
            first, last = starts[ANY - 1 - cells[c]], starts[ANY - cells[c]] - 1
            code = int(values[numeric + c, lane]) - 1
            if first <= last and members[first] <= code <= members[last]:
                total += 0.0 if allows(cells[c], code, starts, members) else 1.0
    return total


@in_place
def _count_for_box(
    tree: Tree,
    times: NDArray[np.int64],
    least: NDArray[np.float64],
    most: NDArray[np.float64],
    cells: NDArray[np.int32],
    starts: NDArray[np.int64],
    members: NDArray[np.int32],
    low: float,
    high: float,
    enough: int,
) -> tuple[int, int, int]:
    """Count the records below `low` and from `low` to `high` squared distance from the box.

    The third number is how many blocks and leaves were visited.
    """
    sums, limits, stack, bounds = tree.sums, tree.limits, tree.stack, tree.bounds
    leaf_blocks = (len(tree.size) + LANES - 1) // LANES
    with_sets = False
    for c in range(len(cells)):
        with_sets |= cells[c] < ANY
    below, between, visits = 0, 0, 0
    stack[0] = len(tree.parent) - 1
    top = 1
    while top > 0:
        top -= 1
        block = stack[top]
        visits += 1
        for i in range(len(limits)):
            limits[i] = 0.0
        mask = ranges_within(
            tree.low[block], tree.high[block], least, most, tree.numeric, high, limits
        )
        base = top
        while mask:
            lane = lowest_lane(mask)
            mask &= mask - 1
            slot = block * LANES + lane
            if block >= leaf_blocks:
                top = push(stack, bounds, base, top, tree.child[slot], limits[lane])
                continue
            visits += 1
            for i in range(len(sums)):
                sums[i] = 0.0
            values = tree.values[slot]
            hits = ranges_within(values, values, least, most, tree.numeric, high, sums)
            while hits:
                i = lowest_lane(hits)
                hits &= hits - 1
                squared = sums[i]
                if with_sets:
                    squared += _refused(values, i, tree.numeric, cells, starts, members)
                if squared < low:
                    below += times[tree.records[slot, i]]
                    if below >= enough:
                        return enough, between, visits
                elif squared <= high:
                    between += times[tree.records[slot, i]]
    return below, between, visits


@compiled
def count_nearer_by_tree(
    tree: Tree,
    times: NDArray[np.int64],
    least: NDArray[np.float64],
    most: NDArray[np.float64],
    cells: NDArray[np.int32],
    starts: NDArray[np.int64],
    members: NDArray[np.int32],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    enough: int,
    nearer: NDArray[np.int64],
    as_near: NDArray[np.int64],
) -> int:
    """Fill in the counts of the released boxes, as `kernels.linkage.count_nearer` does.

    Returns how many blocks and leaves of the tree were visited.
    """
    total = 0
    for row in range(len(low)):
        nearer[row], as_near[row], visits = _count_for_box(
            tree, times, least[row], most[row], cells[row], starts, members, low[row], high[row],
            enough,
        )  # fmt: skip
        total += visits
    return total
