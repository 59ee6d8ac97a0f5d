"""Distances between the distributions of two files, cell by cell.

The cells are the categories of a column, or bins of its numbers, or those of several columns
together. The measures differ in the tables that they compare.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Measure, Pairing, Score, param
from discreet.errors import NotApplicable
from discreet.measures.utility.words import lost_and_weighted
from discreet.measures.view import decoded
from discreet.microdata import Column, Microdata, Numbers
from discreet.microdata.decoded import Decoded
from discreet.microdata.equivalence import coded, numbered
from discreet.microdata.weights import weights_of
from discreet.models.design_matrix import ANALYSED

DISTANCES = ("total-variation", "hellinger")
Codes = NDArray[np.integer]


class CellDistance(Measure):
    """The mean distance between an original and a released table of counts."""

    distance: str = param(
        default="total-variation", help="which distance is the value", choices=DISTANCES
    )
    bins: int = param(
        default=20, help="the number of bins that a continuous column is cut into", at_least=2
    )

    def tables(self, names: Sequence[str]) -> list[tuple[str, ...]]:
        """Return which columns make up each table."""
        raise TypeError(f"{type(self).__name__} does not say which tables it compares")

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the mean of the chosen distance; detail has both for each table."""
        names = original.having(*ANALYSED)
        if not names:
            raise NotApplicable("the original has no column that an analyst would work with")
        if not len(original) or not len(released):
            raise NotApplicable("one of the files has no records")
        tables = self.tables(names)
        view = decoded(original, released, names, pairing, context)
        # The same draws for every measure of this kind: one set of cells serves them all.
        generator = context.randomness.generator("cells", "draws")
        cells = context.once(
            ("cells", original, released, pairing, self.bins),
            lambda: Cells.of(original, released, view, self.bins, generator),
        )
        means: dict[tuple[str, ...], list[float]] = {}
        with context.task("tables of cells", len(tables)) as advance:
            for table in tables:
                means[table] = np.mean(cells.distances(table), axis=0).tolist()
                advance(1)
        chosen = DISTANCES.index(self.distance)
        return Score(
            float(np.mean([both[chosen] for both in means.values()])),
            detail={
                kind: {" × ".join(table): both[i] for table, both in means.items()}
                for i, kind in enumerate(DISTANCES)
            },
            note=lost_and_weighted(view, original),
            parts={table: both[chosen] for table, both in means.items()},
        )


@dataclass(frozen=True, eq=False)
class Cells:
    """The cell that each record falls into, column by column, and how many cells there are.

    `after` is one draw of the release. Another differs from it in the `loose` records alone, and
    `redrawn` has their cells. `weights` are those of the original's records and of the released
    ones; None where each counts once.
    """

    room: dict[str, int]
    before: dict[str, Codes]
    after: dict[str, Codes]
    loose: NDArray[np.int64]
    redrawn: list[dict[str, Codes]]
    weights: tuple[Numbers | None, Numbers | None] = (None, None)

    @classmethod
    def of(
        cls,
        original: Microdata,
        released: Microdata,
        view: Decoded,
        bins: int,
        generator: np.random.Generator,
    ) -> Cells:
        """Cut the numbers into bins that hold about as many original records each."""
        weights = weights_of(original), weights_of(released)
        edges = {
            name: bin_edges(original.column(name), bins, weights[0])
            for name in view.names
            if original.schema[name].continuous
        }
        room = {
            name: 2 + len(edges[name] if name in edges else original.schema[name].categories)
            for name in view.names
        }

        def cells(table: Microdata, rows: NDArray[np.int64] | None = None) -> dict[str, Codes]:
            kept = {name: table.column(name) for name in view.names}
            if rows is not None:
                kept = {name: c.with_values(c.values[rows]) for name, c in kept.items()}
            small = {name: np.min_scalar_type(room[name]) for name in kept}
            return {
                name: _cells(c, edges.get(name)).astype(small[name]) for name, c in kept.items()
            }

        before, draws, loose = cells(original), view.draws(generator), view.loose
        after = cells(next(draws))
        return cls(room, before, after, loose, [cells(draw, loose) for draw in draws], weights)

    def distances(self, table: Sequence[str]) -> list[tuple[float, float]]:
        """Return both distances in the table of some columns, of each draw."""
        before, draws = self.counts(table)
        return [distances(before, after) for after in draws]

    def counts(self, table: Sequence[str]) -> tuple[Codes, list[Codes]]:
        """Return the records in each cell of some columns: of the original, and of each draw."""
        room = math.prod(self.room[name] for name in table)
        before, after = self._together(table, self.before), self._together(table, self.after)
        moved = [self._together(table, codes) for codes in self.redrawn]
        if room > 4 * (len(before) + len(after)):
            # Most cells are empty: only those that occur are counted.
            together, count = numbered(np.concatenate([before, after, *moved]), room)
            ends = np.cumsum([len(before), len(after), *map(len, moved)])[:-1]
            (before, after, *moved), room = np.split(together, ends), count
        old, new = self.weights
        p, q = np.bincount(before, old, room), np.bincount(after, new, room)
        again = None if new is None else new[self.loose]
        # The rest of a sum may be below zero because of rounding.
        fixed = np.maximum(q - np.bincount(after[self.loose], again, room), 0) if moved else q
        return p, [q, *(fixed + np.bincount(codes, again, room) for codes in moved)]

    def _together(self, table: Sequence[str], codes: Mapping[str, Codes]) -> NDArray[np.int64]:
        keys = codes[table[0]].astype(np.int64)
        for name in table[1:]:
            keys *= self.room[name]
            keys += codes[name]
        return keys


def bin_edges(column: Column, bins: int, weights: Numbers | None = None) -> NDArray[np.float64]:
    """Return edges that cut the values into bins of about equal counts, between two values each.

    With weights, bins have about the same sum of weights.

    >>> import discreet
    >>> bin_edges(discreet.read({"x": [1, 1, 2, 3, 7, 9]}).column("x"), 2)
    array([2.5])
    """
    known = ~column.missing
    place, values = coded(column.values[known])
    if len(values) < 2:
        return np.empty(0)
    counts = np.bincount(place, None if weights is None else weights[known], len(values))
    below = np.cumsum(counts)[:-1]
    if len(values) <= bins:
        cuts = np.arange(len(below))
    else:
        wanted = counts.sum() * np.arange(1, bins) / bins
        after = np.clip(np.searchsorted(below, wanted), 1, len(below) - 1)
        nearer = below[after] - wanted >= wanted - below[after - 1]
        cuts = np.unique(after - nearer)
    return np.asarray(values[cuts] / 2 + values[cuts + 1] / 2)


def _cells(column: Column, edges: NDArray[np.float64] | None) -> Codes:
    """Return the cell of each record, 0 for a missing value."""
    if edges is None:
        return np.asarray(column.values + 1)
    return np.where(column.missing, 0, np.searchsorted(edges, column.values, side="right") + 1)


def distances(original: NDArray[Any], released: NDArray[Any]) -> tuple[float, float]:
    """Return total variation and Hellinger distance of two tables of counts.

    >>> distances(np.array([2, 2]), np.array([1, 3]))[0]
    0.25
    """
    p, q = original / original.sum(), released / released.sum()
    variation = float(np.abs(p - q).sum() / 2)
    hellinger = float(np.sqrt(((np.sqrt(p) - np.sqrt(q)) ** 2).sum() / 2))
    return min(variation, 1.0), min(hellinger, 1.0)
