"""Numbers of at most two decimals as whole numbers, which are compared and sorted sooner."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

DECIMAL_UNITS, EXACT = (1, 10, 100), 2.0**52
"""Values of at most two decimals are whole numbers of hundredths, which are exact below this."""
AT_ONCE = 1 << 15
"""Records whose numbers are made at once, in the processor's cache."""


def whole_numbers(values: NDArray[np.float64]) -> tuple[NDArray[np.int64], int] | None:
    """Return a whole number from 0 on for each value, and how many there could be.

    They are in the order of the values, and equal where these are; None if the values have more
    than a few decimals. Whole numbers are numbered several times faster than others are sorted.

    >>> whole_numbers(np.array([30.5, 30.0, 31.5]))
    (array([ 5,  0, 15]), 16)
    """
    whole = in_units(values)
    return whole and whole[:2]


@np.errstate(over="ignore")
def in_units(
    values: NDArray[np.float64], *, narrow: bool = False
) -> tuple[NDArray[Any], int, float, int] | None:
    """Return numbers of a few decimals as whole numbers from 0 on; None if they have more.

    Beside them, the answer has how many such numbers there could be, how many units the 0 stands
    for, and how many units make 1. If `narrow`, the whole numbers have half the width where that is
    enough, and are sorted in half the time.

    >>> in_units(np.array([30.5, 30.0, 31.5]))
    (array([ 5,  0, 15]), 16, 300.0, 10)
    """
    for unit in DECIMAL_UNITS:
        if not len(values) or _counted_in(unit, values[:1_000]) is None:
            continue
        least, most = float(np.rint(values.min() * unit)), float(np.rint(values.max() * unit))
        if not max(-least, most) < EXACT:
            continue
        space = int(most - least) + 1
        whole = np.empty(len(values), np.uint32 if narrow and space <= 1 << 32 else np.int64)
        for start in range(0, len(values), AT_ONCE):
            units = _counted_in(unit, values[start : start + AT_ONCE])
            if units is None:
                break
            units -= least
            whole[start : start + AT_ONCE] = units
        else:
            return whole, space, least, unit
    return None


def _counted_in(unit: int, values: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return how many units each number is, if all are whole numbers of them."""
    units = np.rint(values * unit if unit > 1 else values)
    same = (units / unit if unit > 1 else units) == values
    return units if same.all() else None
