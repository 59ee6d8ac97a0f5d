"""How many originals lie nearer to a released record than its own, by a tree of boxes.

A released record is a box too: where it is a point, both its ends are the same.

The question is smaller than that for the nearest neighbour: once enough nearer originals are
found, whichever they are, the answer is known and the search ends. Nearer boxes are opened first,
so a record that is not linked is given up within a leaf or two; for one that is linked, only the
boxes that reach into the ball around it are opened.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled
from discreet.kernels.kdtree import Tree
from discreet.kernels.lanes import LANES, lowest_lane, ranges_within


def for_thread(tree: Tree) -> Tree:
    """Return the same tree with working space of its own, for a search beside others."""
    return tree._replace(
        sums=np.empty_like(tree.sums),
        limits=np.empty_like(tree.limits),
        stack=np.empty_like(tree.stack),
        bounds=np.empty_like(tree.bounds),
    )


@compiled
def _count_one(
    tree: Tree,
    least: NDArray[np.float64],
    most: NDArray[np.float64],
    low: float,
    high: float,
    enough: int,
) -> tuple[int, int]:
    """Count the records below `low` and from `low` to `high` squared distance from the box."""
    sums, limits, stack, bounds = tree.sums, tree.limits, tree.stack, tree.bounds
    leaf_blocks = (len(tree.size) + LANES - 1) // LANES
    below, between = 0, 0
    stack[0] = len(tree.parent) - 1
    top = 1
    while top > 0:
        top -= 1
        block = stack[top]
        limits[:] = 0.0
        mask = ranges_within(
            tree.low[block], tree.high[block], least, most, tree.numeric, high, limits
        )
        base = top
        while mask:
            lane = lowest_lane(mask)
            mask &= mask - 1
            slot = block * LANES + lane
            if block >= leaf_blocks:
                # the closest box on top of the stack
                limit = limits[lane]
                at = top
                while at > base and bounds[at - 1] <= limit:
                    stack[at], bounds[at] = stack[at - 1], bounds[at - 1]
                    at -= 1
                stack[at], bounds[at] = tree.child[slot], limit
                top += 1
                continue
            sums[:] = 0.0
            values = tree.values[slot]
            hits = ranges_within(values, values, least, most, tree.numeric, high, sums)
            while hits:
                i = lowest_lane(hits)
                hits &= hits - 1
                if sums[i] < low:
                    below += 1
                    if below >= enough:
                        return below, between
                else:
                    between += 1
    return below, between


@compiled
def count_nearer_by_tree(
    tree: Tree,
    least: NDArray[np.float64],
    most: NDArray[np.float64],
    rows: NDArray[np.int64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    enough: int,
    nearer: NDArray[np.int64],
    as_near: NDArray[np.int64],
) -> None:
    """Fill the counts of the released boxes `rows`; as `kernels.linkage.count_nearer` does."""
    for row in rows:
        nearer[row], as_near[row] = _count_one(
            tree, least[row], most[row], low[row], high[row], enough
        )
