"""How the records of a `discreet.kernels.kdtree.Tree` are divided among its leaves, at medians."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled, in_place, inner
from discreet.kernels.cores import Each, for_all
from discreet.kernels.lanes import LANES

PIECE = 4_096
"""The most records that one thread divides at a time."""


@inner
def before(value: float, record: int, other_value: float, other_record: int) -> bool:
    """Whether a pair comes first: by its value, then by its record."""
    return value < other_value or (value == other_value and record < other_record)


@in_place
def _split(
    values: NDArray[np.float64], order: NDArray[np.int64], start: int, stop: int, rank: int
) -> None:
    """Put the smallest (value, record) pairs of start..stop before `rank` (Hoare's select)."""
    while stop - start > 1:
        middle = (start + stop) // 2
        value, record = values[middle], order[middle]
        i, j = start, stop - 1
        while i <= j:
            while before(values[i], order[i], value, record):
                i += 1
            while before(value, record, values[j], order[j]):
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if rank <= j:
            stop = j + 1
        elif rank >= i:
            start = i
        else:
            return


@in_place
def _widest(
    points: NDArray[np.float64],
    order: NDArray[np.int64],
    start: int,
    stop: int,
    counts: NDArray[np.int64],
) -> int:
    """Column of largest variance, judged by at most a few hundred of the records.

    `counts` has a row of zeros for each nominal column, at the end as at the start.
    """
    step = max(1, (stop - start) // 256)
    best, widest = -1.0, 0
    for j in range(points.shape[1] - len(counts)):
        origin = points[order[start], j]
        size, total, squares = 0, 0.0, 0.0
        for i in range(start, stop, step):
            gap = points[order[i], j] - origin
            size += 1
            total += gap
            squares += gap * gap
        variance = squares - total * total / size
        if variance > best:
            best, widest = variance, j
    for m in range(len(counts)):
        j = points.shape[1] - len(counts) + m
        size, squares = 0, 0
        for i in range(start, stop, step):
            code = int(points[order[i], j])
            size += 1
            squares += 2 * counts[m, code] + 1
            counts[m, code] += 1
        for i in range(start, stop, step):
            counts[m, int(points[order[i], j])] = 0
        variance = 0.5 * (size - squares / size)
        if variance > best:
            best, widest = variance, j
    return widest


@compiled
def _sort(
    points: NDArray[np.float64],
    order: NDArray[np.int64],
    values: NDArray[np.float64],
    counts: NDArray[np.int64],
    most: int,
    ends: NDArray[np.int64],
) -> int:
    """Cut `order` into parts of at most this many records; returns their number and their ends.

    `values` is working space for as many.
    """
    n, parts = len(order), 0
    starts, stops = np.empty(128, np.int64), np.empty(128, np.int64)
    starts[0], stops[0] = 0, n
    depth = 1
    while depth > 0:
        depth -= 1
        start, stop = starts[depth], stops[depth]
        size = stop - start
        if size <= most:
            if len(ends):
                ends[parts] = stop
            parts += 1
            continue
        # cut at a whole number of leaves, and of whole subtrees, so that blocks are compact
        whole = LANES
        while whole * LANES < size:
            whole *= LANES
        rank = start + max(1, (size // 2 + whole // 2) // whole) * whole
        column = _widest(points, order, start, stop, counts)
        for i in range(start, stop):
            values[i] = points[order[i], column]
        _split(values, order, start, stop, rank)
        starts[depth], stops[depth] = rank, stop
        starts[depth + 1], stops[depth + 1] = start, rank
        depth += 2
    return parts


def sort_into_leaves(
    points: NDArray[np.float64],
    order: NDArray[np.int64],
    nominal: int,
    widest: int,
    each: Each = map,
) -> None:
    """Arrange `order` so that each run of LANES records is a leaf.

    The last `nominal` columns have codes below `widest`. `each` works like `map`, possibly on
    several threads.

    >>> order = np.arange(20)
    >>> sort_into_leaves(np.arange(20.0)[::-1, None], order, 0, 0)
    >>> sorted(order[LANES:].tolist())
    [0, 1, 2, 3]
    """

    # Threads that give memory back make all others wait, so that they share one working space.
    values = np.empty(len(order))
    halves: list[slice] = []

    def cut(part: slice, most: int, ends: NDArray[np.int64]) -> int:
        counts = np.zeros((nominal, widest), np.int64)
        return _sort(points, order[part], values[part], counts, most, ends)

    def halve(part: slice) -> None:
        size = part.stop - part.start
        ends = np.empty(size // LANES + 1, np.int64)
        count = cut(part, max(PIECE, 2 * size // 3), ends)
        bounds = part.start + np.append(0, ends[:count])
        halves.extend(slice(start, stop) for start, stop in pairwise(bounds.tolist()))

    def sort(part: slice) -> None:
        cut(part, LANES, order[:0])

    # The outcome for a part depends on its own records only.
    parts = [slice(0, len(order))]
    while max(part.stop - part.start for part in parts) > PIECE:
        halves.clear()
        for_all(each, halve, parts)
        parts = halves.copy()
    for_all(each, sort, parts)
