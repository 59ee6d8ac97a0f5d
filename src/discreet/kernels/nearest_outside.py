"""The nearest record outside a component of an unfinished spanning tree.

Boxes whose records all belong to the component are skipped.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.boxes_to_visit import push
from discreet.kernels.compiling import compiled, inner
from discreet.kernels.kdtree import NOBODY, Tree
from discreet.kernels.kdtree_leaves import before
from discreet.kernels.lanes import (
    LANES,
    boxes_within,
    distances_within,
    lowest_lane,
)

MIXED = -1
"""The owner of a box with records of several components."""


@inner
def _search_leaf(
    tree: Tree,
    leaf: int,
    centre: NDArray[np.float64],
    component: NDArray[np.int64],
    source: int,
    best: float,
    target: int,
) -> tuple[float, int]:
    """The nearest record of a leaf outside a component, if it comes before the best so far."""
    sums = tree.sums
    sums[:] = 0.0
    mask = distances_within(tree.values[leaf], centre, tree.numeric, best, sums)
    while mask:
        lane = lowest_lane(mask)
        mask &= mask - 1
        record = tree.records[leaf, lane]
        if component[record] != source and before(sums[lane], record, best, target):
            best, target = sums[lane], record
    return best, target


@compiled
def nearest_outside(
    tree: Tree,
    centre: NDArray[np.float64],
    home: int,
    component: NDArray[np.int64],
    owner: NDArray[np.int64],
    source: int,
    limit: float,
) -> tuple[float, int]:
    """The squared distance of the nearest record outside a component, and the record.

    Among equals it is the first in the file. If none is within `limit`, a squared distance, the
    limit and NOBODY are returned. `centre` is a record, in the leaf `home` of the tree; `component`
    has a number for each record, `source` is the one to leave, and `owner` has that of each slot
    whose records all share one, otherwise MIXED. The search starts in the record's own leaf: a good
    guess makes the bounds below cut early.
    """
    best, target = limit, NOBODY
    if owner[home] != source:
        best, target = _search_leaf(tree, home, centre, component, source, best, target)
    limits, stack, bounds = tree.limits, tree.stack, tree.bounds
    leaf_blocks = (len(tree.size) + LANES - 1) // LANES
    stack[0], bounds[0] = len(tree.parent) - 1, 0.0
    top = 1
    while top > 0:
        top -= 1
        block = stack[top]
        if bounds[top] > best:
            continue
        limits[:] = 0.0
        mask = boxes_within(tree.low[block], tree.high[block], centre, tree.numeric, best, limits)
        base = top
        while mask:
            lane = lowest_lane(mask)
            mask &= mask - 1
            slot = block * LANES + lane
            bound = limits[lane]
            if owner[slot] == source or not before(bound, tree.first[block, lane], best, target):
                continue
            if block < leaf_blocks:
                if slot != home:
                    best, target = _search_leaf(tree, slot, centre, component, source, best, target)
            else:
                top = push(stack, bounds, base, top, tree.child[slot], bound)
    return best, target
