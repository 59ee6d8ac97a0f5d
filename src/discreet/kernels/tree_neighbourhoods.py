"""Neighbourhoods in a tree that grows: the first vertices met by a breadth-first search.

Li & Sarkar (2013), §4: fewer edges away first, then nearer by length, then the lower record.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import inner
from discreet.kernels.divergence import on_grid


class Near(NamedTuple):
    """The neighbourhood of each vertex without itself, in the order in which it is met."""

    size: NDArray[np.int64]  # (n,)
    vertex: NDArray[np.int64]  # (n, b − 2)
    level: NDArray[np.int64]  # edges away
    length: NDArray[np.float64]


@inner
def edge_length(points: NDArray[np.float64], u: int, v: int, attributes: float) -> float:
    """Return √(Σ differences² / attributes), on the grid.

    >>> edge_length(np.array([[0.0, 0.0], [0.6, 0.8]]), 0, 1, 4.0)
    0.5
    """
    square = 0.0
    for j in range(points.shape[1]):
        gap = points[u, j] - points[v, j]
        square += gap * gap
    return on_grid(np.sqrt(square / attributes))


def empty_neighbourhoods(n: int, room: int) -> Near:
    """Return empty neighbourhoods of n vertices, each with room for this many others.

    >>> empty_neighbourhoods(5, room=3).vertex.shape
    (5, 3)
    """
    return Near(
        size=np.zeros(n, np.int64),
        vertex=np.empty((n, room), np.int64),
        level=np.empty((n, room), np.int64),
        length=np.empty((n, room)),
    )


@inner
def meet(near: Near, u: int, vertex: int, level: int, length: float) -> bool:
    """Insert a vertex into the neighbourhood of u; returns whether there was a place for it.

    >>> near = empty_neighbourhoods(3, room=1)
    >>> meet(near, 0, 2, 1, 0.5), meet(near, 0, 1, 1, 0.7), meet(near, 0, 1, 1, 0.2)
    (True, False, True)
    >>> near.vertex[0]
    array([1])
    """
    at, room = near.size[u], near.vertex.shape[1]
    while at > 0 and (
        level < near.level[u, at - 1]
        or (
            level == near.level[u, at - 1]
            and (
                length < near.length[u, at - 1]
                or (length == near.length[u, at - 1] and vertex < near.vertex[u, at - 1])
            )
        )
    ):
        at -= 1
    if at == room:
        return False
    if near.size[u] < room:
        near.size[u] += 1
    for i in range(near.size[u] - 1, at, -1):
        near.vertex[u, i] = near.vertex[u, i - 1]
        near.level[u, i] = near.level[u, i - 1]
        near.length[u, i] = near.length[u, i - 1]
    near.vertex[u, at], near.level[u, at], near.length[u, at] = vertex, level, length
    return True


@inner
def full_before(near: Near, u: int, level: int) -> bool:
    """Whether the neighbourhood of u has no place for vertices this many edges away.

    >>> near = empty_neighbourhoods(3, room=1)
    >>> full_before(near, 0, 2), meet(near, 0, 2, 1, 0.5), full_before(near, 0, 2)
    (False, True, True)
    """
    room = near.vertex.shape[1]
    return bool(room == 0 or (near.size[u] == room and near.level[u, room - 1] < level))
