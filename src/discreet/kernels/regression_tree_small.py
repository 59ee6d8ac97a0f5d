"""Growing a multivariate regression tree on a small table, without the compiler.

Sums are formed in the order in which `discreet.kernels.regression_tree` forms them, so that the
tree is the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.regression_tree_nodes import ALIKE, TIE, Table

SMALL = 1_000_000
"""Up to so many records · columns · responses a tree grows in about a second without compiling."""

_PLACE = 2**32 - 1
_DIGITS = 1e8  # scores of categories that agree to one part in this many are ties

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class _Cut(NamedTuple):
    """The gain of a cut, the part of each record, and the ranks on both sides of a number's."""

    gain: float
    parts: Ints
    lower: int = 0
    upper: int = 0


_NONE = _Cut(0.0, np.zeros(0, np.int64))


def _first_best(gains: Floats, tie: float) -> tuple[float, int]:
    """Return the first gain that no later one exceeds by more than rounding, and where it is."""
    best, at = 0.0, -1
    for i, gain in enumerate(gains.tolist()):
        if gain > best + tie:
            best, at = gain, i
    return best, at


def _gains(left: Floats, below: Ints, n: int) -> Floats:
    """Return the gains of cuts with these sums of responses, and so many records, on one side."""
    square = np.zeros(len(left))
    for sums in left.T:
        square += sums * sums
    return np.asarray(square * n / (below.astype(np.float64) * (n - below)))


def _numeric_cut(rows: Ints, entries: Ints, y: Floats, k: int, tie: float) -> _Cut:
    """Cut between two distinct values; `y` has the centred responses of the rows."""
    n = len(entries)
    ranks = entries >> 32
    if n < 2 * k or ranks[0] == ranks[-1]:
        return _NONE
    ends = np.flatnonzero(ranks[1:] != ranks[:-1])
    ends = ends[(ends >= k - 1) & (ends < n - k)]
    places = np.searchsorted(rows, entries & _PLACE)
    left = np.cumsum(y[places], axis=0)[ends]
    gain, at = _first_best(_gains(left, ends + 1, n), tie)
    if at < 0:
        return _NONE
    below = int(ends[at]) + 1
    parts = np.ones(n, np.int64)
    parts[places[:below]] = 0
    return _Cut(gain, parts, int(ranks[below - 1]), int(ranks[below]))


def _tallies(codes: Ints, y: Floats, width: int) -> tuple[Ints, Floats]:
    """Return the records of each category and the sums of their centred responses."""
    counts = np.bincount(codes, minlength=width)
    sums = [np.bincount(codes, response, minlength=width) for response in y.T]
    return counts, np.stack(sums, axis=1)


def _direction(counts: Ints, sums: Floats) -> Floats:
    """Return the first principal component of these categories' means, weighted by their counts."""
    r = sums.shape[1]
    if r == 1:
        return np.ones(1)
    products = sums[:, :, None] * sums[:, None, :] / counts[:, None, None]
    between = np.cumsum(products, axis=0)[-1]
    if r == 2:
        angle = 0.5 * np.arctan2(2 * between[0, 1], between[0, 0] - between[1, 1])
        axis = np.array([np.cos(angle), np.sin(angle)])
    else:
        axis = np.linalg.eigh(between)[1][:, r - 1]
    largest = 0
    for j in range(1, r):
        if abs(axis[j]) > abs(axis[largest]) + 1 / _DIGITS:
            largest = j
    return np.asarray(-axis if axis[largest] < 0 else axis)


def _category_cut(codes: Ints, y: Floats, width: int, k: int, tie: float) -> _Cut:
    """Cut the categories in two, in the order of their scores on the first component."""
    counts, sums = _tallies(codes, y, width)
    present, firsts = np.unique(codes, return_index=True)
    if len(present) < 2:
        return _NONE
    by_appearance = present[np.argsort(firsts)]
    axis = _direction(counts[by_appearance], sums[by_appearance])
    score = np.zeros(len(present))
    for j, share in enumerate(axis.tolist()):
        score += share * sums[present, j]
    ordered = present[np.lexsort((present, np.rint(score / counts[present] * _DIGITS)))]
    left = np.cumsum(sums[ordered], axis=0)[:-1]
    below = np.cumsum(counts[ordered])[:-1]
    large = (below >= k) & (len(codes) - below >= k)
    gains = np.where(large, _gains(left, below, len(codes)), 0.0)
    gain, at = _first_best(gains, tie)
    part = np.ones(width, np.int64)
    part[ordered[: at + 1]] = 0
    return _Cut(gain, part[codes]) if at >= 0 else _NONE


def _hierarchy_cut(codes: Ints, y: Floats, labels: Ints, k: int) -> _Cut:
    """Cut into the children of the lowest label that covers the records; 0 is missing."""
    width = labels.shape[1]
    counts, sums = _tallies(codes, y, width)
    present = np.flatnonzero(counts)
    values = present[present > 0]
    level = 0
    if len(values) < 2:
        if len(values) == 0 or counts[0] < k or counts[values[0]] < k:
            return _NONE
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
        return _NONE
    totals = [np.bincount(part[present], s[present], minlength=count) for s in sums.T]
    gain = float(np.cumsum((np.stack(totals, axis=1) ** 2 / sizes[:, None]).ravel())[-1])
    return _Cut(gain, part[codes])


def _best_cut(table: Table, rows: Ints, entries: list[Ints], k: int) -> tuple[int, _Cut]:
    """Return the column to cut at a node, −1 for none, and how."""
    n = len(rows)
    mine = table.y[rows]
    mean = np.cumsum(mine, axis=0)[-1] / n
    centred = mine - mean
    error = float(np.cumsum((centred**2).ravel("F"))[-1])
    if n < 2 * k or error <= ALIKE * n:
        return -1, _NONE
    tie = error * TIE
    chosen, best = -1, _NONE
    for c, source in enumerate(table.sources.tolist()):
        if source >= 0:
            cut = _numeric_cut(rows, entries[source], centred, k, tie)
        else:
            row = -1 - source
            codes, width = table.codes[row, rows].astype(np.int64), int(table.widths[row])
            levels, start = int(table.levels[row]), int(table.starts[row])
            if levels:
                labels = table.labels[start : start + levels * width].reshape(levels, width)
                cut = _hierarchy_cut(codes, centred, labels, k)
            else:
                cut = _category_cut(codes, centred, width, k, tie)
        if cut.gain > best.gain + tie:
            chosen, best = c, cut
    return chosen, best


def grow_small(table: Table, k: int) -> NDArray[np.int64]:
    """Return what `discreet.kernels.regression_tree.grow` does, without a risk to weigh.

    >>> nothing = np.zeros(0, dtype=np.int64)
    >>> table = Table(np.array([[0.0], [0.1], [1.0], [0.9]]), np.arange(4, dtype=np.int32),
    ...     (np.arange(4)[None] << 32) + np.arange(4), np.zeros((0, 4), np.int32),
    ...     np.array([0]), nothing, nothing, nothing, nothing)
    >>> grow_small(table, 2)
    array([[-1,  0,  4,  0,  1,  2],
           [ 0,  0,  2, -1,  0,  0],
           [ 0,  2,  4, -1,  0,  0]])
    """
    nodes: list[tuple[int, ...]] = []
    leaves: list[Ints] = []
    at = 0
    stack = [(-1, np.arange(len(table.y)), list(table.entries))]
    while stack:
        parent, rows, entries = stack.pop()
        column, cut = _best_cut(table, rows, entries, k)
        number = len(nodes)
        nodes.append((parent, at, at + len(rows), column, cut.lower, cut.upper))
        if column < 0:
            leaves.append(rows)
            at += len(rows)
            continue
        # Pushed in reverse, so that the first part is popped first.
        part_of = np.empty(len(table.y), np.int64)
        part_of[rows] = cut.parts
        for part in range(int(cut.parts.max()), -1, -1):
            inside = [column[part_of[column & _PLACE] == part] for column in entries]
            stack.append((number, rows[cut.parts == part], inside))
    order = np.concatenate(leaves)
    table.rows[:] = table.rows[order]
    table.codes[:] = table.codes[:, order]
    table.y[:] = table.y[order]
    return np.array(nodes, dtype=np.int64)
