"""Local suppression: which cells to suppress so that every record is one of k alike.

Two readings of a suppressed cell:

- It is a category of its own ("nothing": a missing value matches nothing but missing values). Then
  k records must have the same values left and the same cells suppressed. The fewest cells are hard
  to find; a greedy start, local moves and a search by annealing come close (kernel
  local_suppression), and for small files an integer program proves how close.
- It could be any value ("anything"). Then a record needs k records in the file that agree with it
  in what is left of it. Records do not depend on each other, and the cheapest set of cells for each
  is found by trying all sets in the order of their cost: no choice has fewer cells. Where a reader
  knows only m columns, that must hold for what is left of every m of them. Here a record is
  compared with the others as they were before suppression. A reader of the release, to whom their
  gaps also match anything, counts at least as many, so cells are then restored as long as each
  record keeps k by that count, in all columns. Relying on gaps from the start would allow
  fewer still, down to k − 1 wholly suppressed records for any file, and would protect nobody.

The second number, before cells are restored, is also the least that the first reading could need:
records that look alike with the same cells suppressed agreed in the others before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.methods.nonperturbative.fewest_cells import fewest
from discreet.methods.nonperturbative.gaps_of_others import restored
from discreet.microdata import Microdata
from discreet.microdata.equivalence import classes, compatible_sizes

ROOM = 100_000_000
"""Slots that fit in memory: records times sets of columns."""

STEPS_PER_RECORD = 2000
MOST_STEPS = 300_000
WARMTH = 0.6
CHUNKS = 20

LEAST = 1e-9
"""Costs that differ by less are the same: they are sums of rounded numbers."""

Cells = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Suppressed:
    """The cells to suppress, by record and column, and the least cost that any choice has."""

    cells: Cells
    cost: float
    least: float


class Patterns:
    """Sets of columns to suppress, cheapest first, the last one all columns.

    All sets, or those of few columns where all would take too much memory.

    >>> Patterns(np.array([1.0, 3.0]), rows=10).sets
    array([[False, False],
           [ True, False],
           [False,  True],
           [ True,  True]])
    """

    def __init__(self, weights: NDArray[np.float64], rows: int, more: Cells | None = None) -> None:
        width = len(weights)
        sets: list[tuple[int, ...]] = []
        for size in range(width):
            if sets and (len(sets) + comb(width, size)) * max(1, rows) > ROOM:
                break
            sets += combinations(range(width), size)
        marks = np.zeros((len(sets) + 1, width), dtype=bool)
        for n, chosen in enumerate(sets):
            marks[n, list(chosen)] = True
        marks[-1] = True
        if more is not None:
            marks = np.concatenate([marks, more])
        marks = np.unique(marks, axis=0)
        cost = marks @ weights
        order = np.lexsort((*marks.T, marks.sum(axis=1), cost))
        self.sets: Cells = marks[order]
        self.cost: NDArray[np.float64] = cost[order]


def suppressed(
    data: Microdata,
    names: Sequence[str],
    k: int,
    weights: Sequence[float],
    matches: str,
    steps: int | None,
    context: Context,
    known: int | None = None,
) -> Suppressed:
    """Return the cells of ordinal or nominal columns to suppress.

    `weights` is the cost of a cell of each column, `steps` how long the search goes on after the
    local moves (2000 per record to be treated, at most 300,000, if not given; with 0 nothing is
    proved or restored either). `known` is how
    many of the columns a reader knows, all if not given; if a gap is a category of its own, the
    cells are those for all columns even so, and only their least cost is that for so many.

    >>> import discreet
    >>> data = discreet.read({"sex": ["f", "f", "m", "m"], "town": ["a", "a", "b", "c"]})
    >>> suppressed(data, ["sex", "town"], 2, [1, 1], "nothing", None, Context()).cells.sum(axis=0)
    array([0, 2])
    """
    cost = np.asarray(weights, dtype=np.float64)
    missing = np.column_stack([data.column(name).missing for name in names])
    alone = _for_each_record(data, names, k, cost, missing, known or len(names))
    least = float((alone & ~missing).sum(axis=0) @ cost)
    if matches == "anything":
        cells = alone & ~missing
        if steps != 0:
            # What is enough for a reader of all columns is enough for one of some.
            if known not in (None, len(names)):
                alone = _for_each_record(data, names, k, cost, missing, len(names))
            codes = np.column_stack([data[name] for name in names])
            fewer = restored(codes, alone & ~missing, cost, k)
            if fewer.sum(axis=0) @ cost < least:
                cells = fewer
        return Suppressed(cells, float(cells.sum(axis=0) @ cost), least)
    cells = cells_of_alike(data, names, k, cost, steps, context)
    if steps == 0 or known not in (None, len(names)) or cells.sum(axis=0) @ cost <= least + LEAST:
        return Suppressed(cells, float(cells.sum(axis=0) @ cost), least)
    exact = fewest(np.column_stack([data[name] for name in names]), cost, k)
    if exact is not None:
        least = max(least, exact.least)
        if exact.cells is not None and exact.cells.sum(axis=0) @ cost < cells.sum(axis=0) @ cost:
            cells = exact.cells
    return Suppressed(cells, float(cells.sum(axis=0) @ cost), least)


def _for_each_record(
    data: Microdata,
    names: Sequence[str],
    k: int,
    weights: NDArray[np.float64],
    missing: Cells,
    known: int,
) -> Cells:
    """Return the cheapest cells of each record that leave k records agreeing with the rest.

    With the rest as far as a reader knows it, whichever `known` columns these are.
    """

    @cache
    def enough(shown: tuple[str, ...]) -> Cells:
        return compatible_sizes(data, shown) >= k if shown else np.ones(len(data), dtype=bool)

    best = np.full(len(data), np.inf)
    cells = np.zeros(missing.shape, dtype=bool)
    missing_cost = missing @ weights
    for pattern, cost in _rising(weights):
        if cost - missing_cost.max(initial=0) >= best.max(initial=0):
            break
        kept = [name for name, gone in zip(names, pattern, strict=True) if not gone]
        pattern_cost = (pattern & ~missing) @ weights
        better = pattern_cost < best
        for shown in combinations(kept, min(known, len(kept))):
            better &= enough(shown)
        best[better] = pattern_cost[better]
        cells[better] = pattern
    return cells


def _rising(weights: NDArray[np.float64]) -> Iterator[tuple[Cells, float]]:
    patterns = Patterns(weights, rows=1)
    yield from zip(patterns.sets, patterns.cost.tolist(), strict=True)


def cells_of_alike(
    data: Microdata,
    names: Sequence[str],
    k: int,
    weights: NDArray[np.float64],
    steps: int | None,
    context: Context,
) -> Cells:
    """Return cells such that k records each have the same values left and the same cells gone.

    >>> import discreet
    >>> data = discreet.read({"sex": ["f", "f", "m", "m"], "town": ["a", "a", "b", "c"]})
    >>> cells_of_alike(data, ["sex", "town"], 2, np.ones(2), None, Context()).sum(axis=0)
    array([0, 2])
    """
    from discreet.kernels.full_domain import numbered_rows
    from discreet.kernels.local_suppression import annealed, improved, start

    everything = Microdata([data.column(name) for name in names])
    rows, staying = _movable(classes(everything, names), k)
    data = everything.take(rows)
    missing = np.column_stack([data.column(name).missing for name in names])
    patterns = Patterns(weights, len(data), np.unique(missing, axis=0))
    table = np.array([data[name] + 1 for name in names], dtype=np.int32)  # 0 is missing
    counts = np.array([len(data.schema[name].categories) + 1 for name in names])
    once = np.ones(len(data), dtype=np.int64)
    slots = np.empty((len(patterns.sets), len(data)), dtype=np.int32)
    home = np.zeros(len(data), dtype=np.int32)
    slot_count = 0
    for p, pattern in enumerate(patterns.sets):
        numbers, sizes = numbered_rows(table, np.flatnonzero(~pattern), counts[~pattern], once)
        slots[p] = np.where((missing & ~pattern).any(axis=1), -1, numbers + slot_count)
        home[(missing == pattern).all(axis=1)] = p
        slot_count += len(sizes)
    state = start(slots, slot_count, patterns.cost, home, k, staying)
    while improved(state):
        pass
    many = min(STEPS_PER_RECORD * int(state.aways[0]), MOST_STEPS) if steps is None else steps
    with context.task("suppressing fewer cells", 1.0) as advance:
        for chunk in range(CHUNKS if many else 0):
            begin, end = (many * n // CHUNKS for n in (chunk, chunk + 1))
            annealed(state, begin, end, many, WARMTH)
            advance(1 / CHUNKS)
        while improved(state):
            pass
    cells = np.zeros((len(everything), len(names)), dtype=bool)
    cells[rows] = patterns.sets[state.chosen] & ~missing
    return cells


def _movable(labels: NDArray[np.int64], k: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the records that cells may be taken from, and how many more like each one stay.

    Of 2k or more records alike, k may fill up other groups while the rest stays as it is. So the
    search takes as long as there are different combinations, not as there are records.

    >>> _movable(np.array([0, 0, 0, 0, 0, 1]), 2)
    (array([0, 1, 5]), array([3, 0, 0]))
    """
    order = np.argsort(labels, kind="stable")
    sizes = np.bincount(labels)
    first = np.cumsum(sizes) - sizes
    place = np.empty(len(labels), dtype=np.int64)
    place[order] = np.arange(len(labels)) - first[labels[order]]
    moving = np.where(sizes < 2 * k, sizes, k)
    rows = np.flatnonzero(place < moving[labels])
    staying = np.where(place[rows] == 0, (sizes - moving)[labels[rows]], 0)
    return rows, staying
