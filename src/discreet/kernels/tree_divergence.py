"""Cutting a spanning tree into groups by the divergence/length ratio (Li & Sarkar 2013, §4).

Definition 5: with p the part that contains an edge e, and p₁ and p₂ what is left of it when e is
cut,

    r(e) = (WJSD(p₁, p₂) − JSD(p)) / L(e),

the rise of class divergence per length. Of the edges that leave k records or more on both sides,
the one with the least ratio is cut first (Fig. 4).

A ratio depends only on its own part, so the parts can be cut one after the other: the groups are
the same as if the least ratio of all parts were sought each time. An edge that may not be cut now
never may be, since parts only get smaller.

When a part is cut all its ratios change, but few have to be recomputed. Let φ(x) = |x| JSD(x)
for the class counts x of some records, and E(a, q) = φ(a) + φ(q) − φ(a + q), which is the size of
the part times the rise of divergence when it is cut into a and q. If q loses m, then

    E(a, q − m) − E(a, q) = ∫∫ aᵀ H(q − tm + τa) m dt dτ,   0 ≤ t, τ ≤ 1,

H being the second derivatives of φ at x = q − tm + τa. With s = |x| and â, m̂, x̂ the shares of a
class in a, m and x, this class adds to aᵀ H m

    |a| |m| (â − x̂)(m̂ − x̂) F / [2 ln 2 · s · x̂ (x̂ + F)],

which is negative only where x̂ lies between â and m̂; its size is then at most |â − m̂| times
|a| |m| / (2 ln 2 · s). Since Σ |â − m̂| ≤ 2 Σ â (1 − m̂) over the classes, and s ≥ |q| − t |m|,

    E(a, q − m) ≥ E(a, q) − Σ_c a_c (1 − m̂_c) · log₂ (|q| / |q − m|).

A branch loses nothing of its E when only records of its own class are cut off from the rest.
Without the classes the loss is at most |a| log₂ (|q| / |q − m|), which over several cuts depends
only on the first and the last |q|. With them, the most that each cut can take from a record of
class c is added up as the drift of c, for branches of at most a quarter of the part: then |q| is at
least three quarters of it. Here a is the branch under an edge. If the cut is within that branch,
the edge is evaluated again.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled, in_place, inner
from discreet.kernels.divergence import CELLS, jensen_shannon, on_grid
from discreet.kernels.stretches import Advance
from discreet.kernels.tree_branches import count_branches
from discreet.kernels.tree_cutting import hang_up, label_parts

# Compiled work runs in stretches of this many visits to records, a fraction of a second each.
_STRETCH = 20_000_000

NO_RISE = 1e-12
"""A rise of divergence below this counts as none."""

LN_2 = math.log(2)

# More than the grid, rounding and the above rule can take from a rise of divergence.
_SLACK = 2e-12


class _Parts(NamedTuple):
    """The tree as it is cut so far.

    Records are numbered from the top down here, so that those of a part lie near each other. The
    edge above a record has its number.
    """

    parents: NDArray[np.int64]
    leave: NDArray[np.int64]  # (n,) the number that follows a record's branch, before any cut
    ends: NDArray[np.int64]  # (n, 2) the edge above a record, by the numbers of the file
    above: NDArray[np.float64]  # (n,) its length
    sizes: NDArray[np.int64]  # (n,) records of each branch, within its part
    row: NDArray[np.int64]  # (n,) the row of a branch in `counts`, or -1
    counts: NDArray[np.int64]  # classes of branches, within their parts
    severed: NDArray[np.bool_]  # (n,) whether the edge above a record is cut
    value: NDArray[np.float64]  # (n,) E of an edge when it was last computed, -∞ if outdated
    since: NDArray[np.int64]  # (n,) the size of its part at that time
    drawn: NDArray[np.float64]  # (n,) the sum of the drifts of the branch's records at that time
    open: NDArray[np.int64]  # edges that may still be cut, those of a part adjacent and ascending
    stack: NDArray[np.int64]  # (parts, 3) still to be cut: their top, and their stretch of `open`
    drift: NDArray[np.float64]  # (parts, classes) the most that cuts may have taken from a record
    moved: NDArray[np.int64]  # working space for a stretch of `open`


@compiled
def ratio(rise: float, length: float) -> float:
    """Return eq. 9 for a rise of divergence and a length.

    >>> ratio(0.25, 0.5), ratio(0.25, 0.0), ratio(1e-13, 0.0)
    (0.5, inf, 0.0)
    """
    if abs(rise) < NO_RISE:
        return 0.0
    return on_grid(rise) / length if length > 0 else np.inf


@inner
def _beyond(rise: float, length: float, least: float) -> bool:
    """Whether a rise of divergence, or a larger one, surely gives a ratio above the least."""
    if rise < _SLACK:
        return False
    return (rise - _SLACK) > least * length


@inner
def _drifts(branch: NDArray[np.int64], drift: NDArray[np.float64]) -> float:
    """The sum of the drifts of a branch's records."""
    total = 0.0
    for c in range(len(branch)):
        total += branch[c] * drift[c]
    return total


@inner
def _drifted(
    drift: NDArray[np.float64],
    lost: NDArray[np.int64],
    left: NDArray[np.int64],
    after: NDArray[np.float64],
) -> None:
    """Write the drift of each class after a part lost these records, for up to a quarter of it."""
    away, stayed = 0, 0
    for c in range(len(lost)):
        away += lost[c]
        stayed += left[c]
    step = math.log2(1 + 4 * away / (3 * stayed))
    for c in range(len(lost)):
        after[c] = drift[c] + (1 - lost[c] / away) * step


@in_place
def _least_ratio(
    parts: _Parts,
    shares: NDArray[np.float64],
    k: int,
    top: int,
    start: int,
    stop: int,
    drift: NDArray[np.float64],
) -> tuple[int, int]:
    """Return the edge to cut in a part, or −1, and the new end of its stretch of open edges.

    Edges that may no longer be cut are removed from the stretch. Among equal ratios the longer edge
    comes first, then the one with the lower record, then the one whose other record is lower.
    """
    size = parts.sizes[top]
    whole = parts.counts[parts.row[top]]
    rest = np.empty_like(whole)
    before = jensen_shannon(whole, size, shares)
    chosen, end = -1, start
    least, longest, lowest, highest = np.inf, 0.0, 0, 0
    for at in range(start, stop):
        record = parts.open[at]
        branch_size = parts.sizes[record]
        if branch_size < k or size - branch_size < k:
            continue
        parts.open[end] = record
        end += 1
        length = parts.above[record]
        if chosen >= 0 and least == 0 and length < longest:
            continue
        branch = parts.counts[parts.row[record]]
        if chosen >= 0:
            # log₂ (1 + x) is at most x / ln 2
            lost = branch_size * (parts.since[record] - size) / ((size - branch_size) * LN_2)
            if _beyond((parts.value[record] - lost) / size, length, least):
                continue
            if 4 * branch_size <= size:
                lost = _drifts(branch, drift) - parts.drawn[record]
                if _beyond((parts.value[record] - lost) / size, length, least):
                    continue
        for c in range(len(rest)):
            rest[c] = whole[c] - branch[c]
        after = (
            branch_size * jensen_shannon(branch, branch_size, shares)
            + (size - branch_size) * jensen_shannon(rest, size - branch_size, shares)
        ) / size
        parts.value[record], parts.since[record] = size * (after - before), size
        parts.drawn[record] = _drifts(branch, drift)
        value = ratio(after - before, length)
        if chosen >= 0 and (value > least or (value == least and length < longest)):
            continue
        low, high = parts.ends[record, 0], parts.ends[record, 1]
        tie = chosen >= 0 and value == least and length == longest
        if tie and (low > lowest or (low == lowest and high > highest)):
            continue
        chosen, least, longest, lowest, highest = record, value, length, low, high
    return chosen, end


@inner
def _sever(parts: _Parts, top: int, record: int, start: int, stop: int) -> tuple[int, int]:
    """Cut off the branch of a record, and put its open edges after those of the rest.

    Returns where the open edges of the rest end, and where those of the branch do.
    """
    size = parts.sizes[record]
    branch_counts = parts.counts[parts.row[record]]
    above = record
    while above != top:
        above = parts.parents[above]
        parts.sizes[above] -= size
        parts.value[above] = -np.inf
        if parts.row[above] >= 0:
            for c in range(len(branch_counts)):
                parts.counts[parts.row[above], c] -= branch_counts[c]
    parts.severed[record] = True
    rest, branch = start, 0
    for at in range(start, stop):
        edge = parts.open[at]
        if record < edge < parts.leave[record]:
            parts.moved[branch] = edge
            branch += 1
        elif edge != record:
            parts.open[rest] = edge
            rest += 1
    for i in range(branch):
        parts.open[rest + i] = parts.moved[i]
    return rest, rest + branch


@compiled
def _cut_by_ratio(
    parts: _Parts, shares: NDArray[np.float64], k: int, waiting: int, work: int
) -> tuple[int, int]:
    """Cut parts until none is waiting or the work is done.

    Returns how many are waiting, and how many records have reached their group.
    """
    settled = 0
    drift = np.empty(parts.drift.shape[1])
    while waiting > 0 and work > 0:
        waiting -= 1
        top, start, stop = parts.stack[waiting, 0], parts.stack[waiting, 1], parts.stack[waiting, 2]
        for c in range(len(drift)):
            drift[c] = parts.drift[waiting, c]
        work -= stop - start + 1
        record, stop = _least_ratio(parts, shares, k, top, start, stop, drift)
        if record < 0:
            settled += parts.sizes[top]
            continue
        middle, stop = _sever(parts, top, record, start, stop)
        parts.stack[waiting, 2] = middle  # its top and its start stay
        parts.stack[waiting + 1, 0] = record
        parts.stack[waiting + 1, 1], parts.stack[waiting + 1, 2] = middle, stop
        rest, branch = parts.counts[parts.row[top]], parts.counts[parts.row[record]]
        _drifted(drift, branch, rest, parts.drift[waiting])
        _drifted(drift, rest, branch, parts.drift[waiting + 1])
        waiting += 2
    return waiting, settled


def cut_by_ratio(
    edges: NDArray[np.int64],
    lengths: NDArray[np.float64],
    k: int,
    classes: NDArray[np.int64],
    advance: Advance | None = None,
) -> NDArray[np.int64]:
    """Cut a spanning tree into groups of at least k records, by the divergence/length ratio.

    Parameters
    ----------
    edges, lengths
        A spanning tree with at least one record: n − 1 pairs of records and their lengths.
    k
        Least size of a group; with fewer than 2k records there is one group.
    classes
        The class of each record, from 0 without gaps.
    advance
        Called between stretches of work with the number of records that have reached their group.

    Returns
    -------
    The group of each record, numbered in the order of their first records.

    Examples
    --------
    >>> edges, lengths = np.array([[0, 1], [1, 2], [2, 3], [3, 4]]), np.array([0.2, 0.4, 0.3, 0.2])
    >>> cut_by_ratio(edges, lengths, 2, np.array([0, 0, 1, 0, 1]))   # not the longest edge
    array([0, 0, 0, 1, 1])
    """
    edges = np.ascontiguousarray(edges, np.int64)
    classes = np.ascontiguousarray(classes, np.int64)
    n = len(edges) + 1
    hanging = hang_up(edges, lengths)
    totals = np.bincount(classes)
    branches = count_branches(hanging, classes, len(totals), k)
    preorder = hanging.preorder
    number = np.empty(n, np.int64)
    number[preorder] = np.arange(n)
    lower = number[np.where(hanging.parents[edges[:, 0]] == edges[:, 1], edges[:, 0], edges[:, 1])]
    parents, ends, above = np.full(n, -1), np.zeros((n, 2), np.int64), np.zeros(n)
    parents[1:] = number[hanging.parents[preorder[1:]]]
    ends[lower], above[lower] = np.sort(edges, axis=1), np.rint(lengths * CELLS) / CELLS
    sizes, row = branches.sizes[preorder], branches.row[preorder]
    may = np.flatnonzero(row[1:] >= 0) + 1
    parts = _Parts(
        parents=parents,
        leave=np.arange(n) + sizes,
        ends=ends,
        above=above,
        sizes=sizes,
        row=row,
        counts=branches.counts,
        severed=np.zeros(n, np.bool_),
        value=np.full(n, -np.inf),
        since=np.zeros(n, np.int64),
        drawn=np.zeros(n),
        open=may,
        stack=np.zeros((n // k + 2, 3), np.int64),
        drift=np.zeros((n // k + 2, len(totals))),
        moved=np.empty(len(may), np.int64),
    )
    parts.stack[0, 2] = len(may)
    waiting = 1
    while waiting > 0:
        waiting, settled = _cut_by_ratio(parts, totals / n, k, waiting, _STRETCH)
        if advance is not None:
            advance(settled)
    return label_parts(hanging, parts.severed[number])
