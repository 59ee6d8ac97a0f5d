"""Sums of entries that are looked up in small tables, without a matrix for each of the tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled


@compiled
def add_looked_up(
    total: NDArray[np.float32], table: NDArray[np.float32], codes: NDArray[np.integer]
) -> None:
    """Add `table[i, codes[j]]` to every `total[i, j]`."""
    for i in range(total.shape[0]):
        row, entries = total[i], table[i]
        for j in range(len(codes)):
            row[j] += entries[codes[j]]
