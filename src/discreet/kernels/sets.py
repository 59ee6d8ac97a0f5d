"""Codes that denote a set of codes, compared with single ones.

A released code that is not below `MISSING` denotes itself. `ANY` denotes every code, and one below
it the set number `ANY − 1 − code`, whose members are in ascending order from `starts[number]` to
before `starts[number + 1]`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import inner

MISSING = -1
ANY = -2


@inner
def allows(released: int, code: int, starts: NDArray[np.int64], members: NDArray[np.int32]) -> bool:
    """Whether a released code allows a code of an original."""
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
