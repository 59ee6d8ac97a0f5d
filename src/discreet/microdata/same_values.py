"""Records with the same values, brought together by fingerprints.

Numbers with many decimals are distinguished by sorting every column. The fingerprint of a record is
one number, so one sort is enough; whether records that share it are equal is checked afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.microdata.equivalence import classes, fingerprints
from discreet.microdata.table import Column, Microdata


def numbered_alike(data: Microdata, columns: Sequence[str]) -> NDArray[np.int64] | None:
    """Return a number per record that equal ones share; None if no two records are equal.

    The numbers begin at 0 and leave none out; which record has which is not defined.

    >>> import discreet
    >>> data = discreet.read({"x": [0.1, 0.2, 0.1], "y": [1.5, 1.5, 1.5]})
    >>> first, second, third = numbered_alike(data, ["x", "y"])
    >>> bool(first == third != second), numbered_alike(data.take(np.arange(2)), ["x", "y"])
    (True, None)
    """
    tables = [data.column(name) for name in columns]
    if not any(column.attribute.continuous for column in tables):
        # Categories are distinguished without sorting.
        return classes(data, columns)
    prints = fingerprints(tables)
    order = np.argsort(prints)
    prints = prints[order]
    same = prints[1:] == prints[:-1]
    if not same.any():
        return None
    at = np.flatnonzero(same)
    if not all(_equal(column, order[at], order[at + 1]) for column in tables):
        return classes(data, columns)
    numbers = np.empty(len(data), dtype=np.int64)
    numbers[order] = np.append(0, np.cumsum(~same))
    return numbers


def _equal(column: Column, rows: NDArray[np.int64], others: NDArray[np.int64]) -> bool:
    """Whether each of some records has the same value as the one beside it, or neither has one."""
    first, second = column.values[rows], column.values[others]
    differ = first != second
    if column.attribute.continuous:
        differ &= ~(np.isnan(first) & np.isnan(second))
    return not differ.any()
