"""The records outside the class-restricted spanning tree, and the first of a class from a record.

All of them are in one tree of boxes. A last coordinate holds the class, in steps that are longer
than any distance: within a class it adds exactly 0 to a distance, and the limit of a search keeps
it out of all other classes. Boxes separate records that differ in columns of few values.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from discreet.kernels.apart import address, call, kind_of
from discreet.kernels.boxes_to_visit import push
from discreet.kernels.compiling import compiled, inner
from discreet.kernels.divergence import CELLS, on_grid
from discreet.kernels.kdtree import Tree, build, remove
from discreet.kernels.kept_apart import build_apart, by_few_values
from discreet.kernels.lanes import LANES, boxes_within, distances_within, lowest_lane


class Outside(NamedTuple):
    """The records outside the tree."""

    boxes: Tree
    points: NDArray[np.float64]  # (n, d + 1) the last coordinate is that of the class
    left: NDArray[np.int64]  # (classes,) how many are outside
    apart: float  # the step from a class to the next
    remove: int  # the address of its code
    centre: NDArray[np.float64]  # (d + 1,) working space for the point to search from


def outside_of(points: NDArray[np.float64], classes: NDArray[np.int64]) -> Outside:
    """Return all records, at least one, with their classes from 0.

    >>> outside_of(np.array([[0.0], [0.5], [1.0]]), np.array([0, 1, 0])).left
    array([2, 1])
    """
    apart = 2.0 * float(np.sqrt((np.ptp(points, axis=0) ** 2).sum())) + 1.0
    placed = np.column_stack([points, classes * apart])
    part = by_few_values(points, classes)
    if part is None:
        boxes = build(placed, np.arange(len(placed)), placed.mean(axis=0))
    else:
        boxes = build_apart(placed, part)
    removing = address(remove, kind_of(boxes), types.float64[:, ::1], types.int64)
    return Outside(boxes, placed, np.bincount(classes), apart, removing, np.empty(placed.shape[1]))


@compiled
def leave(outside: Outside, record: int, c: int) -> None:
    """Remove a record of class c, which joins the tree.

    >>> outside = outside_of(np.array([[0.0], [0.5], [1.0]]), np.array([0, 1, 0]))
    >>> leave(outside, 2, 0)
    >>> outside.left
    array([1, 1])
    """
    outside.left[c] -= 1
    call(outside.remove, outside.boxes, outside.points, record)


@inner
def _weighted(square: float, attributes: float, alpha: float) -> float:
    """Return α L of a squared distance, on the grid."""
    return on_grid(alpha * on_grid(np.sqrt(square / attributes)))


@inner
def _limit(least: float, attributes: float, alpha: float, limit: float) -> float:
    """Return the squared distance beyond which no record has the same α L on the grid."""
    if alpha == 0:
        return limit
    return min(limit, attributes * ((least + 1 / CELLS) / alpha + 1 / CELLS) ** 2)


@compiled
def first_of_class(
    outside: Outside, u: int, c: int, attributes: float, alpha: float
) -> tuple[float, int]:
    """Return the α L of the first record of class c by (α L, record) from record u, and the record.

    Infinity and n if there is none. Boxes and records that cannot come first are skipped: the
    distance to a box is rounded, and put on the grid, as those to its records are.

    >>> outside = outside_of(np.array([[0.0], [0.5], [1.0]]), np.array([0, 1, 0]))
    >>> leave(outside, 1, 1)
    >>> first_of_class(outside, 1, 0, 1.0, 0.5)
    (0.25, 0)
    """
    least, first = np.inf, len(outside.points)
    if outside.left[c] == 0:
        return least, first
    tree, centre = outside.boxes, outside.centre
    for j in range(len(centre) - 1):
        centre[j] = outside.points[u, j]
    centre[len(centre) - 1] = c * outside.apart
    limits, sums, stack, bounds = tree.limits, tree.sums, tree.stack, tree.bounds
    limit = outside.apart * outside.apart / 4
    leaf_blocks = (len(tree.size) + LANES - 1) // LANES
    stack[0], bounds[0] = len(tree.parent) - 1, 0.0
    top = 1
    while top > 0:
        top -= 1
        block = stack[top]
        if bounds[top] > limit:
            continue
        for i in range(len(limits)):
            limits[i] = 0.0
        mask = boxes_within(tree.low[block], tree.high[block], centre, tree.numeric, limit, limits)
        base = top
        while mask:
            lane = lowest_lane(mask)
            mask &= mask - 1
            bound = limits[lane]
            if bound > limit:
                continue
            if tree.first[block, lane] > first and _weighted(bound, attributes, alpha) >= least:
                continue
            slot = block * LANES + lane
            if block >= leaf_blocks:
                top = push(stack, bounds, base, top, tree.child[slot], bound)
                continue
            for i in range(len(sums)):
                sums[i] = 0.0
            near = distances_within(tree.values[slot], centre, tree.numeric, limit, sums)
            while near:
                lane = lowest_lane(near)
                near &= near - 1
                record = tree.records[slot, lane]
                length = _weighted(sums[lane], attributes, alpha)
                if length < least or (length == least and record < first):
                    least, first = length, record
                    limit = _limit(least, attributes, alpha, limit)
    return least, first
