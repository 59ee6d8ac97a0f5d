"""Which columns of a release can be set against the original, and how."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.microdata.schema import Kind
from discreet.microdata.table import MISSING_CODE, Column, Microdata


def comparable(original: Microdata, released: Microdata, names: Sequence[str]) -> list[str]:
    """Return those of `names` that were released on the scale that they had.

    A recoded column (an age released as "20–39") has no distance to its original and is left to
    measures that need none.

    >>> import discreet
    >>> a = discreet.read({"age": [20, 40]})
    >>> comparable(a, discreet.read({"age": ["20-39", "40+"]}), ["age"])
    []
    """
    found = []
    for name in names:
        if name not in released.schema:
            continue
        before, after = original.schema[name], released.schema[name]
        if before.kind is after.kind and set(after.categories) <= set(before.categories):
            found.append(name)
    return found


def comparable_numbers(original: Microdata, released: Microdata) -> list[str]:
    """Return the continuous quasi-identifiers that were released as numbers."""
    numeric = [
        name for name in original.quasi_identifiers if original.schema[name].kind is Kind.CONTINUOUS
    ]
    return comparable(original, released, numeric)


def in_same_categories(original: Microdata, released: Microdata, names: Sequence[str]) -> Microdata:
    """Express the released codes in the original's categories, so that codes can be compared."""
    columns: list[Column] = []
    for name in names:
        column, target = released.column(name), original.schema[name]
        if target.continuous or column.attribute.categories == target.categories:
            continue
        position = {category: i for i, category in enumerate(target.categories)}
        table = [position[category] for category in column.attribute.categories]
        translation = np.array([*table, MISSING_CODE], dtype=np.int32)
        columns.append(column.recoded(translation[column.values], target.kind, target.categories))
    return released.replace(columns)
