"""Lists of near records, the candidates of the local search.

Small files are scanned completely, so the lists are exact. Larger ones are cut a few times into
small cells by random hyperplanes, and each record is compared with those of its cells: time
n·log n in any number of columns. (A k-d tree takes two minutes for 100,000 × 9 normal columns.)
The search needs good candidates, not all of the nearest ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled, inner
from discreet.kernels.refine_state import squared_distance

__all__ = ["candidate_lists"]

EXACT_BELOW = 5000
CUTTINGS = 4
AT_ONCE = 500
"""Cells that one thread compares at a time."""

Each = Callable[..., Iterable[Any]]
"""Calls a function with each of some things, as `map` does."""


def candidate_lists(
    points: NDArray[np.float64], count: int, rng: np.random.Generator, each: Each = map
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Return, for each row of `points`, `count` near other rows, and the squared distances.

    The nearest comes first; with 5000 rows or more the lists are approximate. There must be more
    than `count` rows, and padded columns. `each` works like `map`, possibly on several threads.
    """
    records = points.shape[0]
    near = np.full((records, count), -1, dtype=np.int32)
    distances = np.full((records, count), np.inf, dtype=np.float32)
    if records < EXACT_BELOW:
        compare_within_cells(
            points, rng.permutation(records), np.array([0, records]), near, distances
        )
        return near, distances
    orders = [rng.permutation(records) for _ in range(CUTTINGS)]

    def cut(order: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return cut_into_cells(points, order, 3 * count // 2)

    for order, bounds in each(cut, orders):

        def compare(start: int) -> None:
            some = bounds[start : start + AT_ONCE + 1]  # noqa: B023  (used before the next)
            compare_within_cells(points, order, some, near, distances)  # noqa: B023

        # Cells have no records in common, and therefore no lists.
        for _ in each(compare, range(0, len(bounds) - 1, AT_ONCE)):
            pass
    return near, distances


def cut_into_cells(
    points: NDArray[np.float64], order: NDArray[np.int64], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Halve the records again and again, each time along a line through two of them.

    They come in a random `order`, which is overwritten. Returns them ordered by cell, with where
    each cell begins and the last one ends; cells have more than `size` and at most 2·`size` + 1
    records, if there are as many.
    """
    bounds = [0]
    pending = [(0, order.size)]
    while pending:
        begin, end = pending.pop()
        cell = order[begin:end]
        if cell.size <= 2 * size + 1:
            bounds.append(end)
            continue
        # The order is random at first, and partitioning keeps it so: any two will do.
        direction = points[cell[0]] - points[cell[-1]]
        along = places(points, cell, direction)
        middle = cell.size // 2
        order[begin:end] = cell[np.argpartition(along, middle)]
        pending += [(begin + middle, end), (begin, begin + middle)]
    return order, np.array(bounds)


@compiled
def places(
    points: NDArray[np.float64], cell: NDArray[np.int64], direction: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return where the records of a cell lie along a direction.

    Not by matrix product: its rounding may depend on the number of threads, and the records of the
    cell would have to be copied.
    """
    along = np.empty(cell.size)
    for i in range(cell.size):
        point = points[cell[i]]
        place = 0.0
        for j in range(direction.size):
            place += point[j] * direction[j]
        along[i] = place
    return along


@compiled
def compare_within_cells(
    points: NDArray[np.float64],
    order: NDArray[np.int64],
    bounds: NDArray[np.int64],
    near: NDArray[np.int32],
    distances: NDArray[np.float32],
) -> None:
    """Enter each record into the lists of those records of its cell to which it is near."""
    for cell in range(bounds.size - 1):
        for i in range(bounds[cell], bounds[cell + 1]):
            for j in range(i + 1, bounds[cell + 1]):
                distance = np.float32(squared_distance(points[order[i]], points[order[j]]))
                enter(near, distances, order[i], order[j], distance)
                enter(near, distances, order[j], order[i], distance)


@inner
def enter(
    near: NDArray[np.int32],
    distances: NDArray[np.float32],
    owner: int,
    other: int,
    distance: np.float32,
) -> None:
    """Insert `other` in the sorted list of `owner` if near enough and not there yet."""
    last = near.shape[1] - 1
    if distance >= distances[owner, last]:
        return
    for r in range(last + 1):
        if near[owner, r] == other:
            return
    r = last
    while r > 0 and distances[owner, r - 1] > distance:
        distances[owner, r] = distances[owner, r - 1]
        near[owner, r] = near[owner, r - 1]
        r -= 1
    distances[owner, r] = distance
    near[owner, r] = other
