"""Sets of columns whose cells are suppressed together, and the cheapest for each record alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Microdata
from discreet.microdata.equivalence import compatible_sizes

ROOM = 100_000_000
"""The most slots that fit in memory: records times sets of columns."""
MOST_SETS = 2**15
"""The most sets of columns in a search: all of fifteen columns. The members of a household side
by side have dozens."""

Cells = NDArray[np.bool_]


class Patterns:
    """Sets of columns to suppress, cheapest first, the last one all columns.

    All sets, or those of few columns where all would take too much memory, or would be more than
    `most`. `all_below` is the cost below which none is left out.

    >>> Patterns(np.array([1.0, 3.0]), rows=10).sets
    array([[False, False],
           [ True, False],
           [False,  True],
           [ True,  True]])
    """

    def __init__(
        self,
        weights: NDArray[np.float64],
        rows: int,
        more: Cells | None = None,
        most: int = ROOM,
    ) -> None:
        width = len(weights)
        sets: list[tuple[int, ...]] = []
        self.all_below = np.inf
        for size in range(width):
            if sets and len(sets) + comb(width, size) > min(most, ROOM // max(1, rows)):
                self.all_below = float(np.sort(weights)[:size].sum())
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


def gaps_of(data: Microdata, names: Sequence[str]) -> Cells:
    """Return which cells of these columns are missing.

    >>> import discreet
    >>> gaps_of(discreet.read({"sex": ["f", None]}), ["sex"])
    array([[False],
           [ True]])
    """
    return np.column_stack([data.column(name).missing for name in names])


def cheapest_for_each(
    data: Microdata,
    names: Sequence[str],
    k: int,
    weights: NDArray[np.float64],
    known: int,
    times: NDArray[np.int64] | None = None,
    most: int | None = None,
) -> Cells:
    """Return the cheapest cells of each record that leave k records agreeing with the rest.

    The rest is what a reader knows of it, whichever `known` columns these are. `times` says how
    many records each row stands for, by default one. With `most`, only this many sets of columns
    are tried, the cheapest; records of which these do not show the cheapest cells have none.

    >>> import discreet
    >>> data = discreet.read({"sex": ["f", "m", "m"], "town": ["a", "b", "c"]})
    >>> cheapest_for_each(data, ["sex", "town"], 2, np.ones(2), 2, np.array([2, 1, 1])).astype(int)
    array([[0, 0],
           [0, 1],
           [0, 1]])
    """
    missing = gaps_of(data, names)

    @cache
    def enough(shown: tuple[str, ...]) -> Cells:
        return (
            compatible_sizes(data, shown, times) >= k if shown else np.ones(len(data), dtype=bool)
        )

    best = np.full(len(data), np.inf)
    cells = np.zeros(missing.shape, dtype=bool)
    missing_cost = missing @ weights
    patterns = Patterns(weights, 1, most=MOST_SETS if most else ROOM)
    untried = np.inf
    for n, (pattern, cost) in enumerate(zip(patterns.sets, patterns.cost.tolist(), strict=True)):
        if most and (n == most or cost >= patterns.all_below):
            untried = min(cost, patterns.all_below)
            break
        if cost - missing_cost.max(initial=0) >= best.max(initial=0):
            break
        kept = [name for name, gone in zip(names, pattern, strict=True) if not gone]
        pattern_cost = (pattern & ~missing) @ weights
        better = pattern_cost < best
        for shown in combinations(kept, min(known, len(kept))):
            better &= enough(shown)
        best[better] = pattern_cost[better]
        cells[better] = pattern
    # Cells that are already missing cost nothing, so a more expensive set might cost them less.
    cells[best > untried - missing_cost] = False
    return cells
