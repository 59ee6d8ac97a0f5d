"""Numbers in ascending order, and their places among the different ones.

NumPy sorts numbers several times faster than it finds their order. So each number and its row
become one whole number, the leading bits of the number before the bits of the row.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FEW = 10_000
"""For fewer numbers than this, NumPy finds the places just as fast."""


def ascending(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the rows from the lowest value to the highest; there must be no NaN.

    Values that agree in the leading bits, but not in all, are put in order afterwards. Rows of
    equal values come in their order, unless many values differ in the last bits only.

    >>> ascending(np.array([0.3, -np.inf, 0.1, -7.0]))
    array([1, 3, 2, 0])
    """
    width = len(values).bit_length()
    # Read as whole numbers, the bits of positive numbers rise with them, and those of negative
    # ones fall; adding 0.0 removes the sign of a zero.
    keys = (values + 0.0).view(np.int64)
    keys ^= (keys >> 63) & np.int64(2**63 - 1)
    keys &= np.int64(-(2**width))
    keys |= np.arange(len(values))
    keys.sort()
    order = keys & np.int64(2**width - 1)
    keys >>= width
    alike = keys[1:] == keys[:-1]
    if not alike.any():
        return np.asarray(order)
    at = np.flatnonzero(alike)
    at = at[values[order[at]] != values[order[at + 1]]]
    if not len(at):
        return np.asarray(order)
    # All values of a block with the same leading bits, in which not all are equal.
    blocks = keys[at]
    blocks = blocks[np.append(True, blocks[1:] != blocks[:-1])]
    starts, stops = (np.searchsorted(keys, blocks, side) for side in ("left", "right"))
    sizes = stops - starts
    if sizes.sum() > len(values) // 8:
        return np.argsort(values)
    places = np.repeat(starts - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
    order[places] = order[places[np.lexsort((values[order[places]], keys[places]))]]
    return np.asarray(order)


def runs(ordered: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each number in order the place of the first equal one, and that after the last.

    >>> runs(np.array([1.0, 4.0, 4.0]))
    (array([0, 1, 1]), array([1, 3, 3]))
    """
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)])
    sizes = np.diff(starts, append=len(ordered))
    return np.repeat(starts, sizes), np.repeat(starts + sizes, sizes)


def placed(values: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the place of each number among the different ones, and these in order.

    There must be no NaN.

    >>> placed(np.array([30.0, 41.5, 30.0]))
    (array([0, 1, 0]), array([30. , 41.5]))
    """
    if len(values) < FEW:
        distinct, places = np.unique(values, return_inverse=True)
        return places, distinct
    order = ascending(values)
    values = values[order]
    first = np.empty(len(values), dtype=bool)
    first[0] = True
    np.not_equal(values[1:], values[:-1], out=first[1:])
    places = np.empty(len(values), dtype=np.int64)
    places[order] = np.cumsum(first) - 1
    return places, values[first] + 0.0
