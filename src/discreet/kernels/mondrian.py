"""Mondrian: groups formed by cuts along one column at a time, with a stack instead of recursion.

Every column comes as ranks: 0 for missing, then 1 and up in the order of the column. A column is
cut at its median or, if it has a hierarchy, into the children of its current node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled, in_place, inner
from discreet.kernels.divergence import jensen_shannon, on_grid, weighted_jensen_shannon

# Compiled work runs in stretches of this many visits to records, a fraction of a second each:
# between two of them the progress bar moves and an interrupt gets through.
_STRETCH = 20_000_000

_NO_RANK = 2**31 - 1
_TRIED = -1.0


class Scales(NamedTuple):
    """What the columns' ranks mean, one column after another.

    `places[starts[c] + rank]` is the position of a rank of column c, between 0 and 1. A column with
    a hierarchy has `heights[c]` > 0; its ranks are in depth-first order, and for each level n, rank
    by rank, `nodes` from `node_starts[c] + n * (ranks + 1)` has the number of the node above it and
    `widths` the width of that node. Node numbers of a level rise with the ranks.
    """

    places: NDArray[np.float64]
    starts: NDArray[np.int64]
    heights: NDArray[np.int64]
    nodes: NDArray[np.int64]
    widths: NDArray[np.float64]
    node_starts: NDArray[np.int64]


@inner
def _level_row(scales: Scales, column: int, lowest: int, highest: int) -> int:
    """Where the nodes begin of the lowest level at which both ranks have the same node."""
    ranks = scales.starts[column + 1] - scales.starts[column]
    row = int(scales.node_starts[column])
    for _ in range(scales.heights[column]):
        if scales.nodes[row + lowest] == scales.nodes[row + highest]:
            break
        row += int(ranks)
    return row


@in_place
def _median_cut(
    ranks: NDArray[np.int32],
    members: NDArray[np.int64],
    column: int,
    lowest: int,
    highest: int,
) -> tuple[int, int, int]:
    """Return the median's rank, how many lie below it, and how many not above it.

    The search halves the range of ranks, not the records: it needs no sorting, and columns with few
    values take a few passes.
    """
    half = (len(members) + 1) // 2
    low, high = lowest, highest
    while low < high:
        middle = (low + high) // 2
        count = 0
        for i in range(len(members)):
            count += ranks[members[i], column] <= middle
        if count >= half:
            high = middle
        else:
            low = middle + 1
    below, not_above = 0, 0
    for i in range(len(members)):
        below += ranks[members[i], column] < low
        not_above += ranks[members[i], column] <= low
    return low, below, not_above


@inner
def _cut(
    ranks: NDArray[np.int32],
    members: NDArray[np.int64],
    column: int,
    lowest: int,
    highest: int,
    missing: int,
    k: int,
    relaxed: bool,
    scales: Scales,
    parts: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> int:
    """Assign every member its part of the cut; return the number of parts, 0 if none is allowed.

    `lowest` and `highest` are those of the present values. Parts may be empty; the others have at
    least k members each.
    """
    n = len(members)
    if missing >= k and n - missing >= k:
        for i in range(n):
            parts[i] = ranks[members[i], column] > 0
        sizes[0], sizes[1] = missing, n - missing
        return 2
    if scales.heights[column] > 0:
        above = _level_row(scales, column, lowest, highest)
        children = above - (scales.starts[column + 1] - scales.starts[column])
        first = scales.nodes[children + lowest]
        count = int(scales.nodes[children + highest] - first + 1)
        for part in range(count):
            sizes[part] = 0
        for i in range(n):
            rank = ranks[members[i], column]
            parts[i] = scales.nodes[children + rank] - first if rank > 0 else 0
            sizes[parts[i]] += 1
        for part in range(count):
            if 0 < sizes[part] < k:
                return 0
        return count
    median, below, not_above = _median_cut(
        ranks, members, column, 0 if missing > 0 else lowest, highest
    )
    if relaxed:
        # Of the records at the median, the first in the file fill up the lower part.
        room = n // 2 - below
        sizes[0] = n // 2
        for i in range(n):
            rank = ranks[members[i], column]
            lower = rank < median
            if rank == median and room > 0:
                lower = True
                room -= 1
            parts[i] = not lower
    else:
        # The records at the median go to the side that makes the parts more equal.
        to_upper = min(below, n - below) > min(not_above, n - not_above)
        sizes[0] = below if to_upper else not_above
        last = median - 1 if to_upper else median
        for i in range(n):
            parts[i] = ranks[members[i], column] > last
    sizes[1] = n - sizes[0]
    return 2 if min(sizes[0], sizes[1]) >= k else 0


@in_place
def _survey(
    ranks: NDArray[np.int32],
    members: NDArray[np.int64],
    lowest: NDArray[np.int64],
    highest: NDArray[np.int64],
    missing: NDArray[np.int64],
) -> None:
    """Find the lowest and highest rank of the present values, and count the missing ones."""
    for column in range(ranks.shape[1]):
        lowest[column], highest[column], missing[column] = _NO_RANK, 0, 0
    for i in range(len(members)):
        for column in range(ranks.shape[1]):
            rank = ranks[members[i], column]
            if rank == 0:
                missing[column] += 1
                continue
            if rank < lowest[column]:
                lowest[column] = rank
            if rank > highest[column]:
                highest[column] = rank


@inner
def _span(
    scales: Scales, column: int, lowest: int, highest: int, missing: int, n: int, k: int
) -> float:
    """Return the share of the column's width that a group takes up.

    Missing and present values are a full width apart where a cut can separate them.
    """
    if missing >= k and n - missing >= k:
        return 1.0
    if lowest >= highest:
        return 0.0
    if scales.heights[column] > 0:
        return float(scales.widths[_level_row(scales, column, lowest, highest) + lowest])
    start = scales.starts[column]
    return float(scales.places[start + highest] - scales.places[start + lowest])


class Mixing(NamedTuple):
    """The classes that should stay mixed in groups, and the weight of a column's width."""

    classes: NDArray[np.int64]  # (n,)
    shares: NDArray[np.float64]  # (classes,) of the file
    alpha: float


@in_place
def _weigh(
    ranks: NDArray[np.int32],
    members: NDArray[np.int64],
    lowest: NDArray[np.int64],
    highest: NDArray[np.int64],
    missing: NDArray[np.int64],
    k: int,
    relaxed: bool,
    scales: Scales,
    parts: NDArray[np.int64],
    sizes: NDArray[np.int64],
    mixing: Mixing,
    spans: NDArray[np.float64],
) -> None:
    """Replace the widths of columns by α width − (1 − α) (WJSD − JSD), plus one.

    The divergence is what cutting the column adds. Columns without an allowed cut are marked.
    """
    whole = np.zeros(len(mixing.shares), np.int64)
    for i in range(len(members)):
        whole[mixing.classes[members[i]]] += 1
    before = jensen_shannon(whole, len(members), mixing.shares)
    for c in range(len(spans)):
        if spans[c] <= 0:
            continue
        count = _cut(
            ranks, members, c, lowest[c], highest[c], missing[c], k, relaxed, scales, parts, sizes
        )
        if count == 0:
            spans[c] = _TRIED
            continue
        counts = np.zeros((count, len(mixing.shares)), np.int64)
        for i in range(len(members)):
            counts[parts[i], mixing.classes[members[i]]] += 1
        rise = weighted_jensen_shannon(counts, mixing.shares) - before
        spans[c] = 1 + on_grid(mixing.alpha * spans[c]) - on_grid((1 - mixing.alpha) * rise)


@in_place
def _first_greatest(spans: NDArray[np.float64]) -> int:
    # A separate function: a plain `widest = 0` above would make _cut compile twice.
    greatest = 0
    for c in range(1, len(spans)):
        if spans[c] > spans[greatest]:
            greatest = c
    return greatest


@compiled
def _partition(
    ranks: NDArray[np.int32],
    scales: Scales,
    k: int,
    relaxed: bool,
    mixing: Mixing,
    order: NDArray[np.int64],
    stack: NDArray[np.int64],
    top: int,
    label: int,
    labels: NDArray[np.int64],
    cuts: NDArray[np.int64],
    sizes: NDArray[np.int64],
    parts: NDArray[np.int64],
    moved: NDArray[np.int64],
    visits: int,
) -> tuple[int, int]:
    """Work on the stack of groups until it is empty or this many records have been visited."""
    columns = ranks.shape[1]
    lowest = np.empty(columns, np.int64)
    highest = np.empty(columns, np.int64)
    missing = np.empty(columns, np.int64)
    spans = np.empty(columns, np.float64)
    while top > 0 and visits > 0:
        top -= 1
        start, end = stack[top, 0], stack[top, 1]
        members = order[start:end]
        n = end - start
        count = 0
        if n >= 2 * k:
            _survey(ranks, members, lowest, highest, missing)
            visits -= n
            for c in range(columns):
                spans[c] = _span(scales, c, lowest[c], highest[c], missing[c], n, k)
            if mixing.alpha < 1:
                _weigh(
                    ranks, members, lowest, highest, missing, k, relaxed, scales, parts, sizes,
                    mixing, spans,
                )  # fmt: skip
                visits -= n * columns
            for _ in range(columns):
                widest = _first_greatest(spans)
                if spans[widest] <= 0:
                    break
                count = _cut(
                    ranks, members, widest, lowest[widest], highest[widest], missing[widest],
                    k, relaxed, scales, parts, sizes,
                )  # fmt: skip
                visits -= n
                if count > 0:
                    cuts[widest] += 1
                    break
                spans[widest] = _TRIED
        if count == 0:
            for i in range(n):
                labels[members[i]] = label
            label += 1
            continue
        # Pushed in reverse, so that the first part is popped first.
        at = n
        for part in range(count - 1, -1, -1):
            at -= sizes[part]
            if sizes[part] > 0:
                stack[top, 0], stack[top, 1] = start + at, start + at + sizes[part]
                top += 1
            sizes[part] = at
        for i in range(n):
            moved[sizes[parts[i]]] = members[i]
            sizes[parts[i]] += 1
        for i in range(n):
            members[i] = moved[i]
    return top, label


def mondrian_labels(
    ranks: NDArray[np.int32],
    scales: Scales,
    k: int,
    relaxed: bool = False,
    advance: Callable[[float], None] | None = None,
    mixing: Mixing | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Cut groups into parts of k records or more, as long as possible.

    The column of which a group takes up most is cut, the first among equals; if its cut would leave
    a part too small, the next one is tried. `advance` receives the number of records that have
    reached their group. With `mixing`, the divergence of classes that a cut adds counts against a
    column (Li & Sarkar 2013, §8).

    Returns
    -------
    The group of each record, numbered from 0 with lower parts before upper ones, and the number
    of cuts of each column.

    Examples
    --------
    >>> import numpy as np
    >>> ranks = np.array([[1], [2], [3], [4]], dtype=np.int32)
    >>> nothing = np.zeros(0, dtype=np.int64)
    >>> scales = Scales(np.array([0, 0, 0.1, 0.9, 1]), np.array([0, 5]), np.array([0]), nothing,
    ...                 np.zeros(0), np.array([0]))
    >>> mondrian_labels(ranks, scales, k=2)
    (array([0, 0, 1, 1]), array([1]))
    """
    if k < 1:
        raise ValueError(f"Mondrian needs groups of at least one record, but k is {k}")
    n, columns = ranks.shape
    ranks = np.require(ranks, np.int32, ["C", "A", "W"])
    labels = np.zeros(n, dtype=np.int64)
    cuts = np.zeros(columns, dtype=np.int64)
    # Groups on the stack have k records or more each.
    stack = np.zeros((n // k + 2, 2), dtype=np.int64)
    stack[0, 1] = n
    top, label, done = min(n, 1), 0, 0
    order = np.arange(n, dtype=np.int64)
    parts, moved = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    if mixing is None:
        mixing = Mixing(np.zeros(0, np.int64), np.zeros(0), 1.0)
    sizes = np.zeros(max(2, int(scales.nodes.max(initial=0)) + 1), dtype=np.int64)
    while top > 0:
        top, label = _partition(
            ranks, scales, k, relaxed, mixing, order, stack, top, label, labels, cuts, sizes, parts,
            moved, _STRETCH,
        )  # fmt: skip
        if advance is not None:
            left = int((stack[:top, 1] - stack[:top, 0]).sum())
            advance(n - left - done)
            done = n - left
    return labels, cuts
