"""Distances between the distributions of two files, cell by cell.

The cells are the categories of a column, or bins of its numbers, or those of several columns
together. The measures differ in the tables that they look at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Measure, Pairing, Score, param
from discreet.errors import NotApplicable
from discreet.measures.utility.words import lost
from discreet.microdata import Column, Microdata
from discreet.microdata.decoded import Decoded
from discreet.models.design_matrix import ANALYSED

DISTANCES = ("total-variation", "hellinger")
Codes = NDArray[np.int64]
Cells = tuple[Codes, Codes]
"""The cell of each record, in the original and in the release."""


class CellDistance(Measure):
    """The mean distance between an original and a released table of counts."""

    distance: str = param(
        default="total-variation", help="which distance is the value", choices=DISTANCES
    )
    bins: int = param(
        default=20, help="the number of bins that a continuous column is cut into", at_least=2
    )

    def tables(
        self, columns: Mapping[str, Cells], context: Context
    ) -> Iterable[tuple[tuple[str, ...], Cells]]:
        """Yield the columns and the cells of each table, made from the cells of the columns."""
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
            raise NotApplicable("no column of the original is for analysts")
        if not len(original) or not len(released):
            raise NotApplicable("one of the files has no records")
        view = Decoded(original, released, names, None if pairing is None else pairing.origin)
        found: dict[tuple[str, ...], list[tuple[float, float]]] = {}
        for table in view.draws(context.generator("draws")):
            columns = binned_columns(original, table, self.bins)
            for pair, cells in self.tables(columns, context):
                found.setdefault(pair, []).append(distances(*cells))
        means = {pair: np.mean(draws, axis=0).tolist() for pair, draws in found.items()}
        chosen = DISTANCES.index(self.distance)
        return Score(
            float(np.mean([both[chosen] for both in means.values()])),
            detail={
                kind: {" × ".join(pair): both[i] for pair, both in means.items()}
                for i, kind in enumerate(DISTANCES)
            },
            note=lost(view),
            parts={pair: both[chosen] for pair, both in means.items()},
        )


def binned_columns(original: Microdata, table: Microdata, bins: int) -> dict[str, Cells]:
    """Return the cells of both files for each column of a table of the same scales."""
    cells = {}
    for other in table:
        one = original.column(other.name)
        edges = bin_edges(one, bins) if one.attribute.continuous else None
        cells[one.name] = _cells(one, edges), _cells(other, edges)
    return cells


def bin_edges(column: Column, bins: int) -> NDArray[np.float64]:
    """Return edges that cut the values into bins of about equal counts, between two values each.

    >>> import discreet
    >>> bin_edges(discreet.read({"x": [1, 1, 2, 3, 7, 9]}).column("x"), 2)
    array([2.5])
    """
    values, counts = np.unique(column.values[~column.missing], return_counts=True)
    if len(values) < 2:
        return np.empty(0)
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
        return column.values.astype(np.int64) + 1
    return np.where(column.missing, 0, np.searchsorted(edges, column.values, side="right") + 1)


def distances(original: Codes, released: Codes) -> tuple[float, float]:
    """Return total variation and Hellinger distance of two files given by their cells.

    >>> distances(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))[0]
    0.25
    """
    room = int(max(original.max(), released.max())) + 1
    if room > 4 * (len(original) + len(released)):
        _, together = np.unique(np.concatenate([original, released]), return_inverse=True)
        original, released = together[: len(original)], together[len(original) :]
        room = int(together.max()) + 1
    p = np.bincount(original, minlength=room) / len(original)
    q = np.bincount(released, minlength=room) / len(released)
    variation = float(np.abs(p - q).sum() / 2)
    hellinger = float(np.sqrt(((np.sqrt(p) - np.sqrt(q)) ** 2).sum() / 2))
    return min(variation, 1.0), min(hellinger, 1.0)
