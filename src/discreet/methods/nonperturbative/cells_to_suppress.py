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

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, InMemory
from discreet.methods.nonperturbative.cell_patterns import Cells, cheapest_for_each, gaps_of
from discreet.methods.nonperturbative.cells_of_file import cells_of_file, searched_cells
from discreet.methods.nonperturbative.gaps_of_others import restored
from discreet.microdata import Microdata


@dataclass(frozen=True, eq=False)
class Suppressed:
    """The cells to suppress, by record and column, and the least cost that any choice has."""

    cells: Cells
    cost: float
    least: float


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
    some_known = known not in (None, len(names))
    if matches == "nothing" and not some_known:
        fewest = cells_of_file(InMemory(data), names, k, cost, steps, context)
        return Suppressed(fewest.of_all(len(data)), fewest.cost, fewest.least)
    missing = gaps_of(data, names)
    alone = cheapest_for_each(data, names, k, cost, known or len(names)) & ~missing
    least = float(alone.sum(axis=0) @ cost)
    if matches == "nothing":
        cells = cells_of_alike(data, names, k, cost, steps, context)
        return Suppressed(cells, float(cells.sum(axis=0) @ cost), least)
    cells = alone
    if steps != 0:
        # What is enough for a reader of all columns is enough for one of some.
        if some_known:
            alone = cheapest_for_each(data, names, k, cost, len(names)) & ~missing
        codes = np.column_stack([data[name] for name in names])
        fewer = restored(codes, alone, cost, k)
        if fewer.sum(axis=0) @ cost < least:
            cells = fewer
    return Suppressed(cells, float(cells.sum(axis=0) @ cost), least)


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
    file = InMemory(data)
    kinds, times = file.combinations(names)
    cells = searched_cells(file, kinds, times, names, k, weights, steps, context)
    return cells.of_all(len(data))
