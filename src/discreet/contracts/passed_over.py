"""Passed over: what a method that recodes no more than it must reveals by its choice.

Anyone who knows that a method recodes as little as its conditions allow, and has the
quasi-identifiers of the people, knows that in every finer recoding some class failed them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class PassedOver:
    """The finer recodings that a method would have preferred, had they met its conditions.

    `classes` has the class of each original record in the recoding that was chosen; `finer` has its
    class in each of the others, by a name in words. Every such class lies within one of `classes`.
    Each of them was passed over because some class of it has fewer than `l` different values in a
    confidential column, though all have enough records.
    """

    classes: NDArray[np.int64]
    finer: Mapping[str, NDArray[np.int64]]
    l: int  # noqa: E741
