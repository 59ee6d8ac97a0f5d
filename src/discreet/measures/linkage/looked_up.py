"""The costs of pairs of records in one column, looked up in a small table for each released record.

Originals that share a value have the same cost: the table has a column for each value, and `codes`
say which value each original has.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]

COMPILED, CODES = 20_000, (np.dtype(np.uint8), np.dtype(np.uint16))
"""Originals from which on a compiled sum pays off, and the types of code that it is compiled
for."""


class LookedUp(NamedTuple):
    """A table with a row for each released record, and the column that holds for each original.

    Without codes the table is the matrix of all pairs.

    >>> LookedUp(np.array([[0.0, 1.0]], dtype=np.float32), np.array([1, 0, 1])).matrix
    array([[1., 0., 1.]], dtype=float32)
    """

    table: Matrix
    codes: NDArray[np.integer] | None = None

    @property
    def matrix(self) -> Matrix:
        """The matrix of all pairs."""
        return self.table if self.codes is None else self.table.take(self.codes, axis=1)

    def added_to(self, total: Matrix, people: int) -> None:
        """Add the matrix to another; in a file of very many people, without forming it."""
        if self.codes is None or people < COMPILED or self.codes.dtype not in CODES:
            total += self.matrix
            return
        from discreet.kernels.table_sums import add_looked_up

        add_looked_up(total, self.table, self.codes)
