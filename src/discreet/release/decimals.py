"""Decimals: released numbers have as many as the original ones, so that ages are whole.

A mean of ages has decimals that no age has: they look exact, and reveal that the value is a mean.
"""

from __future__ import annotations

from functools import partial

from discreet.microdata import Column, Microdata
from discreet.microdata.dates import unit_of
from discreet.microdata.decimals import decimals_of, rounded
from discreet.microdata.lasting import once

MOST = 6
"""A column with more decimals than this was computed and is left as it is."""


def with_decimals_of(original: Microdata, table: Microdata) -> Microdata:
    """Return a table whose numbers have as many decimals as those of the original.

    >>> import discreet, numpy as np
    >>> data = discreet.read({"age": [21, 22], "pay": [1.5, 2.25]})
    >>> means = data.replace(data.column(name).with_values(np.full(2, data[name].mean()))
    ...                      for name in data.schema.names)
    >>> shown = with_decimals_of(data, means)
    >>> shown["age"].tolist(), shown["pay"].tolist()
    ([22.0, 22.0], [1.88, 1.88])
    """
    columns = []
    for column in table:
        before = original.column(column.name)
        if not column.attribute.continuous or not before.attribute.continuous:
            continue
        if column.values is before.values:
            continue
        digits = once(original, ("decimals", column.name), partial(_digits, original, before))
        if digits is not None:
            columns.append(column.with_values(rounded(column.values, digits)))
    return table.replace(columns)


def _digits(data: Microdata, column: Column) -> int | None:
    """Return the decimals of a column of the data; a date has none to keep."""
    return None if unit_of(data, column.name) is not None else decimals_in(column)


def decimals_in(column: Column) -> int | None:
    """Return the most decimals that a value of a column has; None for more than six.

    >>> import discreet
    >>> data = discreet.read({"x": [1.5, 2.25, None], "y": [1 / 3, 1.0, 2.0]})
    >>> decimals_in(data.column("x")), decimals_in(data.column("y"))
    (2, None)
    """
    return decimals_of(column.values[~column.missing], MOST)
