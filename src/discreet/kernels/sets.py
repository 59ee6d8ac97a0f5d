"""Codes that stand for a set of codes, as they are compared with single ones.

A released code that is not below `MISSING` stands for itself. `ANY` stands for every code, and one
below it for the set number `ANY − 1 − code`, whose members stand in rising order from
`starts[number]` to before `starts[number + 1]`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled

MISSING = -1
ANY = -2


@compiled
def allows(released: int, code: int, starts: NDArray[np.int64], members: NDArray[np.int32]) -> bool:
    """Whether a released code may stand for a code of an original."""
    if released > ANY:
        return released == code
    if released == ANY:
        return True
    low, high = starts[ANY - 1 - released], starts[ANY - released]
    while low < high:
        middle = (low + high) // 2
        if members[middle] < code:
            low = middle + 1
        else:
            high = middle
    return bool(low < starts[ANY - released] and members[low] == code)
