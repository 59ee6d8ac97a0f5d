"""A release that is the original in disguise: whole records were exchanged, and nothing else.

Measures of linkage ask whether a released record is found by the person it came from. If a method
exchanges all columns of two records at once, none is, though everybody is in the file.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Pairing
from discreet.microdata import Column, Microdata
from discreet.microdata.equivalence import fingerprints
from discreet.microdata.lasting import once
from discreet.release.lost_columns import LEFT_OUT


def only_exchanged(original: Microdata, released: Microdata, pairing: Pairing | None) -> bool:
    """Whether the records of the original were released whole, in the places of others.

    >>> import discreet
    >>> data = discreet.read({"age": [31, 47], "sex": ["f", "m"]})
    >>> swapped = data.take(np.array([1, 0]))
    >>> only_exchanged(data, swapped, Pairing.same_order(2))
    True
    >>> only_exchanged(data, swapped, Pairing(np.array([1, 0])))   # as they were
    False
    """
    if pairing is None or not len(original) or len(original) != len(released):
        return False
    names = [a.name for a in original.schema if a.role not in LEFT_OUT]
    if not names or any(name not in released.schema for name in names):
        return False
    columns = [released.column(name) for name in names]
    if all(_on_one_scale(original.column(column.name), column) for column in columns):
        prints = once(original, "fingerprints", lambda: _sorted(original, names), tuple(names))
        if not np.array_equal(prints, _sorted(released, names)):
            return False
    labels = np.zeros(2 * len(original), dtype=np.int64)
    moved = False
    for name in names:
        before, after = original.column(name), released.column(name)
        if before.attribute.continuous != after.attribute.continuous:
            return False
        codes = _codes(before, after)
        halves = codes[: len(original)], codes[len(original) :]
        if not np.array_equal(np.bincount(halves[0]), np.bincount(halves[1])):
            return False
        moved |= not np.array_equal(halves[0][pairing.origin], halves[1])
        _, labels = np.unique(labels * (int(codes.max()) + 1) + codes, return_inverse=True)
    first, second = (
        np.bincount(part, minlength=int(labels.max()) + 1) for part in np.split(labels, 2)
    )
    return moved and bool(np.array_equal(first, second))


def _on_one_scale(before: Column, after: Column) -> bool:
    """Whether equal values are equal numbers in both columns."""
    first, second = before.attribute, after.attribute
    return first.continuous == second.continuous and first.categories == second.categories


def _sorted(table: Microdata, names: Sequence[str]) -> NDArray[np.uint64]:
    """Return the fingerprints of all records in order: the same for the same records."""
    return np.sort(fingerprints([table.column(name) for name in names]))


def _codes(before: Column, after: Column) -> NDArray[np.int64]:
    """Return numbers for the values of both columns, one below the other."""
    if before.attribute.continuous:
        values = np.concatenate([before.values, after.values])
    else:
        places: dict[object, int] = {}
        tables = [
            [places.setdefault(c, len(places)) for c in column.attribute.categories]
            for column in (before, after)
        ]
        values = np.concatenate(
            [
                # The code −1 of a missing value is the last place.
                np.array([*table, -1])[column.values]
                for table, column in zip(tables, (before, after), strict=True)
            ]
        )
    _, codes = np.unique(values, return_inverse=True)
    return np.asarray(codes, dtype=np.int64)
