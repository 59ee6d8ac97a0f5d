"""Iterative proportional fitting: a table scaled until its margins are the given ones.

Deming & Stephan (1940): for each margin in turn, the cells under each of its entries are multiplied
so that they sum to that entry. From a table of ones the limit is the maximum-likelihood fit of the
log-linear model whose terms are the margins; from another table it is the one nearest to it in
relative entropy, with that table's odds ratios.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.microdata import Numbers

ROUNDS = 200
TOLERANCE = 1e-8
"""How far a margin may be off, as a share of the table's sum."""


def fitted_to_margins(
    start: Numbers,
    margins: Sequence[tuple[tuple[int, ...], Numbers]],
    rounds: int = ROUNDS,
) -> tuple[Numbers, float]:
    """Return the table with these margins, and how far the worst entry is off, as a share.

    A margin is the axes that it keeps, in ascending order, and the sums over all others. An entry
    whose cells are all zero cannot be reached: what is off then says so.

    >>> table, off = fitted_to_margins(
    ...     np.ones((2, 2)), [((0,), np.array([3.0, 1.0])), ((1,), np.array([2.0, 2.0]))]
    ... )
    >>> table
    array([[1.5, 1.5],
           [0.5, 0.5]])
    >>> off < 1e-8
    True
    """
    table = np.array(start, dtype=np.float64)
    off = np.inf
    for _ in range(rounds):
        off = 0.0
        for kept, wanted in margins:
            others = tuple(axis for axis in range(table.ndim) if axis not in kept)
            sums = table.sum(axis=others, keepdims=True)
            target = np.asarray(wanted, dtype=np.float64).reshape(sums.shape)
            off = max(off, float(np.abs(target - sums).max()) / max(float(target.sum()), 1e-300))
            table *= np.divide(target, sums, out=np.zeros_like(sums), where=sums > 0)
        if off <= TOLERANCE:
            break
    return table, off
