"""Sums that carry their rounding errors (Neumaier), so that records can be subtracted again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import inner


@inner
def add(
    sums: NDArray[np.float64],
    slips: NDArray[np.float64],
    points: NDArray[np.float64],
    record: int,
    sign: float,
) -> None:
    """Add a record to the sums of its first columns, or subtract it from them."""
    for j in range(len(sums)):
        value = sign * points[record, j]
        total = sums[j] + value
        if abs(sums[j]) >= abs(value):
            slips[j] += (sums[j] - total) + value
        else:
            slips[j] += (value - total) + sums[j]
        sums[j] = total
