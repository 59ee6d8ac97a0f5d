"""Trees whose boxes separate the parts of a table: records that differ in columns of few values.

A tree of boxes is cut where records spread farthest. In a table with categories, answers on a scale
or counts, its boxes then hold several combinations of those values, and exclude little: there is a
gap between any two combinations, but none between a record and a box that holds them both. A search
that has found nothing nearer than such a gap must visit all boxes around. Here a block of leaves
has records of a single combination.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.cores import Each, for_all
from discreet.kernels.kdtree import NOBODY, Tree, build
from discreet.kernels.kdtree_leaves import PIECE, sort_into_leaves
from discreet.kernels.lanes import LANES

LARGE = 200
"""With this many records on average parts are worth boxes of their own: some ten leaves."""
FEW_VALUES = 64
_SAMPLE = 2_000
"""Records that are enough to show whether a column has few values."""
_BLOCK = LANES * LANES
"""Records of a block of leaves."""
_AT_ONCE = 64
"""Small parts that one thread divides at a time."""


def by_few_values(
    points: NDArray[np.float64], within: NDArray[np.int64] | None = None
) -> NDArray[np.int64] | None:
    """Return the part of each record, from 0: its combination in the columns of few values.

    Parts are formed within others, if these are given. Columns are taken in order of their number
    of values, fewest first, and left out if parts would have fewer than `LARGE` records on average.
    Returns None if no column is left.

    >>> points = np.column_stack([np.arange(800) // 400, np.arange(800) % 2, np.arange(800)])
    >>> np.bincount(by_few_values(points.astype(float)))
    array([200, 200, 200, 200])
    """
    n = len(points)
    part = np.zeros(n, np.int64) if within is None else within
    some = points[:: max(1, n // _SAMPLE)]
    counts = np.array([len(np.unique(column)) for column in some.T], np.int64)
    before = parts = int(part.max(initial=0)) + 1
    for j in np.argsort(counts, kind="stable"):
        if counts[j] > FEW_VALUES:
            break
        values, codes = _codes(points[:, j], some[:, j])
        if len(values) > FEW_VALUES:
            continue
        both = part * len(values) + codes
        number = np.cumsum(np.bincount(both) > 0) - 1
        if (number[-1] + 1) * LARGE <= n:
            part, parts = number[both], int(number[-1]) + 1
    return part if parts > before else None


def _codes(
    column: NDArray[np.float64], some: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the values of a column in order, and which each record has; `some` has most values."""
    values = np.unique(some)
    codes = np.minimum(np.searchsorted(values, column), len(values) - 1)
    if not np.array_equal(values[codes], column):
        values, codes = np.unique(column, return_inverse=True)
    return values, codes


def _side_by_side(
    points: NDArray[np.float64], part: NDArray[np.int64], nominal: int
) -> NDArray[np.int64]:
    """Return the parts renumbered, so that parts with near centres follow each other.

    The last `nominal` columns are codes; a centre has those of one of its records.
    """
    numeric = points.shape[1] - nominal
    sizes = np.bincount(part)
    centres = np.empty((len(sizes), points.shape[1]))
    centres[part[::-1]] = points[::-1]
    for j in range(numeric):
        centres[:, j] = np.bincount(part, points[:, j]) / sizes
    order = np.arange(len(sizes))
    sort_into_leaves(centres, order, nominal, int(points[:, numeric:].max(initial=0.0)) + 1)
    ranks = np.empty(len(sizes), np.int64)
    ranks[order] = np.arange(len(sizes))
    return ranks[part]


def build_apart(
    points: NDArray[np.float64],
    part: NDArray[np.int64],
    nominal: int = 0,
    each: Each = map,
) -> Tree:
    """Return a tree over all records in which each block of leaves has records of one part.

    `part` is the part of each record, from 0; parts with near centres share the boxes above. The
    last `nominal` columns are codes.

    >>> places = np.random.default_rng(1).normal(size=(320, 1))
    >>> tree = build_apart(places, np.arange(320) % 2)
    >>> [set((records[:size] % 2).tolist()) for records, size in zip(tree.records, tree.size)]
    [{0}, ..., {0}, set(), ..., set(), {1}, ..., {1}]
    """
    part = _side_by_side(points, part, nominal)
    n, widest = len(points), int(points[:, points.shape[1] - nominal :].max(initial=0.0)) + 1
    sizes = np.bincount(part)
    members = np.argsort(part, kind="stable")
    ends = np.cumsum(sizes)
    rooms = -(-sizes // _BLOCK) * _BLOCK
    starts = np.cumsum(rooms) - rooms

    def divide(parts: list[int]) -> None:
        for p in parts:
            sort_into_leaves(points, members[ends[p] - sizes[p] : ends[p]], nominal, widest)

    for p in np.flatnonzero(sizes > PIECE):
        sort_into_leaves(points, members[ends[p] - sizes[p] : ends[p]], nominal, widest, each)
    small = np.flatnonzero((sizes <= PIECE) & (sizes > 0)).tolist()
    for_all(each, divide, [small[i : i + _AT_ONCE] for i in range(0, len(small), _AT_ONCE)])
    order = np.full(int(rooms.sum()), NOBODY)
    order[np.arange(n) + np.repeat(starts - (ends - sizes), sizes)] = members
    last = int(starts[-1] + sizes[-1])
    return build(points, np.arange(n), points.mean(axis=0), nominal, each, order[:last])
