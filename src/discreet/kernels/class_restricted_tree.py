"""The class-restricted spanning tree of CREST (Li & Sarkar 2013, §4, Definition 3).

Prim's algorithm, with the composite distance of a candidate edge e from u in the tree to v outside

    CD(e) = α L(e) + (1 − α) JSD(B(e))

in place of its length. B(e) is u, v and the first b − 2 vertices met by a breadth-first search
from u in the tree so far: fewer edges away first, then nearer to u, then the lower record. It
changes while vertices join near u, and so do the distances of all edges from u.

Only the class of v enters the divergence, so among all v of one class the nearest to u comes
first whatever the neighbourhood is. For each u and class that one vertex is stored, and when the
neighbourhood of u changes, a new divergence is added to the old lengths. The vertex is searched for
only when its edge would be taken: until then the length of the previous one, which has since
joined, is a lower bound. The search is in `discreet.kernels.class_restricted_outside`.

Both parts of the distance are on the grid of `discreet.kernels.divergence`. Ties go to the lower v,
then to the lower u.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from discreet.kernels.apart import address, call, kind_of
from discreet.kernels.class_restricted_outside import (
    Outside,
    first_of_class,
    leave,
    outside_of,
)
from discreet.kernels.compiling import compiled, in_place, inner
from discreet.kernels.divergence import jensen_shannon, on_grid
from discreet.kernels.stretches import Advance, next_pace
from discreet.kernels.tree_neighbourhoods import (
    Near,
    edge_length,
    empty_neighbourhoods,
    full_before,
    meet,
)

_FIRST_STRETCH = 50
"""Records in the first stretch, a guess."""

_NOBODY = -1


class _File(NamedTuple):
    """What does not change: the records and the weights."""

    points: NDArray[np.float64]  # (n, d)
    attributes: float
    classes: NDArray[np.int64]  # (n,)
    shares: NDArray[np.float64]  # (classes,) of the file
    alpha: float


class _Grown(NamedTuple):
    """The tree so far, as chains of arcs: two for each edge."""

    edges: NDArray[np.int64]  # (n − 1, 2) from the tree to the vertex that joined
    lengths: NDArray[np.float64]
    latest: NDArray[np.int64]  # (n,) the last arc that leaves a vertex
    before: NDArray[np.int64]  # (2n − 2,) the arc before it
    joined: NDArray[np.bool_]
    queue: NDArray[np.int64]  # (n, 3) working space for a search: vertex, reached from, edges away


class _Candidates(NamedTuple):
    """The first edge from each vertex of the tree to each class, and their tournament."""

    end: NDArray[np.int64]  # (n, classes) the vertex outside, or one that has joined since
    length: NDArray[np.float64]  # α L
    divergence: NDArray[np.float64]  # (1 − α) JSD
    best: NDArray[np.int64]  # (n,) the class whose edge comes first
    winner: NDArray[np.int64]  # a binary tree over the vertices, from 1; _NOBODY outside


@in_place
def _search(
    outside: Outside,
    candidates: _Candidates,
    file: _File,
    u: int,
    c: int,
) -> None:
    """Find the first vertex of a class outside the tree, by (α L, vertex)."""
    candidates.length[u, c], candidates.end[u, c] = first_of_class(
        outside, u, c, file.attributes, file.alpha
    )


@in_place
def _wins(candidates: _Candidates, u: int, v: int) -> bool:
    """Whether the edge from u comes before that from v."""
    if u == _NOBODY or v == _NOBODY:
        return bool(v == _NOBODY)
    c, d = candidates.best[u], candidates.best[v]
    first = candidates.length[u, c] + candidates.divergence[u, c]
    second = candidates.length[v, d] + candidates.divergence[v, d]
    if first != second:
        return bool(first < second)
    if candidates.end[u, c] != candidates.end[v, d]:
        return bool(candidates.end[u, c] < candidates.end[v, d])
    return u < v


@inner
def _enter(candidates: _Candidates, u: int) -> None:
    """Find the class whose edge from u comes first, and play the tournament again from u up."""
    best = 0
    for c in range(1, candidates.end.shape[1]):
        value = candidates.length[u, c] + candidates.divergence[u, c]
        least = candidates.length[u, best] + candidates.divergence[u, best]
        if value < least or (value == least and candidates.end[u, c] < candidates.end[u, best]):
            best = c
    candidates.best[u] = best
    node = len(candidates.winner) // 2 + u
    candidates.winner[node] = u
    while node > 1:
        node //= 2
        left, right = candidates.winner[2 * node], candidates.winner[2 * node + 1]
        candidates.winner[node] = left if _wins(candidates, left, right) else right


@inner
def _diverge(
    candidates: _Candidates,
    near: Near,
    file: _File,
    u: int,
    counts: NDArray[np.int64],
) -> None:
    """Set (1 − α) JSD(B(e)) of the edges from u to each class."""
    for c in range(len(counts)):
        counts[c] = 0
    counts[file.classes[u]] += 1
    for i in range(near.size[u]):
        counts[file.classes[near.vertex[u, i]]] += 1
    size = near.size[u] + 2
    for c in range(len(counts)):
        counts[c] += 1
        divergence = jensen_shannon(counts, size, file.shares)
        candidates.divergence[u, c] = on_grid((1 - file.alpha) * divergence)
        counts[c] -= 1


@in_place
def _connect(
    grown: _Grown,
    near: Near,
    candidates: _Candidates,
    file: _File,
    w: int,
    counts: NDArray[np.int64],
) -> None:
    """Search the tree from w, a vertex that has just joined, for neighbourhoods that it changes.

    If the neighbourhood of a vertex is full of vertices that are fewer edges away than w, so are
    all neighbourhoods beyond it: the search goes no further, unless that of w itself has room.
    """
    points, attributes, queue = file.points, file.attributes, grown.queue
    queue[0, 0], queue[0, 1], queue[0, 2] = w, _NOBODY, 0
    taken, queued = 0, 1
    while taken < queued:
        u, origin, level = queue[taken, 0], queue[taken, 1], queue[taken, 2]
        taken += 1
        full = False
        if u != w:
            full = full_before(near, u, level)
            if not full and meet(near, u, w, level, edge_length(points, u, w, attributes)):
                _diverge(candidates, near, file, u, counts)
                _enter(candidates, u)
        if full and full_before(near, w, level + 1):
            continue
        arc = grown.latest[u]
        while arc != _NOBODY:
            edge, side = arc // 2, arc % 2
            other = grown.edges[edge, 1 - side]
            if other != origin:
                queue[queued, 0], queue[queued, 1], queue[queued, 2] = other, u, level + 1
                queued += 1
                if not full_before(near, w, level + 1):
                    meet(near, w, other, level + 1, edge_length(points, w, other, attributes))
            arc = grown.before[arc]


@compiled
def _join(
    outside: Outside,
    grown: _Grown,
    near: Near,
    candidates: _Candidates,
    file: _File,
    w: int,
    counts: NDArray[np.int64],
) -> None:
    """Add a vertex to the tree, which already has its edge."""
    leave(outside, w, file.classes[w])
    grown.joined[w] = True
    if near.vertex.shape[1] > 0:
        _connect(grown, near, candidates, file, w, counts)
    _diverge(candidates, near, file, w, counts)
    for other in range(len(counts)):
        candidates.length[w, other], candidates.end[w, other] = 0.0, _NOBODY
    _enter(candidates, w)


@compiled
def _grow(
    outside: Outside,
    grown: _Grown,
    near: Near,
    candidates: _Candidates,
    file: _File,
    join: int,
    begin: int,
    start: int,
    stop: int,
) -> None:
    """Add the edges `start` to `stop`; `join` is the address of `_join`."""
    counts = np.zeros(len(file.shares), np.int64)
    if start == 0:
        call(join, outside, grown, near, candidates, file, begin, counts)
    for edge in range(start, stop):
        while True:
            u = candidates.winner[1]
            v = candidates.end[u, candidates.best[u]]
            if v != _NOBODY and not grown.joined[v]:
                break
            _search(outside, candidates, file, u, candidates.best[u])
            _enter(candidates, u)
        grown.edges[edge, 0], grown.edges[edge, 1] = u, v
        grown.lengths[edge] = edge_length(file.points, u, v, file.attributes)
        grown.before[2 * edge], grown.latest[u] = grown.latest[u], 2 * edge
        grown.before[2 * edge + 1], grown.latest[v] = grown.latest[v], 2 * edge + 1
        call(join, outside, grown, near, candidates, file, v, counts)


def class_restricted_tree(
    points: NDArray[np.float64],
    attributes: int,
    classes: NDArray[np.int64],
    *,
    alpha: float,
    b: int,
    start: int,
    advance: Advance | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the edges of the class-restricted spanning tree as they join, and their lengths.

    Parameters
    ----------
    points
        Records by coordinates, at least one record. The length of an edge is the Euclidean
        distance over the root of `attributes`, so that it lies between 0 and 1 where each
        attribute differs by 1 at most.
    attributes
        The number of attributes behind the coordinates.
    classes
        The class of each record, from 0 without gaps.
    alpha
        Weight of the length, from 0 to 1; the rest is that of the divergence.
    b
        Size of the neighbourhood of an edge, 2 or more.
    start
        The record to begin with.
    advance
        Called between stretches of work with the number of edges added since the last call.

    Returns
    -------
    Pairs of records, the one in the tree first, in an array with n − 1 rows; and n − 1 lengths.

    Examples
    --------
    >>> points, classes = np.array([[0.0], [0.1], [0.3], [1.0]]), np.array([0, 0, 1, 1])
    >>> edges, lengths = class_restricted_tree(points, 1, classes, alpha=0.5, b=2, start=3)
    >>> edges.tolist()          # record 2 is nearer to 3, but of the same class
    [[3, 1], [1, 2], [2, 0]]
    """
    points = np.require(points, np.float64, ["C", "A", "W"])
    classes = np.ascontiguousarray(classes, np.int64)
    n = len(points)
    totals = np.bincount(classes)
    outside = outside_of(points, classes)
    grown = _Grown(
        edges=np.empty((n - 1, 2), np.int64),
        lengths=np.empty(n - 1),
        latest=np.full(n, _NOBODY),
        before=np.full(2 * n - 2, _NOBODY),
        joined=np.zeros(n, np.bool_),
        queue=np.empty((n, 3), np.int64),
    )
    # In a small file a neighbourhood has all other records at most.
    room = min(b, n + 1) - 2
    near = empty_neighbourhoods(n, room)
    leaves = 1 << max(n - 1, 1).bit_length()
    candidates = _Candidates(
        end=np.full((n, len(totals)), _NOBODY),
        length=np.zeros((n, len(totals))),
        divergence=np.zeros((n, len(totals))),
        best=np.zeros(n, np.int64),
        winner=np.full(2 * leaves, _NOBODY),
    )
    file = _File(points, float(attributes), classes, totals / n, float(alpha))
    state = outside, grown, near, candidates, file
    join = address(_join, *map(kind_of, state), types.int64, types.int64[::1])
    done, pace = 0, float(_FIRST_STRETCH)
    while done < n - 1:
        clock, stop = time.perf_counter(), min(n - 1, done + max(1, int(pace)))
        _grow(*state, join, start, done, stop)
        pace = next_pace(stop - done, clock)
        if advance is not None:
            advance(stop - done)
        done = stop
    return grown.edges, grown.lengths
