"""Growing a multivariate regression tree: sorted once, then cut and moved node by node.

Large nodes are processed one at a time, their columns in parallel on all processors; the nodes
below are independent of each other and grow in parallel. The tree does not depend on how the work
was divided.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import at_hand, compiled
from discreet.kernels.cores import Each, for_all, on_all_cores
from discreet.kernels.regression_tree_cuts import centre
from discreet.kernels.regression_tree_digression import Risk
from discreet.kernels.regression_tree_moves import move_codes, move_entries, move_responses
from discreet.kernels.regression_tree_nodes import (
    ALIKE,
    COLUMN,
    END,
    PARENT,
    START,
    TIE,
    Table,
    best_cut,
    better,
    divide,
    empty_scratch,
)
from discreet.kernels.regression_tree_small import SMALL, grow_small

LEAST, PIECES = 8_192, 8
"""Nodes with more records than this, and than this share of the file, have their columns divided
over the processors; below this there are enough nodes for all of them."""
UNCOMPILED = 20_000_000
"""As many records · columns · responses as a process grows in less time than compiling takes."""

WITHOUT_RISK = Risk(np.zeros((0, 0)), np.zeros(0, np.int64), 1.0, np.zeros(0), np.zeros(0))


@compiled
def _grow(
    table: Table,
    k: int,
    risk: Risk,
    first: int,
    last: int,
    parts: NDArray[np.int64],
    moves: NDArray[np.int64],
    nodes: NDArray[np.int64],
) -> int:
    """Grow the tree of the records at these places, depth first; return the number of nodes."""
    r = table.y.shape[1]
    size = last - first
    scratch = empty_scratch(parts.shape[1], r)
    mean = np.empty(r)
    spare = np.empty(size, np.int64)
    spare_codes = np.empty(size, np.int32)
    spare_y = np.empty((size, r))
    stack = np.empty((size // k + 2, 3), np.int64)
    stack[0, 0], stack[0, 1], stack[0, 2] = first, last, -1
    top, count = 1, 0
    while top > 0:
        top -= 1
        start, end = stack[top, 0], stack[top, 1]
        node = nodes[count]
        node[PARENT], node[START], node[END], node[COLUMN] = stack[top, 2], start, end, -1
        count += 1
        if end - start < 2 * k:
            continue
        error = centre(table.y, start, end, mean)
        if error <= ALIKE * (end - start):
            continue
        tie = error * TIE
        best, chosen, several, below = 0.0, -1, 0, 0
        for c in range(len(table.sources)):
            value, part_count, under = best_cut(
                table, c, start, end, mean, k, tie, risk, scratch, parts
            )
            if part_count > 0 and better(value, best, tie, risk):
                best, chosen, several, below = value, c, part_count, under
        if chosen < 0:
            continue
        ends = np.empty(several, np.int64)
        divide(table, chosen, below, start, end, parts, moves, ends, node)
        move_codes(table.rows, start, end, moves, spare_codes)
        final = True
        at = start
        for part in range(several):
            final = final and ends[part] - at < 2 * k
            at = ends[part]
        for row in range(table.codes.shape[0]):
            # For leaves only the categories of the cut itself are needed later.
            if not final or row == -1 - table.sources[chosen]:
                move_codes(table.codes[row], start, end, moves, spare_codes)
        if not final:
            move_responses(table.y, start, end, moves, spare_y)
            for row in range(table.entries.shape[0]):
                move_entries(table.entries[row], start, end, moves, ends, spare)
        # Pushed in reverse, so that the first part is popped first.
        for part in range(several - 1, -1, -1):
            stack[top, 0] = start if part == 0 else ends[part - 1]
            stack[top, 1], stack[top, 2] = ends[part], count - 1
            top += 1
    return count


class _Node(NamedTuple):
    start: int
    end: int
    number: int


def grow(
    table: Table,
    k: int,
    risk: Risk = WITHOUT_RISK,
    advance: Callable[[float], None] | None = None,
) -> NDArray[np.int64]:
    """Cut the records into leaves of at least k, each time where the error falls most.

    With `risk`, each time where it falls most for the digression that it costs. The arrays of the
    table are reordered: afterwards the records of each node are contiguous. `advance` receives the
    number of records that have reached their leaf.

    Returns
    -------
    One row per node, parents before children and lower parts before upper ones: the number of the
    parent (−1 for the root), where the records start and end, the column that is cut (−1 for a
    leaf), and for a numeric column the ranks on both sides of the cut.

    Examples
    --------
    >>> import numpy as np
    >>> nothing = np.zeros(0, dtype=np.int64)
    >>> table = Table(np.array([[0.0], [0.1], [1.0], [0.9]]), np.arange(4, dtype=np.int32),
    ...     (np.arange(4)[None] << 32) + np.arange(4), np.zeros((0, 4), np.int32),
    ...     np.array([0]), nothing, nothing, nothing, nothing)
    >>> grow(table, 2)
    array([[-1,  0,  4,  0,  1,  2],
           [ 0,  0,  2, -1,  0,  0],
           [ 0,  2,  4, -1,  0,  0]])
    """
    n = len(table.y)
    if not len(risk.shares) and _needs_no_kernel(table.y.size * len(table.sources)):
        nodes = grow_small(table, k)
        if advance is not None:
            advance(n)
        return nodes
    width = int(table.widths.max(initial=1))
    parts = np.zeros((len(table.codes), width), np.int64)
    moves = np.empty(n, np.int64)
    large: list[NDArray[np.int64]] = []
    waiting = [_Node(0, n, -1)]
    small: list[_Node] = []
    large_from = max(LEAST, n // PIECES)
    grown: list[tuple[_Node, NDArray[np.int64]]] = []
    with on_all_cores() as each:
        while waiting:
            node = waiting.pop()
            if node.end - node.start <= large_from:
                small.append(node)
                continue
            row = np.array([node.number, node.start, node.end, -1, 0, 0])
            ends = _cut_side_by_side(table, k, risk, node, row, parts, moves, each)
            starts = [node.start, *ends[:-1].tolist()]
            waiting += (
                [_Node(s, e, len(large)) for s, e in zip(starts, ends.tolist(), strict=True)]
                if len(ends)
                else []
            )
            large.append(row)
            if not len(ends) and advance is not None:
                advance(node.end - node.start)

        def grow_from(node: _Node) -> NDArray[np.int64]:
            nodes = np.zeros((2 * ((node.end - node.start) // k) + 2, 6), np.int64)
            count = _grow(table, k, risk, node.start, node.end, np.zeros_like(parts), moves, nodes)
            return nodes[:count]

        small.sort(key=lambda node: node.start - node.end)
        for node, nodes in zip(small, each(grow_from, small), strict=True):
            grown.append((node, nodes))
            if advance is not None:
                advance(node.end - node.start)
    return _in_order(large, grown)


_grown_without = [0]


def _needs_no_kernel(size: int) -> bool:
    """Whether a tree of this many records · columns · responses is grown as a small one.

    So is a larger one for which the kernel would have to be compiled, until a process has grown
    enough of them to make compiling worthwhile: a report grows two.
    """
    if size <= SMALL:
        return True
    if _grown_without[0] + size > UNCOMPILED or at_hand(_grow):
        return False
    _grown_without[0] += size
    return True


def _cut_side_by_side(
    table: Table,
    k: int,
    risk: Risk,
    node: _Node,
    row: NDArray[np.int64],
    parts: NDArray[np.int64],
    moves: NDArray[np.int64],
    each: Each,
) -> NDArray[np.int64]:
    """Cut one node with its columns divided over the processors; return where its parts end."""
    start, end = node.start, node.end
    nowhere = np.zeros(0, np.int64)
    mean = np.empty(table.y.shape[1])
    error = centre(table.y, start, end, mean)
    if end - start < 2 * k or error <= ALIKE * (end - start):
        return nowhere
    tie = error * TIE

    def cut(column: int) -> tuple[float, int, int]:
        scratch = empty_scratch(parts.shape[1], table.y.shape[1])
        return best_cut(table, column, start, end, mean, k, tie, risk, scratch, parts)

    best, chosen, several, below = 0.0, -1, 0, 0
    for c, (value, count, under) in enumerate(each(cut, range(len(table.sources)))):
        if count > 0 and better(value, best, tie, risk):
            best, chosen, several, below = value, c, count, under
    if chosen < 0:
        return nowhere
    ends = np.empty(several, np.int64)
    divide(table, chosen, below, start, end, parts, moves, ends, row)
    size = end - start
    work: list[Callable[[], None]] = [
        lambda c=c: move_codes(c, start, end, moves, np.empty(size, np.int32))  # type: ignore[misc]
        for c in (table.rows, *table.codes)
    ]
    work += [
        lambda e=e: move_entries(e, start, end, moves, ends, np.empty(size, np.int64))  # type: ignore[misc]
        for e in table.entries
    ]
    work.append(
        lambda: move_responses(table.y, start, end, moves, np.empty((size, table.y.shape[1])))
    )
    for_all(each, lambda move: move(), work)
    return ends


def _in_order(
    large: list[NDArray[np.int64]], grown: list[tuple[_Node, NDArray[np.int64]]]
) -> NDArray[np.int64]:
    """Put nodes that were grown in pieces in one order, parents before children."""
    pieces = [np.array(large, dtype=np.int64).reshape(-1, 6)]
    count = len(large)
    for node, nodes in grown:
        nodes[:, PARENT] += count
        nodes[0, PARENT] = node.number
        pieces.append(nodes)
        count += len(nodes)
    every = np.concatenate(pieces)
    # Of two nodes that start at the same record the larger is the parent.
    order = np.lexsort((-every[:, END], every[:, START]))
    number = np.empty(count + 1, np.int64)
    number[order] = np.arange(count)
    number[-1] = -1
    every = every[order]
    every[:, PARENT] = number[every[:, PARENT]]
    return every
