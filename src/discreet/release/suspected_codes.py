"""Numbers that look like codes for missing values: -999, 99 or 9999, far from all others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

OFTEN = 5
"""A code among measurements occurs in this many times as many records as a usual value."""
CODES = (*(int(f"{d}" * w) for w in range(1, 7) for d in (7, 8, 9)), 97, 98, 997, 998, 9997, 9998)
"""What files write for "refused", "does not know" and the like, if far from other values."""
FAR = 0.5
"""A distance of this many times the range of the other values is far."""


def suspected(
    numbers: NDArray[np.float64], counts: NDArray[np.int64], whole: bool
) -> tuple[float, ...]:
    """Return which of the different numbers of a column, in their order, look like codes.

    >>> suspected(np.array([-9.0, 1, 2, 3, 99]), np.array([4, 20, 30, 20, 5]), True)
    (-9.0, 99.0)
    """
    low = _among(numbers, [-code for code in (1, 2, *CODES)])
    high = _among(numbers, CODES)
    if not whole:
        # Among measurements a code is a whole number that many records share.
        low, high = low & (counts >= 3), high & (counts >= 3)
        if (low | high).any():
            often = counts >= OFTEN * np.median(counts)
            low, high = low & often, high & often
    if not (low | high).any():
        return ()
    others = numbers[~(low | high)]
    if len(others) < 2:
        return ()
    top = others[-1]
    while len(next_up := numbers[numbers > top]) and next_up[0] == top + 1:
        top = next_up[0]  # 7 after 6 is one more grade
    high &= numbers >= top + max(FAR * (others[-1] - others[0]), 1)
    high &= numbers > top + 1
    # A long tail may end in 7, but not with more records than before it.
    high &= (numbers > 10) | (counts >= counts[numbers == others[-1]])
    far = high | low if others[0] >= 0 else high
    return tuple(numbers[far].tolist())


def _among(numbers: NDArray[np.float64], codes: Sequence[int]) -> NDArray[np.bool_]:
    """Return which numbers, given in their order, are among the codes."""
    places = np.searchsorted(numbers, np.asarray(codes, dtype=np.float64))
    is_code = np.zeros(len(numbers) + 1, dtype=bool)
    is_code[places] = True
    is_code = is_code[:-1]
    is_code[is_code] = np.isin(numbers[is_code], codes)
    return is_code
