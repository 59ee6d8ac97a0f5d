"""Raked records: of many records drawn from a tree, those that fit all two-way tables.

A tree carries the dependence of neighbouring columns only. Records drawn from it are weighted until
they have all two-way tables (iterative proportional fitting, Deming & Stephan 1940), and as many as
are needed are sampled by their weights.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers
from discreet.models.noisy_tables import Tables

Cells = NDArray[np.int64]

ROUNDS = 15
STRONGEST = 5.0
"""The largest factor by which a weight changes at a time: noisy tables do not agree entirely."""


def raked_weights(cells: Sequence[Cells], tables: Tables) -> Numbers:
    """Return weights with which records have the given two-way tables as nearly as they can.

    >>> cells = [np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])]
    >>> wanted = Tables((np.array([2.0, 2]), np.array([2.0, 2])),
    ...                 {(0, 1): np.array([[1.5, 0.5], [0.5, 1.5]])})
    >>> raked_weights(cells, wanted)
    array([1.5, 0.5, 0.5, 1.5])
    """
    weights = np.full(len(cells[0]), tables.total / max(1, len(cells[0])))
    codes = {
        (i, j): cells[i] * table.shape[1] + cells[j] for (i, j), table in tables.crossed.items()
    }
    for _ in range(ROUNDS):
        for pair, table in tables.crossed.items():
            weighted = np.bincount(codes[pair], weights, minlength=table.size)
            ratio = np.divide(table.ravel(), weighted, out=np.ones(table.size), where=weighted > 0)
            weights = weights * np.clip(ratio, 1 / STRONGEST, STRONGEST)[codes[pair]]
    return np.asarray(weights)


def sampled(cells: Sequence[Cells], weights: Numbers, rows: int, rng: np.random.Generator) -> Cells:
    """Return this many records in proportion to their weights, in random order.

    Systematic sampling of the records in the order of their cells: every cell of the first column,
    and nearly every one of the next within it, gets its share, rounded up or down.

    >>> same = [np.zeros(3, dtype=np.int64)]
    >>> sorted(sampled(same, np.array([1.0, 2.0, 1.0]), 4, np.random.default_rng(1)).tolist())
    [0, 1, 1, 2]
    """
    order = np.lexsort(tuple(cells)[::-1])
    ends = np.cumsum(weights[order])
    points = (rng.random() + np.arange(rows)) * (ends[-1] / rows)
    chosen = np.minimum(np.searchsorted(ends, points, side="right"), len(weights) - 1)
    return np.asarray(rng.permutation(order[chosen]))
