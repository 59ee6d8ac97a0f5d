"""Order statistics of numbers that are read in passes, exact and within little memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DIGIT = 16
"""Bits by which numbers are distinguished in one pass."""
FEW = 1_000_000
"""Numbers that agree in their leading bits and are sorted in memory."""


def nth(pieces: Callable[[], Iterable[Floats]], count: int) -> tuple[float, int]:
    """Return the largest of the `count` smallest numbers, and how many are below it.

    Numbers are counted by their leading bits, then those that share the bits of the one sought by
    the next bits, until few are left. There must be no NaN.

    >>> nth(lambda: [np.array([3.0, -1.0]), np.array([3.0, 7.0, 0.5])], 4)
    (3.0, 2)
    """
    known, before = 0, 0
    for shift in range(64 - DIGIT, -1, -DIGIT):
        counts = np.zeros(2**DIGIT, dtype=np.int64)
        for numbers in pieces():
            digits = _sharing(numbers, known, shift + DIGIT) >> np.uint64(shift)
            counts += np.bincount(
                (digits & np.uint64(2**DIGIT - 1)).astype(np.int64), minlength=2**DIGIT
            )
        at = int(np.searchsorted(np.cumsum(counts), count - before))
        before += int(counts[:at].sum())
        known = known << DIGIT | at
        if counts[at] <= FEW or not shift:
            break
    if not shift:
        return _number(known), before
    close = np.sort(np.concatenate([_sharing(n, known, shift) for n in pieces()]))
    value = close[count - before - 1]
    return _number(int(value)), before + int(np.searchsorted(close, value))


def _sharing(numbers: Floats, known: int, shift: int) -> NDArray[np.uint64]:
    """Return the bits of numbers, in a form that rises with them, that begin with known ones."""
    # −0 and 0 are one number.
    bits = (numbers + 0.0).view(np.uint64)
    ordered = np.where(bits >> np.uint64(63), ~bits, bits | np.uint64(2**63))
    return ordered if shift == 64 else ordered[ordered >> np.uint64(shift) == np.uint64(known)]


def _number(ordered: int) -> float:
    bits = ordered - 2**63 if ordered >> 63 else ~ordered & (2**64 - 1)
    return float(np.uint64(bits).view(np.float64))
