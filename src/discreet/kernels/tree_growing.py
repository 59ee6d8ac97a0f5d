"""A minimum spanning tree by Borůvka's rounds over a tree of boxes, for few columns.

In each round every component takes the shortest edge that leaves it. A record remembers the
nearest record outside its component for as long as that one stays outside; a box whose records
all belong to the component is skipped, and so is one beyond the component's shortest edge
so far. The largest component takes none: the others join it anyway, and it has most records.

In the last rounds a few components are far apart, and boxes that hold records of several rule
nothing out. So the boxes are formed anew when few components are left, each within one of them.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled, inner
from discreet.kernels.kdtree import NOBODY, Tree, build
from discreet.kernels.kdtree_leaves import before, sort_into_leaves
from discreet.kernels.lanes import LANES, boxes_within, distances_within, lowest_lane
from discreet.kernels.stretches import Advance, next_pace

_FIRST_STRETCH = 2_000
"""Records of the first stretch, which is a guess."""

_LARGE = 200
"""Records of a component, on the average, that are worth boxes of their own: some ten leaves."""
_APART = 1_000.0
"""How many times as far as all columns together reach two neighbouring components are put apart."""

MIXED = -1


@inner
def _root(parents: NDArray[np.int64], record: int) -> int:
    """The record that represents a component (path halving)."""
    while parents[record] != record:
        parents[record] = parents[parents[record]]
        record = parents[record]
    return record


@compiled
def _mark_boxes(
    tree: Tree, parents: NDArray[np.int64], component: NDArray[np.int64], owner: NDArray[np.int64]
) -> None:
    """Set the component of each record, and of each slot whose records are all of one."""
    for record in range(len(component)):
        component[record] = _root(parents, record)
    owner[:] = MIXED
    for leaf in range(len(tree.size)):
        shared = component[tree.records[leaf, 0]]
        for lane in range(1, tree.size[leaf]):
            if component[tree.records[leaf, lane]] != shared:
                shared = MIXED
        owner[leaf] = shared
    for block in range(len(tree.parent) - 1):  # children come before their parents
        shared = owner[block * LANES]
        for lane in range(1, tree.first.shape[1]):
            slot = block * LANES + lane
            if tree.first[block, lane] != NOBODY and owner[slot] != shared:
                shared = MIXED
        owner[tree.parent[block]] = shared


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
    """The nearest record of a leaf outside a component, if before the best so far."""
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
def _nearest_outside(
    tree: Tree,
    centre: NDArray[np.float64],
    home: int,
    component: NDArray[np.int64],
    owner: NDArray[np.int64],
    source: int,
    limit: float,
) -> tuple[float, int]:
    """The nearest record outside a component, no farther than `limit`, and its square.

    For a fixed record the strict order of edges is that of (square, other record). The search
    starts in the record's own leaf, `home`: a good guess makes the bounds below cut early.
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
                # the closest box on top of the stack
                at = top
                while at > base and bounds[at - 1] <= bound:
                    stack[at], bounds[at] = stack[at - 1], bounds[at - 1]
                    at -= 1
                stack[at], bounds[at] = tree.child[slot], bound
                top += 1
    return best, target


@inner
def _offer(
    squares: NDArray[np.float64],
    ends: NDArray[np.int64],
    source: int,
    square: float,
    a: int,
    b: int,
) -> None:
    """Give a component an edge, if it comes before its shortest so far."""
    low, high = min(a, b), max(a, b)
    if square < squares[source] or (
        square == squares[source]
        and (low < ends[source, 0] or (low == ends[source, 0] and high < ends[source, 1]))
    ):
        squares[source], ends[source, 0], ends[source, 1] = square, low, high


@compiled
def _offer_known(
    component: NDArray[np.int64],
    nearest: NDArray[np.int64],
    near: NDArray[np.float64],
    squares: NDArray[np.float64],
    ends: NDArray[np.int64],
) -> int:
    """Offer the edges that records remember; returns the largest component."""
    n = len(component)
    squares[:] = np.inf
    ends[:] = NOBODY
    sizes = np.zeros(n, np.int64)
    largest = 0
    for record in range(n):
        source = component[record]
        sizes[source] += 1
        if sizes[source] > sizes[largest]:
            largest = source
        if nearest[record] != NOBODY:
            if component[nearest[record]] != source:
                _offer(squares, ends, source, near[record], record, nearest[record])
            else:
                nearest[record] = NOBODY  # `near` is a lower bound from now on
    return largest


@compiled
def _search(
    tree: Tree,
    points: NDArray[np.float64],
    component: NDArray[np.int64],
    owner: NDArray[np.int64],
    nearest: NDArray[np.int64],
    near: NDArray[np.float64],
    squares: NDArray[np.float64],
    ends: NDArray[np.int64],
    largest: int,
    start: int,
    stop: int,
) -> None:
    """Search for records that remember nobody, leaf by leaf, for leaves `start` to `stop`."""
    for leaf in range(start, stop):
        for lane in range(tree.size[leaf]):
            record = tree.records[leaf, lane]
            source = component[record]
            if source == largest or nearest[record] != NOBODY or near[record] > squares[source]:
                continue
            square, target = _nearest_outside(
                tree, points[record], leaf, component, owner, source, squares[source]
            )
            nearest[record] = target
            if target == NOBODY:
                # the nearest is farther than the search went: a lower bound for later rounds
                near[record] = np.nextafter(square, np.inf)
            else:
                near[record] = square
                _offer(squares, ends, source, square, record, target)


def _by_component(points: NDArray[np.float64], component: NDArray[np.int64], nominal: int) -> Tree:
    """Return a tree whose boxes hold records of one component, but for those at the ends.

    Components whose centres are near to each other share the boxes above.
    """
    numeric = points.shape[1] - nominal
    roots, member, sizes = np.unique(component, return_inverse=True, return_counts=True)
    centres = points[roots]
    for j in range(numeric):
        centres[:, j] = np.bincount(member, points[:, j]) / sizes
    order = np.arange(len(roots))
    sort_into_leaves(centres, order, nominal, int(points[:, numeric:].max(initial=0.0)) + 1)
    rank = np.empty(len(roots))
    rank[order] = np.arange(len(roots))
    # A column in which records are cut first, as it reaches farthest; distances do not know it.
    step = _APART * (np.ptp(points, axis=0).sum() + points.shape[1])
    apart = np.column_stack([step * rank[member], points])
    tree = build(apart, np.arange(len(apart)), apart.mean(axis=0), nominal)
    values, low, high = (
        np.ascontiguousarray(sides[:, 1:]) for sides in (tree.values, tree.low, tree.high)
    )
    return tree._replace(values=values, low=low, high=high, numeric=numeric)


@compiled
def _join(
    parents: NDArray[np.int64],
    shortest: NDArray[np.float64],
    ends: NDArray[np.int64],
    largest: int,
    edges: NDArray[np.int64],
    squares: NDArray[np.float64],
    count: int,
) -> int:
    """Add the edges that the components took; returns how many there are now."""
    for source in range(len(shortest)):
        if source == largest or ends[source, 0] == NOBODY:
            continue
        root, other_root = _root(parents, ends[source, 0]), _root(parents, ends[source, 1])
        if root != other_root:  # two components may have taken the same edge
            parents[max(root, other_root)] = min(root, other_root)
            edges[count, 0], edges[count, 1] = ends[source, 0], ends[source, 1]
            squares[count] = shortest[source]
            count += 1
    return count


def share_of_boxes(points: NDArray[np.float64], sample: int = 32, nominal: int = 0) -> float:
    """Return the mean share of leaves as near to a record as its nearest other record.

    It shows how well boxes work on a table: a few per cent on most, nearly all of them on many
    independent columns.

    >>> share_of_boxes(np.arange(320.0)[:, None])
    0.05...
    """
    n = len(points)
    tree = build(points, np.arange(n), points.mean(axis=0), nominal)
    owner, component = np.full(tree.first.size, MIXED), np.arange(n)
    leaves = len(tree.size)
    lowest, highest = (
        np.moveaxis(sides[: -(-leaves // LANES)], 1, 2).reshape(-1, points.shape[1])[:leaves]
        for sides in (tree.low, tree.high)
    )
    looked = 0
    records = range(0, n, max(1, n // sample))
    for record in records:
        centre, home = points[record], int(tree.place[record]) // LANES
        square, _ = _nearest_outside(tree, centre, home, component, owner, record, np.inf)
        gaps = np.maximum(np.maximum(lowest - centre, centre - highest), 0.0)
        np.minimum(gaps[:, tree.numeric :], 1.0, out=gaps[:, tree.numeric :])
        looked += int(((gaps**2).sum(axis=1) <= square).sum())
    return looked / (len(records) * leaves)


def grow_by_boxes(
    points: NDArray[np.float64], advance: Advance | None = None, nominal: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return edges and squared lengths by Borůvka's algorithm over a tree of boxes.

    The last `nominal` columns are codes.
    `advance` receives edges, partly before they are added: a round with c components adds
    at least (c − 1) / 2.

    >>> edges, squares = grow_by_boxes(np.array([[0.0], [5.0], [2.0]]))
    >>> edges.tolist(), squares.tolist()   # round by round
    ([[1, 2], [0, 2]], [9.0, 4.0])
    """
    n = len(points)
    edges, squares = np.empty((max(n - 1, 0), 2), np.int64), np.empty(max(n - 1, 0))
    if n < 2:
        return edges, squares
    tree = build(points, np.arange(n), points.mean(axis=0), nominal)
    parents, component = np.arange(n), np.empty(n, np.int64)
    owner = np.empty(tree.first.size, np.int64)
    nearest, near = np.full(n, NOBODY, np.int64), np.zeros(n)
    shortest, ends = np.empty(n), np.empty((n, 2), np.int64)
    count, reported, pace, leaves = 0, 0, float(_FIRST_STRETCH), len(tree.size)
    scattered = True
    while count < n - 1:
        _mark_boxes(tree, parents, component, owner)
        if scattered and (n - count) * _LARGE <= n:
            tree, scattered = _by_component(points, component, nominal), False
            _mark_boxes(tree, parents, component, owner)
        largest = _offer_known(component, nearest, near, shortest, ends)
        leaf = 0
        while leaf < leaves:
            start, stop = time.perf_counter(), min(leaves, leaf + max(1, int(pace / LANES)))
            _search(tree, points, component, owner, nearest, near, shortest, ends, largest,
                    leaf, stop)  # fmt: skip
            pace = next_pace(pace, start)
            leaf = stop
            if advance is not None:
                reached = count + (n - 1 - count) // 2 * leaf // leaves
                advance(max(0, reached - reported))
                reported = max(reported, reached)
        count = _join(parents, shortest, ends, largest, edges, squares, count)
    if advance is not None:
        advance(n - 1 - reported)
    return edges, squares
