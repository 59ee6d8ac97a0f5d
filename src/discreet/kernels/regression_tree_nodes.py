"""One node of a regression tree: its records, the best cut of each column, and the division.

The table holds the records in such an order that those of every node are contiguous.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled, inner
from discreet.kernels.regression_tree_cuts import (
    PLACE,
    category_cut,
    category_order,
    forget,
    hierarchy_cut,
    numeric_cut,
    sort,
    tally,
)
from discreet.kernels.regression_tree_digression import Risk, ratio_cut
from discreet.kernels.regression_tree_moves import find_places, part_by_code, part_by_value

TIE = 1e-10
"""Gains that differ by less than this share of the node's error are equal."""
ALIKE = 1e-24
"""Mean squared deviation, with responses from 0 to 1, below which they are all the same."""

PARENT, START, END, COLUMN, LOWER, UPPER = range(6)


class Table(NamedTuple):
    """The records as the kernel reorders them; `rows` says which record is at which place.

    `sources[c]` is the row of `entries` (numeric) or, as −1 − row, of `codes` (categories, 0 for
    missing) that holds column c. A row of `codes` with `levels` > 0 has a hierarchy, whose label
    numbers by level and category are the `levels` × `widths` numbers of `labels` from `starts`.
    """

    y: NDArray[np.float64]
    rows: NDArray[np.int32]
    entries: NDArray[np.int64]
    codes: NDArray[np.int32]
    sources: NDArray[np.int64]
    widths: NDArray[np.int64]
    levels: NDArray[np.int64]
    starts: NDArray[np.int64]
    labels: NDArray[np.int64]


class Scratch(NamedTuple):
    """Working space for the tallies of categories; `counts` and `sums` are zero between uses."""

    counts: NDArray[np.int64]
    sums: NDArray[np.float64]
    present: NDArray[np.int64]
    keys: NDArray[np.int64]


@compiled
def empty_scratch(width: int, r: int) -> Scratch:
    """Return working space for this many categories and responses."""
    return Scratch(
        np.zeros(width, np.int64),
        np.zeros((width, r)),
        np.empty(width, np.int64),
        np.empty(width, np.int64),
    )


@compiled
def better(value: float, best: float, tie: float, risk: Risk) -> bool:
    """Whether a cut is better than the best so far, by more than rounding."""
    if len(risk.shares) > 0:
        return value > best * (1 + TIE)
    return value > best + tie


@compiled
def best_cut(
    table: Table,
    column: int,
    start: int,
    end: int,
    mean: NDArray[np.float64],
    k: int,
    tie: float,
    risk: Risk,
    scratch: Scratch,
    parts: NDArray[np.int64],
) -> tuple[float, int, int]:
    """Return the gain (or the ratio q) of a column's best cut, its parts and the records below."""
    source = table.sources[column]
    by_ratio = len(risk.shares) > 0
    if source >= 0:
        entries = table.entries[source, start:end]
        if by_ratio:
            value, below = ratio_cut(entries, table.y, mean, k, tie, risk)
        else:
            value, below = numeric_cut(entries, table.y, mean, k, tie)
        return value, 2 if below > 0 else 0, below
    row = -1 - source
    codes = table.codes[row, start:end]
    counts, sums = scratch.counts, scratch.sums
    occurring = tally(codes, table.y, start, mean, counts, sums, scratch.present)
    present = scratch.present[:occurring]
    value, count = 0.0, 0
    if table.levels[row] > 0:
        size = table.levels[row] * table.widths[row]
        labels = table.labels[table.starts[row] : table.starts[row] + size]
        sort(present)
        shaped = labels.reshape((table.levels[row], table.widths[row]))
        value, count = hierarchy_cut(counts, sums, present, shaped, k, parts[row])
    elif occurring > 1:
        ordered = category_order(counts, sums, present, scratch.keys)
        if by_ratio:
            entries = _in_category_order(codes, start, counts, ordered)
            value, below = ratio_cut(entries, table.y, mean, k, tie, risk)
            for i in range(len(entries)):
                parts[row, codes[(entries[i] & PLACE) - start]] = 0 if i < below else 1
            count = 2 if below > 0 else 0
        else:
            value, count = category_cut(counts, sums, ordered, end - start, k, tie, parts[row])
    forget(counts, sums, present)
    return value, count, 0


@inner
def _in_category_order(
    codes: NDArray[np.int32],
    start: int,
    counts: NDArray[np.int64],
    ordered: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return the records as entries of a numeric column whose ranks are the ordered categories."""
    entries = np.empty(len(codes), np.int64)
    cursor = np.empty(len(counts), np.int64)
    rank = np.empty(len(counts), np.int64)
    at = 0
    for c in range(len(ordered)):
        cursor[ordered[c]], rank[ordered[c]] = at, c
        at += counts[ordered[c]]
    for i in range(len(codes)):
        code = codes[i]
        entries[cursor[code]] = (rank[code] << 32) + start + i
        cursor[code] += 1
    return entries


@compiled
def divide(
    table: Table,
    column: int,
    below: int,
    start: int,
    end: int,
    parts: NDArray[np.int64],
    moves: NDArray[np.int64],
    ends: NDArray[np.int64],
    node: NDArray[np.int64],
) -> None:
    """Find the new places of the records of a node, and write its cut."""
    source = table.sources[column]
    node[COLUMN] = column
    if source >= 0:
        entries = table.entries[source, start:end]
        node[LOWER], node[UPPER] = entries[below - 1] >> 32, entries[below] >> 32
        part_by_value(entries, below, moves)
    else:
        part_by_code(table.codes[-1 - source, start:end], start, parts[-1 - source], moves)
    find_places(moves, start, end, ends)


def categories_of(
    codes: NDArray[np.int32],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    width: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the categories that occur between each start and end, one list after another.

    The first array says where in the second each list ends.

    >>> categories_of(np.array([3, 1, 3, 0], np.int32), np.array([0, 2]), np.array([3, 4]), 4)
    (array([2, 4]), array([1, 3, 0, 3]))
    """
    lists = [
        np.flatnonzero(np.bincount(codes[start:end], minlength=width))
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
    limits = np.cumsum([len(each) for each in lists], dtype=np.int64)
    return limits, np.concatenate([np.zeros(0, np.int64), *lists])
