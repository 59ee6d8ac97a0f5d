"""Pairs of households that are alike and live in different areas.

Households that may be exchanged with one another have the same *cell*. Within a cell as many pairs
as possible are made: the households are put in the order of their areas, and each is paired with
the one half a cell away. Both are of one area only where that area has more than half of the cell,
and then all others have a partner of that area.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.int64]


def pairs(cells: Labels, areas: Labels, generator: np.random.Generator) -> Labels:
    """Return as many pairs as there can be of the same cell and different areas, a row for each.

    >>> pairs(np.array([0, 0, 0, 1]), np.array([5, 5, 6, 6]), np.random.default_rng(1)).tolist()
    [[2, 1]]
    """
    shuffled = generator.permutation(int(areas.max(initial=-1)) + 1)
    order = np.lexsort((generator.random(len(cells)), shuffled[areas], cells))
    sizes = np.bincount(cells)
    starts = np.cumsum(sizes) - sizes
    of_cell = cells[order]
    first = np.flatnonzero(np.arange(len(cells)) - starts[of_cell] < sizes[of_cell] // 2)
    half = (sizes[of_cell[first]] + 1) // 2
    made = np.stack([order[first], order[first + half]], axis=1)
    return np.asarray(made[areas[made[:, 0]] != areas[made[:, 1]]])


def lacking(cells: Labels, areas: Labels, count: int) -> tuple[Labels, Labels]:
    """Return how many more households each of `count` cells needs for all in it to be paired.

    If one area has more than half of a cell, they must be of other areas; it is returned too, and
    is −1 where any area will do.

    >>> needed, larger = lacking(np.array([0, 0, 0, 1, 1]), np.array([5, 5, 5, 5, 6]), 2)
    >>> needed.tolist(), larger.tolist()
    ([3, 0], [5, -1])
    """
    width = int(areas.max(initial=-1)) + 1
    blocks, in_block = np.unique(cells * width + areas, return_counts=True)
    by_size = np.argsort(in_block, kind="stable")
    total = np.bincount(cells, minlength=count)
    most, largest = np.zeros(count, dtype=np.int64), np.full(count, -1)
    # Written last, and so kept: the largest block of each cell.
    most[blocks[by_size] // max(width, 1)] = in_block[by_size]
    largest[blocks[by_size] // max(width, 1)] = blocks[by_size] % max(width, 1)
    largest[2 * most <= total] = -1
    return np.maximum(2 * most - total, total % 2), largest


def first_of_each(groups: Labels, limits: Labels) -> NDArray[np.bool_]:
    """Return which entries are among the first of their group, as many as its limit.

    >>> first_of_each(np.array([0, 1, 0, 0]), np.array([2, 0])).tolist()
    [True, False, True, False]
    """
    return ranks_within(groups) < limits[groups]


def ranks_within(groups: Labels) -> Labels:
    """Return the place of each entry among those of its group, from 0.

    >>> ranks_within(np.array([0, 1, 0, 0])).tolist()
    [0, 0, 1, 2]
    """
    order = np.argsort(groups, kind="stable")
    sizes = np.bincount(groups)
    starts = np.cumsum(sizes) - sizes
    places = np.empty(len(groups), dtype=np.int64)
    places[order] = np.arange(len(groups)) - starts[groups[order]]
    return places
