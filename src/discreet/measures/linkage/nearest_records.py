"""The nearest record among others, and how far it is, without an n × n matrix."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.microdata import Numbers

BLOCK = 4_096
TREE_DIMENSIONS = 15
"""With more columns, boxes exclude few records, and matrix products are faster."""
FEW_PAIRS = 2e7
"""Up to this many comparisons are done before a tree would even be loaded."""

Search = Callable[[Numbers], NDArray[np.int64]]
"""Returns the nearest points, a row for each point."""


def nearest_among(
    points: Numbers, others: Numbers, context: Context
) -> tuple[NDArray[np.int64], Numbers]:
    """Return for each point the nearest of the others and the distance to it.

    >>> nearest_among(np.array([[0.0], [9.0]]), np.array([[1.0], [7.0]]), Context())
    (array([0, 1]), array([1., 2.]))
    """
    return _nearest(points, others, context)


def nearest_other(points: Numbers, rows: NDArray[np.int64], context: Context) -> Numbers:
    """Return for these rows the distance to the nearest point of another row.

    >>> nearest_other(np.array([[0.0], [1.0], [1.0], [5.0]]), np.array([0, 1, 3]), Context())
    array([1., 0., 4.])
    """
    return _nearest(points[rows], points, context, rows)[1]


def _nearest(
    points: Numbers, others: Numbers, context: Context, rows: NDArray[np.int64] | None = None
) -> tuple[NDArray[np.int64], Numbers]:
    """Return the nearest of the others; `rows` says which of these the points are, if they are."""
    count = 1 if rows is None else 2
    wide = others.shape[1] > TREE_DIMENSIONS
    small = wide or len(points) * len(others) < FEW_PAIRS
    search = _by_comparison(others, count) if small else _by_tree(others, count)

    def block(start: int) -> NDArray[np.int64]:
        part = slice(start, start + BLOCK)
        two_nearest = search(points[part])
        first = two_nearest[:, 0]
        # Among equal records any may come first, the record itself or another.
        return first if rows is None else np.where(first == rows[part], two_nearest[:, 1], first)

    index = np.empty(len(points), dtype=np.int64)
    with (
        context.task("finding the nearest records", len(points)) as advance,
        ThreadPoolExecutor(1 if small else os.cpu_count()) as threads,
    ):
        starts = range(0, len(points), BLOCK)
        for start, first in zip(starts, threads.map(block, starts), strict=True):
            index[start : start + BLOCK] = first
            advance(len(first))
    # Computed again: a search by matrix products leaves equal points a small distance apart.
    return index, np.sqrt(((points - others[index]) ** 2).sum(axis=1))


def _by_comparison(others: Numbers, count: int) -> Search:
    """Return a search that is ready quickly."""
    from sklearn.neighbors import NearestNeighbors

    neighbours = NearestNeighbors(n_neighbors=count).fit(others)

    def search(points: Numbers) -> NDArray[np.int64]:
        rows: NDArray[np.int64] = neighbours.kneighbors(points, return_distance=False)
        return rows

    return search


def _by_tree(others: Numbers, count: int) -> Search:
    """Return a search in a tree of boxes; among equally near points it finds the first."""
    from discreet.kernels.kdtree import build, for_thread
    from discreet.kernels.neighbours import nearest_to_each

    others = np.ascontiguousarray(others)
    tree = build(others, np.arange(len(others)), others.mean(axis=0))

    def search(points: Numbers) -> NDArray[np.int64]:
        rows = np.empty((len(points), count), dtype=np.int64)
        nearest_to_each(for_thread(tree), np.ascontiguousarray(points), rows)
        return rows

    return search
