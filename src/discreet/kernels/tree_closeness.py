"""Cutting a spanning tree into groups whose classes are distributed as in the whole file.

Of the edges that leave at least k records, with classes within t of the file's, on both sides, the
longest is cut first.

Each edge is tried once, when its turn comes. If it may not be cut then, it never may: later its
part may have lost pieces, but if its two sides were allowed then, they would be allowed now, since
the pieces are within t themselves, and a side together with some of them is no farther from the
file than the farthest of them. (If some ordinal classes are missing, the distance need not be
convex, and a later try might succeed where this one failed; the bound still holds.)
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.closeness import closeness
from discreet.kernels.compiling import compiled, inner
from discreet.kernels.stretches import Advance, next_pace
from discreet.kernels.tree_branches import count_branches
from discreet.kernels.tree_cutting import hang_up, label_parts

_FIRST_STRETCH = 2_000
"""Cuts in the first stretch, a guess."""


class _Parts(NamedTuple):
    """The tree as it is cut so far."""

    preorder: NDArray[np.int64]
    parents: NDArray[np.int64]
    entry: NDArray[np.int64]  # (n,) the position of each record in `preorder`
    leave: NDArray[np.int64]  # (n,) and the position after its branch, before any cut
    severed: NDArray[np.bool_]  # (n,) whether the edge above a record is cut
    sizes: NDArray[np.int64]  # (n,) records of each branch, within its part
    row: NDArray[np.int64]  # (n,) the row of a branch in `counts`, or -1
    counts: NDArray[np.int64]  # classes of branches, within their parts
    part: NDArray[np.int64]  # (n,) the part of each record
    top: NDArray[np.int64]  # (parts,) the record from which a part hangs


@inner
def _rename(parts: _Parts, top: int, name: int) -> None:
    """Give another number to the part that hangs from `top`."""
    parts.part[top] = name
    at = parts.entry[top] + 1
    while at < parts.leave[top]:
        record = parts.preorder[at]
        if parts.severed[record]:
            at = parts.leave[record]
        else:
            parts.part[record] = name
            at += 1
    parts.top[name] = top


@inner
def _sever(parts: _Parts, record: int, top: int, name: int) -> None:
    """Cut the branch of a record off; the smaller side gets a new number.

    So a record gets a new number at most log₂ n times.
    """
    size = parts.sizes[record]
    branch = parts.counts[parts.row[record]]
    above = record
    while above != top:
        above = parts.parents[above]
        parts.sizes[above] -= size
        if parts.row[above] >= 0:
            for c in range(len(branch)):
                parts.counts[parts.row[above], c] -= branch[c]
    parts.severed[record] = True
    if size <= parts.sizes[top]:
        _rename(parts, record, name)
    else:
        parts.top[parts.part[record]] = record
        _rename(parts, top, name)


@compiled
def _cut_by_closeness(
    parts: _Parts,
    cuts: NDArray[np.int64],
    overall: NDArray[np.int64],
    k: int,
    t: float,
    ordered: bool,
    start: int,
    stop: int,
    count: int,
) -> int:
    """Try the edges above `cuts` from `start` to `stop`; returns how many parts there are."""
    total = len(parts.parents)
    rest = np.empty(len(overall), np.int64)
    for at in range(start, stop):
        record = cuts[at]
        top = parts.top[parts.part[record]]
        size = parts.sizes[record]
        left = parts.sizes[top] - size
        if size < k or left < k:
            continue
        branch, whole = parts.counts[parts.row[record]], parts.counts[parts.row[top]]
        if closeness(branch, size, overall, total, ordered) > t:
            continue
        for c in range(len(rest)):
            rest[c] = whole[c] - branch[c]
        if closeness(rest, left, overall, total, ordered) <= t:
            _sever(parts, record, top, count)
            count += 1
    return count


def cut_by_closeness(
    edges: NDArray[np.int64],
    lengths: NDArray[np.float64],
    k: int,
    classes: NDArray[np.int64],
    count: int,
    t: float,
    *,
    ordered: bool = False,
    advance: Advance | None = None,
) -> NDArray[np.int64]:
    """Cut a spanning tree into groups of at least k records, within t of the file's classes.

    The benchmark of Li & Sarkar (2013), §6.1: of the edges that leave such groups on both sides the
    longest is cut first, then the longest of the rest, until there is none.

    Parameters
    ----------
    edges, lengths
        A spanning tree with at least one record: n − 1 pairs of records and their lengths.
    k
        Least size of a group.
    classes, count
        The class of each record, from 0 to count − 1, or −1 if it is missing.
    t
        Largest distance to the file, see `discreet.kernels.closeness`.
    ordered
        Whether the classes are ordinal.
    advance
        Called between stretches of work with the number of edges seen since the last call.

    Examples
    --------
    >>> edges = np.array([[0, 1], [1, 2], [2, 3], [3, 4], [4, 5]])
    >>> lengths, classes = np.array([1.0, 2.0, 9.0, 5.0, 1.0]), np.array([0, 1, 0, 0, 1, 0])
    >>> cut_by_closeness(edges, lengths, 2, classes, 2, t=0.2)
    array([0, 0, 0, 1, 1, 1])
    """
    n = len(edges) + 1
    hanging = hang_up(np.ascontiguousarray(edges, np.int64), lengths)
    preorder, parents, cuts = hanging
    codes = np.where(classes < 0, count, classes).astype(np.int64)
    overall = np.bincount(codes, minlength=count + 1)
    # Only branches that may be cut off need their classes counted, and the whole tree.
    sizes, row, counts = count_branches(hanging, codes, count + 1, k)
    entry = np.empty(n, np.int64)
    entry[preorder] = np.arange(n)
    cuts = cuts[row[cuts] >= 0]
    parts = _Parts(
        preorder=preorder,
        parents=parents,
        entry=entry,
        leave=entry + sizes,
        severed=np.zeros(n, np.bool_),
        sizes=sizes,
        row=row,
        counts=counts,
        part=np.zeros(n, np.int64),
        top=np.zeros(n // k + 1, np.int64),
    )
    done, pace, part_count = 0, float(_FIRST_STRETCH), 1
    while done < len(cuts):
        start, stop = time.perf_counter(), min(len(cuts), done + max(1, int(pace)))
        part_count = _cut_by_closeness(parts, cuts, overall, k, t, ordered, done, stop, part_count)
        pace = next_pace(pace, start)
        if advance is not None:
            advance(stop - done)
        done = stop
    if advance is not None and len(cuts) < n - 1:
        advance(n - 1 - len(cuts))
    return label_parts(hanging, parts.severed)
