"""Growing a multivariate regression tree on a small table, without the compiler.

All nodes of a level are cut at once. The rules are those of `discreet.kernels.regression_tree`, and
differences within rounding are ties in both, so the tree is the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.arrays import Ints, Numbers
from discreet.kernels.regression_tree_nodes import ALIKE, TIE, Table

SMALL = 1_000_000
"""A tree of up to this many records · columns · responses grows faster than the kernel compiles."""

_PLACE = 2**32 - 1
_DIGITS = 1e8  # scores of categories that agree to one part in this many are ties


class _Level(NamedTuple):
    """Nodes of one level that may be cut: their records one after another, lowest position first.

    `starts` is where the records of each node begin, `node` the position of each record's node
    among these nodes, and `below` how many records of the node there are up to and including each.
    `centred` has the responses of these records of the table less the mean of their node,
    `responses` those of `rows`, one response after the other, and `orders` the same records as
    `rows` by the rank of each numeric column, node by node.
    """

    numbers: Ints
    sizes: Ints
    starts: Ints
    node: Ints
    below: Ints
    ties: Numbers
    rows: Ints
    orders: list[Ints]
    centred: Numbers
    responses: Numbers


class _Cuts(NamedTuple):
    """A cut of each node along one column: its gain (0 for none), the part of each of `rows`.

    The ranks on both sides of a number's cut are 0 for categories.
    """

    gains: Numbers
    parts: Ints
    lower: Ints
    upper: Ints


def _first_best(gains: Numbers, tie: float) -> int:
    """Return where the first gain is that no later one exceeds beyond rounding; −1 if none is."""
    best, at = 0.0, -1
    for i, gain in enumerate(gains.tolist()):
        if gain > best + tie:
            best, at = gain, i
    return at


def _picked(gains: Numbers, node: Ints, ties: Numbers) -> Ints:
    """Return which gain of each node is the first best, −1 for none.

    `node` is ascending. If only one gain of a node is within rounding of its highest, it is the
    one; otherwise they are examined one by one.
    """
    picked = np.full(len(ties), -1, np.int64)
    if not len(gains):
        return picked
    firsts = np.flatnonzero(np.diff(node, prepend=-1))
    highest = np.zeros(len(ties))
    highest[node[firsts]] = np.maximum.reduceat(gains, firsts)
    near = np.flatnonzero((gains > ties[node]) & (gains >= (highest - ties)[node]))
    picked[node[near]] = near
    ends = np.append(firsts[1:], len(gains))
    several = np.bincount(node[near], minlength=len(ties)) > 1
    for first, end in zip(firsts.tolist(), ends.tolist(), strict=True):
        at = node[first]
        if several[at]:
            picked[at] = first + _first_best(gains[first:end], float(ties[at]))
    return picked


def _running(values: Numbers, at: Ints, starts: Ints) -> Numbers:
    """Return sums up to some positions, each from its own start on."""
    sums = np.concatenate([np.zeros_like(values[:1]), np.cumsum(values, axis=0)])
    return np.asarray(sums[at + 1] - sums[starts])


def _gains(left: Numbers, below: Ints, n: Ints) -> Numbers:
    """Return the gains of cuts with these sums of responses and numbers of records on one side."""
    square = np.zeros(len(left))
    for sums in left.T:
        square += sums * sums
    return np.asarray(square * n / (below.astype(np.float64) * (n - below)))


def _numeric_cuts(level: _Level, order: Ints, ranks: Ints, k: int) -> _Cuts:
    """Cut each node between two distinct values of a column of numbers."""
    m, node = len(level.sizes), level.node
    sorted_ranks = ranks[order]
    # The last record of a node has none above it.
    ends = np.flatnonzero(sorted_ranks[1:] != sorted_ranks[:-1])
    below, n = level.below[ends], level.sizes[node[ends]]
    large = (below >= k) & (n - below >= k)
    ends, below, n = ends[large], below[large], n[large]
    left = _running(level.centred[order], ends, level.starts[node[ends]])
    gains = _gains(left, below, n)
    picked = _picked(gains, node[ends], level.ties)
    cut = picked >= 0
    last = np.zeros(m, np.int64)
    last[cut] = ends[picked[cut]]
    part_of = np.empty(len(ranks), np.int64)
    part_of[order] = np.arange(len(order)) > last[node]
    best, lower, upper = np.zeros(m), np.zeros(m, np.int64), np.zeros(m, np.int64)
    best[cut] = gains[picked[cut]]
    lower[cut], upper[cut] = sorted_ranks[last[cut]], sorted_ranks[last[cut] + 1]
    return _Cuts(best, part_of[level.rows], lower, upper)


def _directions(counts: Ints, sums: Numbers, firsts: Ints) -> Numbers:
    """Return the first principal component of the categories' means in each node.

    They are weighted by their counts; a node's categories begin at one of `firsts`.
    """
    m, r = len(firsts), sums.shape[1]
    if r == 1:
        return np.ones((m, 1))
    products = sums[:, :, None] * sums[:, None, :] / counts[:, None, None]
    between = np.add.reduceat(products, firsts, axis=0)
    if r == 2:
        angle = 0.5 * np.arctan2(2 * between[:, 0, 1], between[:, 0, 0] - between[:, 1, 1])
        axes = np.column_stack([np.cos(angle), np.sin(angle)])
    else:
        axes = np.linalg.eigh(between)[1][:, :, r - 1]
    largest = np.zeros(m, np.int64)
    every = np.arange(m)
    for j in range(1, r):
        larger = np.abs(axes[:, j]) > np.abs(axes[every, largest]) + 1 / _DIGITS
        largest[larger] = j
    return np.asarray(np.where(axes[every, largest] < 0, -1.0, 1.0)[:, None] * axes)


def _distinct(keys: Ints, space: int) -> tuple[Ints, Ints, Ints]:
    """Return the keys that occur, where each of them occurs first, and which of them each key is.

    Keys are from 0 to `space` − 1; if these are few, no sorting is needed.
    """
    if space > 4 * len(keys):
        return np.unique(keys, return_index=True, return_inverse=True)
    first = np.full(space, -1)
    # The last of several is kept, which counting from the back is the first.
    first[keys[::-1]] = np.arange(len(keys) - 1, -1, -1)
    occurs = first >= 0
    return np.flatnonzero(occurs), first[occurs], (np.cumsum(occurs) - 1)[keys]


def _category_cuts(level: _Level, codes: Ints, width: int, k: int) -> _Cuts:
    """Cut the categories of each node in two, in the order of their scores."""
    m = len(level.sizes)
    pairs, appeared, place = _distinct(level.node * width + codes[level.rows], m * width)
    counts = np.bincount(place)
    sums: Numbers = np.stack([np.bincount(place, each) for each in level.responses], axis=1)
    node, code = np.divmod(pairs, width)
    # Sums are formed in the order in which categories appear, node by node, as before.
    by_appearance = np.argsort(appeared, kind="stable")
    firsts = np.flatnonzero(np.diff(node, prepend=-1))
    axes = _directions(counts[by_appearance], sums[by_appearance], firsts)
    score = np.zeros(len(pairs))
    for j in range(sums.shape[1]):
        score += axes[node, j] * sums[:, j]
    ordered = np.lexsort((code, np.rint(score / counts * _DIGITS), node))
    starts, n = firsts[node], level.sizes[node]
    every = np.arange(len(pairs))
    below = _running(counts[ordered].astype(np.float64), every, starts).astype(np.int64)
    large = np.flatnonzero((below >= k) & (n - below >= k))
    left = _running(sums[ordered], large, starts[large])
    gains = _gains(left, below[large], n[large])
    picked = _picked(gains, node[large], level.ties)
    cut = picked >= 0
    last, best = np.full(m, -1), np.zeros(m)
    last[cut], best[cut] = large[picked[cut]], gains[picked[cut]]
    part = np.empty(len(pairs), np.int64)
    part[ordered] = every > last[node]
    nothing = np.zeros(m, np.int64)
    return _Cuts(best, part[place], nothing, nothing)


def _hierarchy_cuts(level: _Level, codes: Ints, labels: Ints, k: int) -> _Cuts:
    parts, gains = np.zeros(len(level.rows), np.int64), np.zeros(len(level.sizes))
    for at, (start, size) in enumerate(zip(level.starts, level.sizes, strict=True)):
        rows = level.rows[start : start + size]
        gains[at], parts[start : start + size] = _children(
            codes[rows], level.centred[rows], labels, k
        )
    nothing = np.zeros(len(gains), np.int64)
    return _Cuts(gains, parts, nothing, nothing)


def _children(codes: Ints, y: Numbers, labels: Ints, k: int) -> tuple[float, Ints]:
    """Cut into the children of the lowest label that covers the records; 0 is missing."""
    width = labels.shape[1]
    none = 0.0, np.zeros(len(codes), np.int64)
    counts = np.bincount(codes, minlength=width)
    sums = [np.bincount(codes, response, minlength=width) for response in y.T]
    present = np.flatnonzero(counts)
    values = present[present > 0]
    level = 0
    if len(values) < 2:
        if len(values) == 0 or counts[0] < k or counts[values[0]] < k:
            return none
    else:
        while (labels[level][values] != labels[level][values[0]]).any():
            level += 1
        level -= 1
    below = labels[max(level, 0)]
    children = np.unique(below[values])
    apart = int(counts[0] >= k)
    part = np.searchsorted(children, below) + apart
    part[0] = 0
    count = len(children) + apart
    sizes = np.bincount(part[present], counts[present], minlength=count)
    if (sizes < k).any():
        return none
    totals = [np.bincount(part[present], s[present], minlength=count) for s in sums]
    gain = float(np.cumsum((np.stack(totals, axis=1) ** 2 / sizes[:, None]).ravel())[-1])
    return gain, part[codes]


class _Grown(NamedTuple):
    """A node as it was found, level by level; its parts follow one another."""

    parent: int
    rows: Ints
    column: int
    lower: int
    upper: int


def _in_order(grown: list[_Grown], table: Table) -> NDArray[np.int64]:
    """Return the nodes with parents before children and lower parts first; reorder the table."""
    below = [1] * len(grown)
    for at in range(len(grown) - 1, 0, -1):
        below[grown[at].parent] += below[at]
    free, place, start = [1] * len(grown), [0] * len(grown), [0] * len(grown)
    begin = [0] * len(grown)
    nodes = np.zeros((len(grown), 6), np.int64)
    order = np.empty(len(table.y), np.int64)
    for at, node in enumerate(grown):
        if at:
            above = node.parent
            place[at] = place[above] + free[above]
            free[above] += below[at]
            start[at] = begin[at] = begin[above]
            begin[above] += len(node.rows)
        end = start[at] + len(node.rows)
        parent = place[node.parent] if at else -1
        nodes[place[at]] = parent, start[at], end, node.column, node.lower, node.upper
        if node.column < 0:
            order[start[at] : end] = node.rows
    table.rows[:] = table.rows[order]
    table.codes[:] = table.codes[:, order]
    table.y[:] = table.y[order]
    return nodes


class _Columns:
    """The columns of a table, and the best cut of each node along each of them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.codes = table.codes.astype(np.int64)
        self.ranks = np.empty(table.entries.shape, np.int64)
        self.orders = [entries & _PLACE for entries in table.entries]
        for ranks, order, entries in zip(self.ranks, self.orders, table.entries, strict=True):
            ranks[order] = entries >> 32

    def cuts(self, level: _Level, source: int, k: int) -> _Cuts:
        """Return the best cut of each node along the column of this source."""
        if source >= 0:
            return _numeric_cuts(level, level.orders[source], self.ranks[source], k)
        table, row = self.table, -1 - source
        levels, start, width = (int(x[row]) for x in (table.levels, table.starts, table.widths))
        if not levels:
            return _category_cuts(level, self.codes[row], width, k)
        labels = table.labels[start : start + levels * width].reshape(levels, width)
        return _hierarchy_cuts(level, self.codes[row], labels, k)


def _opened(
    y: Numbers, numbers: Ints, sizes: Ints, rows: Ints, orders: list[Ints], k: int
) -> _Level:
    """Return the nodes of a level that are large and varied enough to be cut."""
    starts, node = np.cumsum(sizes) - sizes, np.repeat(np.arange(len(sizes)), sizes)
    responses = y[rows]
    responses -= (np.add.reduceat(responses, starts, axis=0) / sizes[:, None])[node]
    errors = np.add.reduceat((responses**2).sum(axis=1), starts)
    opened = (sizes >= 2 * k) & (errors > ALIKE * sizes)
    kept, left = opened[node], sizes[opened]
    starts, node = np.cumsum(left) - left, np.repeat(np.arange(len(left)), left)
    rows, responses = rows[kept], responses[kept]
    centred = np.empty_like(y)
    centred[rows] = responses
    return _Level(
        numbers[opened],
        left,
        starts,
        node,
        np.arange(1, len(rows) + 1) - starts[node],
        errors[opened] * TIE,
        rows,
        [order[kept] for order in orders],
        centred,
        np.ascontiguousarray(responses.T),
    )


def grow_small(table: Table, k: int) -> NDArray[np.int64]:
    """Return the tree of `discreet.kernels.regression_tree.grow`, without a risk to weigh.

    >>> nothing = np.zeros(0, dtype=np.int64)
    >>> table = Table(np.array([[0.0], [0.1], [1.0], [0.9]]), np.arange(4, dtype=np.int32),
    ...     (np.arange(4)[None] << 32) + np.arange(4), np.zeros((0, 4), np.int32),
    ...     np.array([0]), nothing, nothing, nothing, nothing)
    >>> grow_small(table, 2)
    array([[-1,  0,  4,  0,  1,  2],
           [ 0,  0,  2, -1,  0,  0],
           [ 0,  2,  4, -1,  0,  0]])
    """
    columns = _Columns(table)
    rows = np.arange(len(table.y))
    grown = [_Grown(-1, rows, -1, 0, 0)]
    numbers, sizes = np.zeros(1, np.int64), np.array([len(rows)])
    orders = columns.orders
    while len(numbers) and len(rows):
        level = _opened(table.y, numbers, sizes, rows, orders, k)
        m = len(level.sizes)
        best, chosen = np.zeros(m), np.full(m, -1)
        parts = np.zeros(len(level.rows), np.int64)
        lower, upper = np.zeros(m, np.int64), np.zeros(m, np.int64)
        for c, source in enumerate(table.sources.tolist() if m else ()):
            cuts = columns.cuts(level, source, k)
            better = cuts.gains > best + level.ties
            best[better], chosen[better] = cuts.gains[better], c
            lower[better], upper[better] = cuts.lower[better], cuts.upper[better]
            inside = better[level.node]
            parts[inside] = cuts.parts[inside]
        # The parts of the nodes that were cut are the nodes of the next level.
        cut = (chosen >= 0)[level.node]
        wide = int(parts.max(initial=0)) + 1
        child = np.full(len(table.y), -1, np.int64)
        child[level.rows[cut]] = (level.node * wide + parts)[cut]
        rows = level.rows[cut][np.argsort(child[level.rows[cut]], kind="stable")]
        keys, sizes = np.unique(child[rows], return_counts=True)
        orders = [o[cut][np.argsort(child[o[cut]], kind="stable")] for o in level.orders]
        for at in np.flatnonzero(chosen >= 0).tolist():
            number = int(level.numbers[at])
            grown[number] = grown[number]._replace(
                column=int(chosen[at]), lower=int(lower[at]), upper=int(upper[at])
            )
        numbers = len(grown) + np.arange(len(keys))
        pieces = np.split(rows, np.cumsum(sizes)[:-1])
        parents = level.numbers[keys // wide].tolist()
        grown += [
            _Grown(parent, piece, -1, 0, 0) for parent, piece in zip(parents, pieces, strict=False)
        ]
    return _in_order(grown, table)
