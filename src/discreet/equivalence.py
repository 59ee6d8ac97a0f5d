"""Equivalence classes: the records that cannot be told apart by some columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Microdata


def classes(data: Microdata, columns: Sequence[str]) -> NDArray[np.int64]:
    """Return a label per record; two records share it if they agree in all `columns`.

    A missing value agrees with another missing value and with nothing else: a reader of the file
    sees that it is missing, and that tells it apart.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41, None], "sex": ["f", "f", "m", "m"]})
    >>> classes(data, ["age", "sex"])
    array([0, 0, 1, 2])
    """
    labels = np.zeros(len(data), dtype=np.int64)
    count = min(1, len(data))
    for name in columns:
        codes, distinct = _codes(data, name)
        if count * distinct < 4 * len(data):
            # A table of all combinations is small: mark those that occur, without sorting.
            keys = labels * distinct + codes
            seen = np.zeros(count * distinct, dtype=bool)
            seen[keys] = True
            labels = (np.cumsum(seen) - 1)[keys]
            count = int(seen.sum())
        else:
            present, labels = np.unique(labels * distinct + codes, return_inverse=True)
            count = len(present)
    return labels


def class_sizes(data: Microdata, columns: Sequence[str]) -> NDArray[np.int64]:
    """Return for each record how many records are like it in `columns`, itself included."""
    labels = classes(data, columns)
    return np.bincount(labels)[labels] if len(labels) else np.zeros(0, dtype=np.int64)


def _codes(data: Microdata, name: str) -> tuple[NDArray[np.int64], int]:
    """Return the column's values as numbers from 0, missing included, and how many there are."""
    column = data.column(name)
    if column.attribute.continuous:
        values, codes = np.unique(column.values, return_inverse=True)  # NaN is one value
        return codes, len(values)
    return column.values.astype(np.int64) + 1, len(column.attribute.categories) + 1
