"""Combinations of values that are recognised among others, in any rows of a file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.integer]


class KnownCombinations:
    """Some combinations of value numbers, from 0 in each column.

    They are recognised column by column, so that no number grows with the number of columns.

    >>> known = KnownCombinations([np.array([0, 1, 1]), np.array([2, 0, 2])])
    >>> known.places([np.array([1, 0, 0]), np.array([2, 0, 2])])
    array([ 2, -1,  0])
    """

    def __init__(self, values: Sequence[Codes]) -> None:
        self._keys: list[tuple[int, NDArray[np.int64]]] = []
        label = np.zeros(len(values[0]), dtype=np.int64)
        for column in values:
            base = int(column.max(initial=0)) + 1
            known, label = np.unique(label * base + column, return_inverse=True)
            self._keys.append((base, known))

    def __len__(self) -> int:
        return len(self._keys[-1][1])

    def places(self, values: Sequence[Codes]) -> NDArray[np.int64]:
        """Return the number of each row's combination in their order, −1 where it is unknown."""
        label = np.zeros(len(values[0]), dtype=np.int64)
        listed = np.full(len(label), bool(len(self)))
        for column, (base, known) in zip(values, self._keys, strict=True):
            # A value beyond those known would run into the next combination.
            listed &= column < base
            key = label * base + np.where(column < base, column, 0)
            label = np.minimum(np.searchsorted(known, key), max(0, len(known) - 1))
            listed &= known[label] == key if len(known) else False
        return np.where(listed, label, -1)
