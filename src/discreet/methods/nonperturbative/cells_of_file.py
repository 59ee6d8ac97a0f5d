"""Local suppression of a file of any size: which cells of which rows.

The cells are chosen on the distinct combinations of values, the *kinds* of records. Of each kind
only the first records of the file are ever changed, so that everything needed fits in memory if the
kinds do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Passes
from discreet.methods.nonperturbative.cell_patterns import (
    MOST_SETS,
    Cells,
    Patterns,
    cheapest_for_each,
    gaps_of,
)
from discreet.methods.nonperturbative.fewest_cells import Proved, fewest
from discreet.methods.nonperturbative.known_combinations import KnownCombinations
from discreet.microdata import MISSING_CODE, Column, Microdata

STEPS_PER_RECORD = 2000
MOST_STEPS = 300_000
MOST_WORK = 300_000_000
"""The most records and patterns that each part of the search examines: some seconds. Only files of
thousands of different records in ten or more columns reach that."""
WARMTH = 0.6
CHUNKS = 20
LEAST = 1e-9
"""Costs that differ by less than this are equal: they are sums of rounded numbers."""
TRIED = 2**11
"""Sets of columns tried for the least cost: all of up to eleven columns, else the cheapest.
"""
PER_RECORD = 64
"""Bytes for a record that takes part in the search, without those for its sets of columns."""


@dataclass(frozen=True, eq=False)
class CellsOfRows:
    """The rows with suppressed cells, in their order, and the cells of each.

    No choice of cells costs less than `least`.
    """

    names: tuple[str, ...]
    rows: NDArray[np.int64]
    cells: Cells
    cost: float
    least: float = 0.0

    def __call__(self, rows: Microdata, context: Context, first: int) -> list[Column]:
        """Return the columns of some rows with their cells suppressed."""
        begin, end = np.searchsorted(self.rows, [first, first + len(rows)])
        at = self.rows[begin:end] - first
        columns = []
        for name, gone in zip(self.names, self.cells[begin:end].T, strict=True):
            column = rows.column(name)
            values = column.values.copy()
            values[at[gone]] = MISSING_CODE
            columns.append(column.with_values(values))
        return columns

    def of_all(self, records: int) -> Cells:
        """Return the cells of all records of the file."""
        cells = np.zeros((records, len(self.names)), dtype=bool)
        cells[self.rows] = self.cells
        return cells


def cells_of_file(
    file: Passes,
    names: Sequence[str],
    k: int,
    cost: NDArray[np.float64],
    steps: int | None,
    context: Context,
) -> CellsOfRows:
    """Return the cells to suppress so that k records each have the same values and gaps.

    >>> import discreet
    >>> from discreet.contracts import InMemory
    >>> data = discreet.read({"sex": ["f", "f", "m", "m"], "town": ["a", "a", "b", "c"]})
    >>> found = cells_of_file(InMemory(data), ("sex", "town"), 2, np.ones(2), None, Context())
    >>> found.rows, found.cells.sum(axis=0), found.least
    (array([2, 3]), array([0, 2]), 2.0)
    """
    kinds, times = file.combinations(names)
    alone = cheapest_for_each(kinds, names, k, cost, len(names), times, TRIED)
    alone &= ~gaps_of(kinds, names)
    least = float((times @ alone) @ cost)
    cells = searched_cells(file, kinds, times, names, k, cost, steps, context)
    if steps != 0 and cells.cost > least + LEAST:
        proved = fewest(np.column_stack([kinds[name] for name in names]), times, cost, k)
        if proved is not None:
            least = max(least, proved.least)
            if proved.times is not None:
                exact = _dealt(file, kinds, names, proved, cost)
                cells = exact if exact.cost < cells.cost else cells
    return CellsOfRows(cells.names, cells.rows, cells.cells, cells.cost, least)


def searched_cells(
    file: Passes,
    kinds: Microdata,
    times: NDArray[np.int64],
    names: Sequence[str],
    k: int,
    weights: NDArray[np.float64],
    steps: int | None,
    context: Context,
) -> CellsOfRows:
    """Return cells such that k records each keep the same values and lose the same cells.

    Of 2k or more equal records, k may fill up other groups while the rest stay as they are. So the
    time of the search depends on the number of distinct combinations, not of records. `steps` is
    how long it goes on after the local moves, 2000 per record with suppressed cells if not given,
    at most 300,000.
    """
    from discreet.kernels.full_domain import numbered_rows
    from discreet.kernels.local_suppression import annealed, improved, start

    moving = np.where(times < 2 * k, times, k)
    taking_part = int(moving.sum())
    sets = len(Patterns(weights, taking_part, most=MOST_SETS).sets)
    file.require(taking_part * (PER_RECORD + 4 * sets), f"local suppression of {', '.join(names)}")
    rows, kind, place = first_rows(file, kinds, names, moving)
    staying = np.where(place == 0, (times - moving)[kind], 0)
    data = Microdata([kinds.column(name) for name in names]).take(kind)
    missing = gaps_of(data, names)
    gaps, gaps_at = np.unique(missing, axis=0, return_inverse=True)
    gaps_at = gaps_at.reshape(-1)
    patterns = Patterns(weights, len(data), gaps, MOST_SETS)
    table = np.array([data[name] + 1 for name in names], dtype=np.int32)  # 0 is missing
    counts = np.array([len(data.schema[name].categories) + 1 for name in names])
    once = np.ones(len(data), dtype=np.int64)
    slots = np.empty((len(patterns.sets), len(data)), dtype=np.int32)
    home = np.zeros(len(gaps), dtype=np.int32)
    slot_count = 0
    for p, pattern in enumerate(patterns.sets):
        numbers, sizes = numbered_rows(table, np.flatnonzero(~pattern), counts[~pattern], once)
        slots[p] = numbers
        slots[p] += slot_count
        slots[p, (gaps & ~pattern).any(axis=1)[gaps_at]] = -1
        home[(gaps == pattern).all(axis=1)] = p
        slot_count += len(sizes)
    state = start(slots, slot_count, patterns.cost, home[gaps_at], k, staying)
    while improved(state, MOST_WORK):
        pass
    many = min(STEPS_PER_RECORD * int(state.aways[0]), MOST_STEPS) if steps is None else steps
    if steps is None and state.work[0] >= MOST_WORK:
        # As long as rounds of moves still help, they save more than annealing does.
        many = 0
    with context.task("suppressing fewer cells", 1.0) as advance:
        for chunk in range(CHUNKS if many else 0):
            begin, end = (many * n // CHUNKS for n in (chunk, chunk + 1))
            annealed(state, begin, end, many, WARMTH, 2 * MOST_WORK)
            advance(1 / CHUNKS)
        while improved(state, (3 if many else 2) * MOST_WORK):
            pass
    return _of_some(names, rows, patterns.sets[state.chosen] & ~missing, weights)


def _of_some(
    names: Sequence[str], rows: NDArray[np.int64], cells: Cells, weights: NDArray[np.float64]
) -> CellsOfRows:
    """Return the rows that have suppressed cells, and these."""
    some = cells.any(axis=1)
    spent = float(cells.sum(axis=0) @ weights)
    return CellsOfRows(tuple(names), rows[some], cells[some], spent)


def _dealt(
    file: Passes,
    kinds: Microdata,
    names: Sequence[str],
    proved: Proved,
    weights: NDArray[np.float64],
) -> CellsOfRows:
    """Return the cells of a choice that says how many records of each kind get each pattern.

    The first records of a kind get the patterns that change it.
    """
    assert proved.times is not None
    gaps = gaps_of(kinds, names)
    changed = proved.times.copy()
    changed[(proved.patterns[None, :, :] == gaps[:, None, :]).all(axis=2)] = 0
    moving = changed.sum(axis=1)
    rows, kind, place = first_rows(file, kinds, names, moving)
    pattern = np.repeat(np.tile(np.arange(changed.shape[1]), len(changed)), changed.ravel())
    chosen = pattern[(np.cumsum(moving) - moving)[kind] + place]
    return _of_some(names, rows, proved.patterns[chosen] & ~gaps[kind], weights)


def first_rows(
    file: Passes, kinds: Microdata, names: Sequence[str], most: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the first rows of the file of each kind, `most` of them, in the order of the file.

    Also returned are the kind of each, and which it is among those of its kind, from 0.

    >>> import discreet
    >>> from discreet.contracts import InMemory
    >>> file = InMemory(discreet.read({"sex": list("fmffmf")}))
    >>> first_rows(file, file.combinations(["sex"])[0], ["sex"], np.array([2, 1]))
    (array([0, 1, 2]), array([0, 1, 0]), array([0, 0, 1]))
    """
    known = KnownCombinations([kinds[name] + 1 for name in names])
    kind_at = np.argsort(known.places([kinds[name] + 1 for name in names]))
    seen = np.zeros(len(kinds), dtype=np.int64)
    taken: list[NDArray[np.int64]] = []
    first = 0
    for piece in file.pieces(names):
        kind = kind_at[known.places([piece[name] + 1 for name in names])]
        wanted = np.flatnonzero((seen < most)[kind])
        kind = kind[wanted]
        order = np.argsort(kind, kind="stable")
        place = np.empty(len(kind), dtype=np.int64)
        starts = np.searchsorted(kind[order], kind[order])
        place[order] = np.arange(len(kind)) - starts + seen[kind[order]]
        seen += np.bincount(kind, minlength=len(seen))
        chosen = place < most[kind]
        taken.append(np.array([first + wanted[chosen], kind[chosen], place[chosen]]))
        first += len(piece)
    rows, kind, place = np.concatenate([np.zeros((3, 0), dtype=np.int64), *taken], axis=1)
    return rows, kind, place
