"""Cutting a spanning tree into groups, the longest edge that may be cut first.

Edges of equal length are taken in the order of their lower record, then of their higher one.
Groups are numbered in the order of their first records.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled, inner
from discreet.kernels.stretches import Advance, next_pace

_FIRST_STRETCH = 20_000
"""Cuts in the first stretch, a guess."""


@inner
def _reaches(
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    ends: NDArray[np.int64],
    start: int,
    barred: int,
    k: int,
    queue: NDArray[np.int64],
) -> bool:
    """Whether k records are connected with `start` on its side of the edge to `barred`."""
    queue[0], queue[1] = start, barred
    queued, taken = 1, 0
    while taken < queued and queued < k:
        # each record in the queue is followed by the one from which it was reached
        record, origin = queue[2 * taken], queue[2 * taken + 1]
        taken += 1
        for i in range(starts[record], stops[record]):
            if ends[i] != origin:
                queue[2 * queued], queue[2 * queued + 1] = ends[i], record
                queued += 1
                if queued == k:
                    break
    return queued >= k


@inner
def _part(
    starts: NDArray[np.int64], stops: NDArray[np.int64], ends: NDArray[np.int64], a: int, b: int
) -> None:
    """Remove `b` from the list of the records to which `a` is joined."""
    for i in range(starts[a], stops[a]):
        if ends[i] == b:
            stops[a] -= 1
            ends[i] = ends[stops[a]]
            return


@compiled
def _cut_by_size(
    edges: NDArray[np.int64],
    order: NDArray[np.int64],
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    ends: NDArray[np.int64],
    k: int,
    queue: NDArray[np.int64],
    kept: NDArray[np.bool_],
    start: int,
    stop: int,
) -> None:
    """Go through the edges `start` to `stop` of the order, and cut those that may be cut."""
    for at in range(start, stop):
        a, b = edges[order[at], 0], edges[order[at], 1]
        if _reaches(starts, stops, ends, a, b, k, queue) and _reaches(
            starts, stops, ends, b, a, k, queue
        ):
            kept[order[at]] = False
            _part(starts, stops, ends, a, b)
            _part(starts, stops, ends, b, a)


@compiled
def _hang_up(
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    preorder: NDArray[np.int64],
    parents: NDArray[np.int64],
) -> None:
    """Root the tree at record 0: records from the top down, and their parents."""
    stack = np.empty(len(parents), np.int64)
    stack[0], parents[0] = 0, -1
    top, at = 1, 0
    while top > 0:
        top -= 1
        record = stack[top]
        preorder[at] = record
        at += 1
        for i in range(starts[record], starts[record + 1]):
            if ends[i] != parents[record]:
                parents[ends[i]] = record
                stack[top] = ends[i]
                top += 1


@compiled
def _tops(
    preorder: NDArray[np.int64], parents: NDArray[np.int64], severed: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """The highest record of the part in which each record is."""
    labels = np.empty(len(parents), np.int64)
    for record in preorder:
        if parents[record] < 0 or severed[record]:
            labels[record] = record
        else:
            labels[record] = labels[parents[record]]
    return labels


class Hanging(NamedTuple):
    """A tree rooted at record 0."""

    preorder: NDArray[np.int64]  # records from the top down, each branch contiguous
    parents: NDArray[np.int64]  # the record from which each hangs, -1 at the top
    cuts: NDArray[np.int64]  # the lower ends of the edges, in the order of cutting


class _Neighbours(NamedTuple):
    """The records joined to record r: `ends[starts[r] : starts[r + 1]]`."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


def _neighbours(edges: NDArray[np.int64], n: int) -> _Neighbours:
    sources, ends = edges.T.reshape(-1), edges[:, ::-1].T.reshape(-1)
    starts = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(sources, minlength=n), out=starts[1:])
    return _Neighbours(starts, ends[np.argsort(sources, kind="stable")])


def _longest_first(edges: NDArray[np.int64], lengths: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.lexsort((edges.max(axis=1), edges.min(axis=1), -lengths))


def hang_up(edges: NDArray[np.int64], lengths: NDArray[np.float64]) -> Hanging:
    """Return the tree rooted at record 0, with its edges in the order of cutting.

    >>> hanging = hang_up(np.array([[0, 2], [1, 2]]), np.array([1.0, 5.0]))
    >>> hanging.preorder.tolist(), hanging.parents.tolist(), hanging.cuts.tolist()
    ([0, 2, 1], [-1, 2, 0], [1, 2])
    """
    n = len(edges) + 1
    starts, ends = _neighbours(edges, n)
    preorder, parents = np.empty(n, np.int64), np.empty(n, np.int64)
    _hang_up(starts, ends, preorder, parents)
    ordered = edges[_longest_first(edges, lengths)]
    lower = np.where(parents[ordered[:, 0]] == ordered[:, 1], ordered[:, 0], ordered[:, 1])
    return Hanging(preorder, parents, lower)


def label_parts(hanging: Hanging, severed: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the part of each record once the edges above `severed` records are cut.

    >>> hanging = hang_up(np.array([[0, 2], [1, 2]]), np.array([1.0, 5.0]))
    >>> label_parts(hanging, np.array([False, True, False]))
    array([0, 1, 0])
    """
    tops = _tops(hanging.preorder, hanging.parents, severed)
    _, firsts, parts = np.unique(tops, return_index=True, return_inverse=True)
    numbers = np.empty(len(firsts), np.int64)
    numbers[np.argsort(firsts)] = np.arange(len(firsts))
    return np.asarray(numbers[parts])


def cut_by_size(
    edges: NDArray[np.int64],
    lengths: NDArray[np.float64],
    k: int,
    advance: Advance | None = None,
) -> NDArray[np.int64]:
    """Cut a spanning tree into groups of at least k records (Laszlo & Mukherjee 2005).

    The longest edge that leaves k records or more on both sides is cut, then the longest of the
    rest, until there is none. Parts only ever get smaller, so an edge that may not be cut when its
    turn comes never may be, and one pass over the edges is enough. Time O(nk).

    Parameters
    ----------
    edges, lengths
        A spanning tree with at least one record: n − 1 pairs of records and their lengths.
    k
        Least size of a group; with fewer than 2k records there is one group.
    advance
        Called between stretches of work with the number of edges seen since the last call.

    Examples
    --------
    >>> edges, lengths = np.array([[0, 1], [1, 2], [2, 3], [3, 4]]), np.array([1.0, 5.0, 1.0, 9.0])
    >>> cut_by_size(edges, lengths, k=2)
    array([0, 0, 1, 1, 1])
    """
    edges = np.ascontiguousarray(edges, np.int64)
    hanging = hang_up(edges, lengths)
    starts, ends = _neighbours(edges, len(edges) + 1)
    stops = starts[1:].copy()
    order = _longest_first(edges, lengths)
    queue, kept = np.empty(2 * k, np.int64), np.ones(len(edges), np.bool_)
    done, pace = 0, float(_FIRST_STRETCH)
    while done < len(edges):
        start, stop = time.perf_counter(), min(len(edges), done + max(1, int(pace)))
        _cut_by_size(edges, order, starts, stops, ends, k, queue, kept, done, stop)
        pace = next_pace(pace, start)
        if advance is not None:
            advance(stop - done)
        done = stop
    severed = np.zeros(len(edges) + 1, np.bool_)
    severed[hanging.cuts[~kept[order]]] = True
    return label_parts(hanging, severed)
