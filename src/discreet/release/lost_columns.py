"""Columns about which a release no longer says anything."""

from __future__ import annotations

import numpy as np

from discreet.microdata import Column, Microdata, Role

LEFT_OUT = (Role.IDENTIFIER, Role.WEIGHT, Role.HOUSEHOLD, Role.PERSON, Role.STRATUM)


def lost_columns(original: Microdata, released: Microdata) -> list[str]:
    """Return the columns that varied and have a single value in all released records.

    A column that is not released is lost as well. Identifiers are dropped on purpose, and the
    file's weights and numbering carry no information about people.

    >>> import discreet
    >>> original = discreet.read({"age": [31, 47, 52], "sex": ["f", "m", "m"]})
    >>> lost_columns(original, discreet.read({"age": ["*", "*", "*"], "sex": ["m", "f", "m"]}))
    ['age']
    """
    return [
        column.name
        for column in original
        if column.attribute.role not in LEFT_OUT
        and _varies(column)
        and (column.name not in released.schema or not _varies(released.column(column.name)))
    ]


def _varies(column: Column) -> bool:
    present = column.values[~column.missing]
    return len(present) > 0 and bool(np.any(present != present[0]))
