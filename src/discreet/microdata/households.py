"""Households: their composition is released, their numbers are not, and samples may split them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.microdata.equivalence import classes, numbered
from discreet.microdata.schema import Kind, Role
from discreet.microdata.table import MISSING_CODE, Column, Microdata


@dataclass(frozen=True, eq=False)
class Households:
    """The household of each record, numbered from 0.

    >>> homes = Households(np.array([1, 0, 1]))
    >>> homes.sizes, homes.first
    (array([1, 2]), array([1, 0]))
    """

    labels: NDArray[np.int64]

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """The number of members of each household."""
        return np.bincount(self.labels)

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """The records by household, those of one in the order of the file."""
        if (self.labels[1:] >= self.labels[:-1]).all():
            return np.arange(len(self.labels))
        return np.argsort(self.labels, kind="stable")

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """The first record of each household."""
        return np.asarray(self.order[np.cumsum(self.sizes) - self.sizes])

    def agreeing(self, column: Column) -> NDArray[np.bool_]:
        """Return which households have one value in a column; a missing value is a value."""
        values, labels = column.values[self.order], self.labels[self.order]
        before, after = values[:-1], values[1:]
        # NaN, and nothing else, is unlike itself.
        differ = (before != after) & ~((before != before) & (after != after))
        agree = np.ones(len(self.sizes), dtype=bool)
        agree[labels[1:][differ & (labels[1:] == labels[:-1])]] = False
        return agree

    def shared(self, column: Column) -> NDArray[Any]:
        """Return for each record the value that most of its household have.

        Among equally frequent values it is the first in the file.

        >>> import discreet
        >>> town = discreet.read({"town": ["Ayle", "Bron", "Bron", "Cull"]}).column("town")
        >>> Households(np.array([0, 0, 0, 1])).shared(town)
        array([1, 1, 1, 2], dtype=int32)
        """
        chosen = self.first.copy()
        rows = np.flatnonzero(~self.agreeing(column)[self.labels])
        if len(rows):
            homes = self.labels[rows]
            _, codes = np.unique(column.values[rows], return_inverse=True)
            _, at, counts = np.unique(
                homes * (int(codes.max()) + 1) + codes, return_index=True, return_counts=True
            )
            # Written last, and so kept: of a household the most frequent pair, then the earliest.
            best = np.lexsort((-at, counts, homes[at]))
            chosen[homes[at][best]] = rows[at[best]]
        return np.asarray(column.values[chosen][self.labels])


def households_of(data: Microdata) -> Households | None:
    """Return the households of a table; None if no column identifies them.

    A record without a number is a separate household.

    >>> import discreet
    >>> data = discreet.read({"home": [7, None, 7, None]}, roles={"home": "household"})
    >>> households_of(data).labels
    array([0, 1, 0, 2])
    """
    named = data.having(Role.HOUSEHOLD)
    if not named:
        return None
    column = data.column(named[0])
    labels = classes(data, named[:1])
    if column.missing.any():
        labels = labels + 0
        labels[column.missing] = len(labels) + np.arange(column.missing.sum())
        labels = numbered(labels, 2 * len(labels))[0]
    return Households(labels)


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
                "are in the sample with only some of their members, since records and not "
                "households were drawn: it does not show the size or composition of a household"
            )
    return tuple(notes)
