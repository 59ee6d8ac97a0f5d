"""A minimum spanning tree by Borůvka's rounds over a tree of boxes, for few columns.

In each round every component takes the shortest edge that leaves it. A record remembers the
nearest record outside its component for as long as that one stays outside; a box whose records
all belong to the component is skipped, and so is one beyond the component's shortest edge
so far. The largest component takes none: the others join it anyway, and it has most records.

Boxes separate records that differ in columns of few values. Without such columns they are rebuilt
when few components are left, each box within one of them: in the last rounds components may be far
apart, and boxes that hold records of several exclude nothing.

Searches from records run on all cores. The outcome of one shortens other searches without changing
the tree: an edge is left out only if a component has a shorter one.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled, in_place, inner
from discreet.kernels.cores import Each, cores, for_all, on_all_cores
from discreet.kernels.kdtree import NOBODY, Tree, build, for_thread
from discreet.kernels.kept_apart import LARGE, build_apart, by_few_values
from discreet.kernels.lanes import LANES
from discreet.kernels.nearest_outside import MIXED, nearest_outside
from discreet.kernels.stretches import Advance, next_pace

_FIRST_STRETCH = 2_000
"""Records in the first stretch, a guess."""
_PIECES = 4
"""Pieces of a stretch for each core: some take longer than others."""


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
        shared = component[tree.records[leaf, 0]] if tree.size[leaf] else MIXED
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


@in_place
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
                nearest[record] = NOBODY  # `near` is only a lower bound from now on
    return largest


class _State(NamedTuple):
    """A round: what it begins with, and what the searches of several threads find."""

    points: NDArray[np.float64]
    component: NDArray[np.int64]  # of each record
    owner: NDArray[np.int64]  # of each slot
    nearest: NDArray[np.int64]  # the record that each record remembers, or NOBODY
    near: NDArray[np.float64]  # its squared distance, or a lower bound of it
    limits: NDArray[np.float64]  # an upper bound of the shortest edge of each component
    largest: int  # the component that takes no edge


@compiled
def _search(tree: Tree, state: _State, start: int, stop: int) -> None:
    """Search for records that remember nobody, leaf by leaf, for leaves `start` to `stop`.

    Whichever thread is the last to lower a limit, the limit is the length of an edge.
    """
    component, nearest, near, limits = state.component, state.nearest, state.near, state.limits
    for leaf in range(start, stop):
        for lane in range(tree.size[leaf]):
            record = tree.records[leaf, lane]
            source = component[record]
            limit = limits[source]
            if source == state.largest or nearest[record] != NOBODY or near[record] > limit:
                continue
            square, target = nearest_outside(
                tree, state.points[record], leaf, component, state.owner, source, limit
            )
            nearest[record] = target
            if target == NOBODY:
                # the nearest is farther than the search went: a lower bound for later rounds
                near[record] = np.nextafter(square, np.inf)
            else:
                near[record] = square
                limits[source] = min(limits[source], square)


def _search_pieces(tree: Tree, state: _State, start: int, stop: int, each: Each) -> None:
    """Search from the records of some leaves, on all cores."""
    piece = -(-(stop - start) // (_PIECES * cores()))

    def search(first: int) -> None:
        _search(for_thread(tree), state, first, min(stop, first + piece))

    for_all(each, search, range(start, stop, piece))


def _by_component(
    points: NDArray[np.float64], component: NDArray[np.int64], nominal: int, each: Each
) -> Tree:
    """Return a tree whose blocks of leaves hold records of one component each."""
    return build_apart(points, np.unique(component, return_inverse=True)[1], nominal, each)


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


class Boxes(NamedTuple):
    """The boxes of a table, and whether they separate records that differ in a few values."""

    tree: Tree
    apart: bool


def boxes_of(points: NDArray[np.float64], nominal: int = 0, each: Each = map) -> Boxes:
    """Return the boxes of a table, whose last `nominal` columns are codes.

    >>> boxes_of(np.arange(320.0)[:, None]).apart
    False
    """
    combination = by_few_values(points)
    if combination is not None:
        return Boxes(build_apart(points, combination, nominal, each), True)
    tree = build(points, np.arange(len(points)), points.mean(axis=0), nominal, each)
    return Boxes(tree, False)


def share_of_boxes(
    points: NDArray[np.float64],
    sample: int = 32,
    nominal: int = 0,
    boxes: Boxes | None = None,
) -> float:
    """Return the mean share of leaves that are as near to a record as its nearest other record.

    It shows how well boxes work on a table: a few per cent on most, nearly all of them on many
    independent columns.

    >>> share_of_boxes(np.arange(320.0)[:, None])
    0.05...
    """
    n = len(points)
    tree = (boxes or boxes_of(points, nominal)).tree
    owner, component = np.full(tree.first.size, MIXED), np.arange(n)
    leaves = len(tree.size)
    lowest, highest = (
        np.moveaxis(sides[: -(-leaves // LANES)], 1, 2).reshape(-1, points.shape[1])[:leaves]
        for sides in (tree.low, tree.high)
    )
    lowest, highest = lowest[tree.size > 0], highest[tree.size > 0]
    looked = 0
    records = range(0, n, max(1, n // sample))
    for record in records:
        centre, home = points[record], int(tree.place[record]) // LANES
        square, _ = nearest_outside(tree, centre, home, component, owner, record, np.inf)
        gaps = np.maximum(np.maximum(lowest - centre, centre - highest), 0.0)
        np.minimum(gaps[:, tree.numeric :], 1.0, out=gaps[:, tree.numeric :])
        looked += int(((gaps**2).sum(axis=1) <= square).sum())
    return looked / (len(records) * len(lowest))


def grow_by_boxes(
    points: NDArray[np.float64],
    advance: Advance | None = None,
    nominal: int = 0,
    boxes: Boxes | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return edges and squared lengths by Borůvka's algorithm over a tree of boxes.

    The last `nominal` columns are codes. `boxes` are those of the points, if at hand.
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
    parents, component = np.arange(n), np.empty(n, np.int64)
    nearest, near = np.full(n, NOBODY, np.int64), np.zeros(n)
    shortest, ends = np.empty(n), np.empty((n, 2), np.int64)
    count, reported, pace = 0, 0, float(_FIRST_STRETCH)
    with on_all_cores() as each:
        tree, apart = boxes or boxes_of(points, nominal, each)
        owner = np.empty(tree.first.size, np.int64)
        while count < n - 1:
            _mark_boxes(tree, parents, component, owner)
            if not apart and (n - count) * LARGE <= n:
                tree, apart = _by_component(points, component, nominal, each), True
                owner = np.empty(tree.first.size, np.int64)
                _mark_boxes(tree, parents, component, owner)
            largest = _offer_known(component, nearest, near, shortest, ends)
            limits = shortest.copy()
            state = _State(points, component, owner, nearest, near, limits, largest)
            leaf, leaves = 0, len(tree.size)
            while leaf < leaves:
                start, stop = time.perf_counter(), min(leaves, leaf + max(1, int(pace / LANES)))
                _search_pieces(tree, state, leaf, stop, each)
                pace = next_pace(pace, start)
                leaf = stop
                if advance is not None:
                    reached = count + (n - 1 - count) // 2 * leaf // leaves
                    advance(max(0, reached - reported))
                    reported = max(reported, reached)
            _offer_known(component, nearest, near, shortest, ends)
            count = _join(parents, shortest, ends, largest, edges, squares, count)
    if advance is not None:
        advance(n - 1 - reported)
    return edges, squares
