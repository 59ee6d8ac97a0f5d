"""The nearest record among others, and how far it is, without an n × n matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.microdata import Numbers

BLOCK = 4_096


def nearest_among(
    points: Numbers, others: Numbers, context: Context
) -> tuple[NDArray[np.int64], Numbers]:
    """Return for each point the nearest of the others and the distance to it.

    >>> nearest_among(np.array([[0.0], [9.0]]), np.array([[1.0], [7.0]]), Context())
    (array([0, 1]), array([1., 2.]))
    """
    return _nearest(points, others, context, itself=False)


def nearest_other(points: Numbers, rows: NDArray[np.int64], context: Context) -> Numbers:
    """Return for these rows the distance to the nearest point of another row.

    >>> nearest_other(np.array([[0.0], [1.0], [1.0], [5.0]]), np.array([0, 1, 3]), Context())
    array([1., 0., 4.])
    """
    return _nearest(points[rows], points, context, itself=True, rows=rows)[1]


def _nearest(
    points: Numbers,
    others: Numbers,
    context: Context,
    *,
    itself: bool,
    rows: NDArray[np.int64] | None = None,
) -> tuple[NDArray[np.int64], Numbers]:
    from sklearn.neighbors import NearestNeighbors

    neighbours = NearestNeighbors(n_neighbors=2 if itself else 1).fit(others)
    index = np.empty(len(points), dtype=np.int64)
    with context.task("finding the nearest records", len(points)) as advance:
        for start in range(0, len(points), BLOCK):
            part = slice(start, start + BLOCK)
            candidates = neighbours.kneighbors(points[part], return_distance=False)
            first = candidates[:, 0]
            if rows is not None:
                # Of several equal records any may come first, the record itself or not.
                first = np.where(first == rows[part], candidates[:, 1], first)
            index[part] = first
            advance(len(first))
    # Taken anew: a search by matrix products leaves equal points a small distance apart.
    return index, np.sqrt(((points - others[index]) ** 2).sum(axis=1))
