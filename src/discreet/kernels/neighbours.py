"""Nearest and farthest records of a `discreet.kernels.kdtree.Tree`, exactly.

The answers are those of a plain scan, ties included: squared Euclidean distances in
float64, summed in the order of the columns, codes last, the lowest index among equals.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numpy.typing import NDArray

from discreet.kernels.apart import address, kind_of
from discreet.kernels.boxes_to_visit import push
from discreet.kernels.compiling import compiled, in_place, inner
from discreet.kernels.kdtree import NOBODY, Tree
from discreet.kernels.kdtree_leaves import before
from discreet.kernels.lanes import (
    LANES,
    boxes_within,
    corners_beyond,
    distances_beyond,
    distances_within,
    lowest_lane,
)


@inner
def _sift(keys: NDArray[np.float64], records: NDArray[np.int64]) -> None:
    """Restore the heap, last (key, record) on top, after its top was replaced."""
    size = len(keys)
    parent = 0
    while 2 * parent + 1 < size:
        child = 2 * parent + 1
        if child + 1 < size and before(
            keys[child], records[child], keys[child + 1], records[child + 1]
        ):
            child += 1
        if not before(keys[parent], records[parent], keys[child], records[child]):
            return
        keys[parent], keys[child] = keys[child], keys[parent]
        records[parent], records[child] = records[child], records[parent]
        parent = child


@inner
def _among(record: int, records: NDArray[np.int64]) -> bool:
    among = False
    for i in range(len(records)):
        among |= records[i] == record
    return among


@in_place
def _nearest_in_leaf(
    tree: Tree,
    leaf: int,
    centre: NDArray[np.float64],
    keys: NDArray[np.float64],
    records: NDArray[np.int64],
    without: NDArray[np.int64],
) -> None:
    """Add the records of a leaf to the heap of the nearest."""
    sums = tree.sums
    for i in range(len(sums)):
        sums[i] = 0.0
    mask = distances_within(tree.values[leaf], centre, tree.numeric, keys[0], sums)
    while mask:
        lane = lowest_lane(mask)
        mask &= mask - 1
        record = tree.records[leaf, lane]
        if record == NOBODY:  # codes do not mark free lanes, and the record may have just left
            continue
        if before(sums[lane], record, keys[0], records[0]) and not _among(record, without):
            keys[0], records[0] = sums[lane], record
            _sift(keys, records)


@compiled
def nearest(
    tree: Tree,
    centre: NDArray[np.float64],
    keys: NDArray[np.float64],
    records: NDArray[np.int64],
    without: NDArray[np.int64],
) -> None:
    """Fill `records` with the nearest to `centre`, unordered; the tree must have that many.

    The records `without`, a few at most, are skipped as if they had left the tree.

    The distance to a box bounds the distance to its records without a margin: rounding is
    monotone, and the terms are added in the same order. A box at exactly the distance of the last
    of the nearest matters only if it holds a lower index.
    """
    for i in range(len(keys)):
        keys[i] = np.inf
        records[i] = NOBODY
    if len(keys) == 0:
        return
    limits, stack, bounds = tree.limits, tree.stack, tree.bounds
    leaf_blocks = (len(tree.size) + LANES - 1) // LANES
    stack[0], bounds[0] = len(tree.parent) - 1, 0.0
    top = 1
    while top > 0:
        top -= 1
        block = stack[top]
        if bounds[top] > keys[0]:
            continue
        for i in range(len(limits)):
            limits[i] = 0.0
        mask = boxes_within(
            tree.low[block], tree.high[block], centre, tree.numeric, keys[0], limits
        )
        base = top
        while mask:
            lane = lowest_lane(mask)
            mask &= mask - 1
            limit = limits[lane]
            if not before(limit, tree.first[block, lane], keys[0], records[0]):
                continue
            slot = block * LANES + lane
            if block < leaf_blocks:
                _nearest_in_leaf(tree, slot, centre, keys, records, without)
            else:
                top = push(stack, bounds, base, top, tree.child[slot], limit)


@compiled
def nearest_to_each(tree: Tree, points: NDArray[np.float64], records: NDArray[np.int64]) -> None:
    """Fill each row of `records` with the nearest to that point, unordered, as `nearest` does."""
    keys, nobody = np.empty(records.shape[1]), np.empty(0, np.int64)
    for i in range(len(points)):
        nearest(tree, points[i], keys, records[i], nobody)


@in_place
def _bound_far(tree: Tree, centre: NDArray[np.float64]) -> tuple[float, float]:
    """Set the slopes of `farthest`'s bounds; returns their constant term and their margin."""
    root = len(tree.parent) - 1
    offset, extent = 0.0, 0.0
    for j in range(tree.numeric):
        at = tree.pivot[j]
        gap = centre[j] - at
        tree.slope[j] = -2.0 * gap
        offset += gap * gap
        low, high = at, at
        for i in range(tree.low.shape[2]):
            low = min(low, tree.low[root, j, i])
            high = max(high, tree.high[root, j, i])
        extent += max(high - at, at - low) ** 2
    for m in range(len(tree.squares)):
        tree.most[:, m] = -np.inf
        for c in range(tree.starts[m], tree.starts[m + 1]):
            if tree.counts[c] > 0:
                tree.most[0, m] = max(tree.most[0, m], tree.steps[c])
                tree.most[1, m] = max(tree.most[1, m], tree.steps[c] - tree.pivot_steps[c])
        extent += 1.0
    # no sum of terms exceeds twice offset + extent, and each term is rounded a few times
    return offset, 1e-15 * (len(centre) + 8) * (offset + extent)


@in_place
def _less_for_one_code(tree: Tree, block: int, lane: int) -> tuple[float, float]:
    """By how much the bounds without and with codes fall if a box has a single code in a column."""
    plain, coded = 0.0, 0.0
    for m in range(len(tree.squares)):
        j = tree.numeric + m
        low, high = tree.low[block, j, lane], tree.high[block, j, lane]
        if low == high:
            c = tree.starts[m] + int(low)
            plain += tree.most[0, m] - tree.steps[c]
            coded += tree.most[1, m] - (tree.steps[c] - tree.pivot_steps[c])
    return plain, coded


@in_place
def _far_corner(tree: Tree, block: int, lane: int, centre: NDArray[np.float64]) -> float:
    """Squared distance of the far corner of a box, without codes: a bound without a margin."""
    total = 0.0
    for j in range(tree.numeric):
        gap = max(centre[j] - tree.low[block, j, lane], tree.high[block, j, lane] - centre[j])
        total += gap * gap
    return total


@in_place
def _with_far_codes(tree: Tree, block: int, lane: int, total: float) -> float:
    """The far corner of a box with its codes, added in the order in which those of records are."""
    for m in range(len(tree.squares)):
        j = tree.numeric + m
        low, high = tree.low[block, j, lane], tree.high[block, j, lane]
        total += tree.steps[tree.starts[m] + int(low)] if low == high else tree.most[0, m]
    return total


@compiled
def farthest(
    tree: Tree,
    centre: NDArray[np.float64],
    keys: NDArray[np.float64],
    records: NDArray[np.int64],
) -> None:
    """Fill `records` with the farthest from `centre`, unordered; among ties the lowest indices.

    `keys` receive the negative squared distances. If the tree has fewer, NOBODY is among the
    records. In nominal columns `tree.steps` has the distances from the centre.

    With g = centre - pivot, |x - centre|² = |g|² + |x - pivot|² - 2 g·(x - pivot). The second
    term is at most the reach of a box, the third is largest at one of its corners. Unlike
    the distance of the far corner, this bound stays sharp in ten dimensions, and close to
    the pivot it is almost exact. Its margin for rounding would let every box of tied records pass:
    then the far corner decides, which is exact for equal records.

    Codes add the largest step from the centre, or to the reach that includes them the largest
    excess of a step over that from the pivot: the former is sharp far from the pivot, the latter
    close to it.
    """
    offset, margin = _bound_far(tree, centre)
    nominal = len(tree.squares)
    farthest_step, excess = 0.0, 0.0
    for m in range(nominal):
        farthest_step += tree.most[0, m]
        excess += tree.most[1, m]
    sums, limits, stack, bounds = tree.sums, tree.limits, tree.stack, tree.bounds
    leaf_blocks = (len(tree.size) + LANES - 1) // LANES
    for i in range(len(keys)):
        keys[i] = 1.0
        records[i] = NOBODY
    best, best_record = -1.0, NOBODY  # the last of those found
    stack[0], bounds[0] = len(tree.parent) - 1, np.inf
    top = 1
    while top > 0:
        top -= 1
        block = stack[top]
        if bounds[top] < best:
            continue
        for i in range(len(limits)):
            limits[i] = tree.reach[block, i] + (offset + margin + farthest_step)
        if nominal:
            for i in range(len(limits)):
                by_excess = tree.coded_reach[block, i] + (offset + margin + excess)
                limits[i] = min(limits[i], by_excess)
        mask = corners_beyond(
            tree.low[block], tree.high[block], tree.pivot, tree.slope, tree.numeric, best, limits
        )
        base = top
        while mask:
            lane = lowest_lane(mask)
            mask &= mask - 1
            limit = limits[lane]
            if nominal:
                plain, coded = _less_for_one_code(tree, block, lane)
                by_steps = tree.reach[block, lane] + farthest_step
                by_excess = tree.coded_reach[block, lane] + excess
                limit += min(by_steps - plain, by_excess - coded) - min(by_steps, by_excess)
            if limit < best:
                continue
            if limit - best <= 2.0 * margin:
                corner = _far_corner(tree, block, lane, centre)
                if nominal:
                    corner = _with_far_codes(tree, block, lane, corner)
                if corner < best or (corner == best and tree.first[block, lane] > best_record):
                    continue
            slot = block * LANES + lane
            if block < leaf_blocks:
                for i in range(len(sums)):
                    sums[i] = 0.0
                low = best if nominal == 0 else best - farthest_step - margin
                hits = distances_beyond(tree.values[slot], centre, tree.numeric, low, sums)
                while hits:
                    i = lowest_lane(hits)
                    hits &= hits - 1
                    record = tree.records[slot, i]
                    if record == NOBODY:  # as above
                        continue
                    for m in range(nominal):
                        code = int(tree.values[slot, tree.numeric + m, i])
                        sums[i] += tree.steps[tree.starts[m] + code]
                    if sums[i] > best or (sums[i] == best and record < best_record):
                        keys[0], records[0] = -sums[i], record
                        _sift(keys, records)
                        best, best_record = -keys[0], records[0]
            else:
                # the box that reaches farthest on top of the stack, among equals the first
                at = top
                while at > base and bounds[at - 1] >= limit:
                    stack[at], bounds[at] = stack[at - 1], bounds[at - 1]
                    at -= 1
                stack[at], bounds[at] = tree.child[slot], limit
                top += 1


def searchable(tree: Tree, *, farthest_too: bool) -> Tree:
    """Return the tree for kernels that write `call(tree.nearest, tree, ...)`, or `farthest`."""
    floats, rows = types.float64[::1], types.int64[::1]
    kind = kind_of(tree)
    return tree._replace(
        nearest=address(nearest, kind, floats, floats, rows, rows),
        farthest=address(farthest, kind, floats, floats, rows) if farthest_too else 0,
    )
