"""Households: their composition is released, their numbers are not, and samples may split them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.microdata.equivalence import classes
from discreet.microdata.schema import Kind, Role
from discreet.microdata.table import MISSING_CODE, Microdata


def renumbered(data: Microdata, generator: np.random.Generator) -> Microdata:
    """Give every household a random new number: the old one would link its members to a register.

    >>> import discreet
    >>> data = discreet.read({"hid": [70011, 70011, 70012]}, roles={"hid": "household"})
    >>> new = renumbered(data, np.random.default_rng(1))
    >>> new.schema["hid"].categories, bool(new["hid"][0] == new["hid"][1] != new["hid"][2])
    ((1, 2), True)
    """
    columns = []
    for name in data.having(Role.HOUSEHOLD):
        column = data.column(name)
        missing = column.missing
        _, household = np.unique(column.values[~missing], return_inverse=True)
        count = int(household.max(initial=-1)) + 1
        numbers = generator.permutation(count)
        if column.attribute.continuous:
            values = np.full(len(data), np.nan)
            values[~missing] = numbers[household] + 1
            columns.append(column.with_values(values))
        else:
            codes = np.full(len(data), MISSING_CODE, dtype=np.int32)
            codes[~missing] = numbers[household]
            width = len(str(count))
            texts = any(isinstance(c, str) for c in column.attribute.categories)
            categories = [
                f"{number:0{width}d}" if texts else number for number in range(1, count + 1)
            ]
            columns.append(column.recoded(codes, Kind.NOMINAL, categories))
    return data.replace(columns)


def split_households(data: Microdata, rows: NDArray[np.int64]) -> tuple[str, ...]:
    """Return a note on the households of which only some members are among these rows.

    >>> import discreet
    >>> data = discreet.read({"hid": [7, 7, 8]}, roles={"hid": "household"})
    >>> split_households(data, np.array([0, 2]))[0][:45]
    "1 of the 2 sampled households of column 'hid'"
    """
    notes = []
    for name in data.having(Role.HOUSEHOLD):
        known = ~data.column(name).missing
        households = classes(data, [name])
        size = np.bincount(households[known], minlength=int(households.max(initial=-1)) + 1)
        sampled = np.bincount(households[rows[known[rows]]], minlength=len(size))
        split = int(((sampled > 0) & (sampled < size)).sum())
        if split:
            notes.append(
                f"{split} of the {int((sampled > 0).sum())} sampled households of column '{name}' "
                "are in the sample with part of their members, since records and not households "
                "were drawn: the size and composition of a household cannot be taken from it"
            )
    return tuple(notes)
