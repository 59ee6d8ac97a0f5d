"""The numbers of a column, for analyses that need numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.microdata import Microdata, Numbers


def present_numbers(data: Microdata, name: str) -> tuple[Numbers, NDArray[np.bool_]]:
    """Return the values of a column, 0 where there is none, and where there is one.

    >>> import discreet
    >>> present_numbers(discreet.read({"pay": [10, None]}), "pay")
    (array([10.,  0.]), array([ True, False]))
    """
    column = data.column(name)
    if not column.attribute.continuous:
        raise DataError(
            f"a mean or total needs numbers, but column '{name}' is {column.attribute.kind}; "
            "declare it continuous, or ask for a table of it"
        )
    present = ~column.missing
    return np.where(present, column.values, 0.0), present
