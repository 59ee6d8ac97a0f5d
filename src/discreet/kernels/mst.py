"""Euclidean minimum spanning trees, exact and deterministic, in memory for n edges.

Edges are put in one strict order: by their squared length in float64, summed in the order of
the columns; among equal lengths by the lower of their two records, then by the higher. In a
strict order there is exactly one minimum spanning tree, so the tree is a function of the data
alone, and both algorithms give the same one.

Records that agree in every column are joined first, each to the first of them in the file.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled
from discreet.kernels.cores import on_all_cores
from discreet.kernels.magnitude import in_range
from discreet.kernels.stretches import Advance, next_pace
from discreet.kernels.tree_growing import boxes_of, grow_by_boxes, share_of_boxes

_FIRST_STRETCH = 10_000_000
"""Comparisons in the first stretch, a guess."""

# Comparisons in one pass over the columns: their sums stay in the nearest cache.
_BLOCK = 512

# Comparing this many records with each other takes less time than compiling boxes.
_FEW_RECORDS = 4_000
# A record that has to open more than this share of the boxes to find the nearest one is
# better compared with all records (equal times at 20,000 × 13 independent normal columns).
_MANY_BOXES = 0.3


@compiled
def _grow(
    columns: NDArray[np.float64],
    left: NDArray[np.int64],
    keys: NDArray[np.float64],
    ends: NDArray[np.int64],
    edges: NDArray[np.int64],
    squares: NDArray[np.float64],
    latest: NDArray[np.float64],
    sums: NDArray[np.float64],
    nominal: int,
    start: int,
    stop: int,
) -> None:
    """Add the edges `start` to `stop` of Prim's algorithm.

    `left` holds the records outside the tree, side by side with their columns, the squared
    length of their shortest edge into it and the record at the end of that edge. `latest` is
    the record that joined last, after its columns in the last place.
    """
    d = columns.shape[0]
    for edge in range(start, stop):
        size = len(left) - edge
        joined = int(latest[d])
        shortest, low, high, at = np.inf, 0, 0, 0
        for first in range(0, size, len(sums)):
            width = min(len(sums), size - first)
            for i in range(width):
                sums[i] = 0.0
            for j in range(d - nominal):
                value, column = latest[j], columns[j, first : first + width]
                for i in range(len(column)):
                    gap = column[i] - value
                    sums[i] += gap * gap
            for j in range(d - nominal, d):
                value, column = latest[j], columns[j, first : first + width]
                for i in range(len(column)):
                    sums[i] += 1.0 if column[i] != value else 0.0
            for i in range(width):
                place = first + i
                if sums[i] < keys[place] or (sums[i] == keys[place] and joined < ends[place]):
                    keys[place], ends[place] = sums[i], joined
                if keys[place] <= shortest:
                    outer, inner = left[place], ends[place]
                    lower, higher = min(outer, inner), max(outer, inner)
                    if keys[place] < shortest or (lower < low or (lower == low and higher < high)):
                        shortest, low, high, at = keys[place], lower, higher, place
        edges[edge, 0], edges[edge, 1], squares[edge] = low, high, shortest
        # the record joins the tree, and the last one outside takes its place
        for j in range(d):
            latest[j] = columns[j, at]
            columns[j, at] = columns[j, size - 1]
        latest[d] = left[at]
        left[at], keys[at], ends[at] = left[size - 1], keys[size - 1], ends[size - 1]


def grow_by_comparison(
    points: NDArray[np.float64], advance: Advance | None = None, nominal: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return edges and squared lengths by Prim's algorithm: all pairs compared, O(n) memory.

    The last `nominal` columns are codes.

    >>> edges, squares = grow_by_comparison(np.array([[0.0], [5.0], [2.0]]))
    >>> edges.tolist(), squares.tolist()
    ([[0, 2], [1, 2]], [4.0, 9.0])
    """
    n, d = points.shape
    edges, squares = np.empty((max(n - 1, 0), 2), np.int64), np.empty(max(n - 1, 0))
    columns = np.array(points[1:].T, order="C")  # a copy: records move as others leave
    left, keys = np.arange(1, n), np.full(max(n - 1, 0), np.inf)
    ends = np.zeros(max(n - 1, 0), np.int64)
    latest, sums = np.append(points[0] if n else np.zeros(d), 0.0), np.empty(_BLOCK)
    done, pace = 0, _FIRST_STRETCH
    while done < n - 1:
        start = time.perf_counter()
        stop = min(n - 1, done + max(1, pace // (n - done)))
        _grow(columns, left, keys, ends, edges, squares, latest, sums, nominal, done, stop)
        pace = int(next_pace(pace, start))
        if advance is not None:
            advance(stop - done)
        done = stop
    return edges, squares


def _in_order(points: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return an order in which equal records are adjacent, in the order of the file.

    Also return for each position whether its record differs from the previous one.
    """
    n = len(points)
    keys, new = np.zeros(n), np.ones(n, np.bool_)
    for j, column in enumerate(points.T):
        keys += np.sqrt(j + 2.0) * column
    order = np.argsort(keys, kind="stable")
    again = np.flatnonzero(keys[order[1:]] == keys[order[:-1]]) + 1
    new[again] = (points[order[again]] != points[order[again - 1]]).any(axis=1)
    if new[again].any():  # different records with the same key
        order = np.lexsort(points.T[::-1])
        new[1:] = (points[order[1:]] != points[order[:-1]]).any(axis=1)
    return order, new


def _first_of_equals(points: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the records that have no equal before them, and for each record the first equal."""
    n = len(points)
    order, new = _in_order(points)
    first = np.empty(n, np.int64)
    # the sort is stable, so each run of equals begins with the lowest index
    first[order] = order[new][np.cumsum(new) - 1]
    return np.flatnonzero(first == np.arange(n)), first


def minimum_spanning_tree(
    points: NDArray[np.float64], advance: Advance | None = None, nominal: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the edges of the minimum spanning tree, shortest first, and their lengths.

    Ties go to the lower of the two records, then to the higher; records that
    are equal in all columns are joined to the first of them before anything else.

    With few columns, or many correlated ones, time grows little faster than the number of
    records; otherwise all pairs are compared (Prim). Which is faster is judged from a sample of the
    records, and has no influence on the tree.

    Parameters
    ----------
    points
        Records by columns, finite; codes from 0 in nominal columns, which count 1 where they
        differ.
    advance
        Called between stretches of work with the number of edges added since the last call.
        What it raises stops the run.
    nominal
        How many of the columns, the last ones, are nominal.

    Returns
    -------
    Pairs of records, the lower index first, in an array with n - 1 rows; and n - 1 lengths.

    Examples
    --------
    >>> import numpy as np
    >>> places = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 4.0], [9.0, 0.0], [3.0, 0.0]])
    >>> edges, lengths = minimum_spanning_tree(places)
    >>> edges.tolist()
    [[1, 4], [0, 1], [0, 2], [1, 3]]
    >>> lengths.tolist()
    [0.0, 3.0, 4.0, 6.0]
    """
    points = np.require(points, np.float64, ["C", "A", "W"])
    points, exponent = in_range(points, "a spanning tree", nominal)
    n = len(points)
    firsts, first = _first_of_equals(points)
    again = np.flatnonzero(first != np.arange(n))
    if advance is not None and len(again):
        advance(len(again))
    apart = points[firsts]
    boxes = None
    if len(apart) > _FEW_RECORDS:
        with on_all_cores() as each:
            boxes = boxes_of(apart, nominal, each)
    if boxes is None or share_of_boxes(apart, nominal=nominal, boxes=boxes) > _MANY_BOXES:
        edges, squares = grow_by_comparison(apart, advance, nominal)
    else:
        edges, squares = grow_by_boxes(apart, advance, nominal, boxes)
    order = np.lexsort((edges[:, 1], edges[:, 0], squares))
    stars = np.column_stack([first[again], again])
    stars = stars[np.lexsort((stars[:, 1], stars[:, 0]))]
    lengths = np.ldexp(np.sqrt(squares[order]), exponent)
    return (
        np.concatenate([stars, firsts[edges[order]]]),
        np.concatenate([np.zeros(len(stars)), lengths]),
    )
