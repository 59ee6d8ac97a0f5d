"""Rearranging: how a method treats several columns together, by the ranks of their values.

The file may be larger than memory, so the method never holds a column. It makes columns of numbers
from others in a pass, asks for the order of one of them, and hands values out in that order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.ordering import InOrder
from discreet.contracts.passes import InMemory, Passes
from discreet.microdata import MISSING_CODE, Attribute, Column, Kind, Microdata
from discreet.microdata.ranks import order_of

PIECE = 1_000_000
"""Ranked values that are processed together."""

Making = Callable[[Microdata, int], Iterable[Column]]
"""Makes columns for rows: a part of the table, and the number of its first row."""


class Sortable(Passes, Protocol):
    """A file whose columns can be ranked."""

    def made(self, names: Sequence[str], make: Making) -> Self:
        """Return the file with the columns that are made of the columns `names`, in one pass."""
        ...

    def in_order(self, name: str, ties: np.random.Generator | None = None) -> InOrder:
        """Return the known values of a column in order, equal ones at random or as in the file."""
        ...

    def handed_out(
        self, order: InOrder, values: Iterable[NDArray[Any]], attribute: Attribute
    ) -> Self:
        """Return the file with a new column: values, piece by piece, for the rows of an order.

        Rows that are not in the order have no value.
        """
        ...

    def forget(self, names: Sequence[str]) -> None:
        """Free the space of columns that were made and are no longer read."""
        ...


@dataclass(frozen=True, eq=False)
class Rearranged:
    """The outcome of a method that treats columns together, by their ranks."""

    file: Sortable
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class SortableTable(InMemory):
    """A table in memory, ranked as a file would be.

    >>> import discreet
    >>> table = SortableTable(discreet.read({"x": [7.0, 1.0, None, 3.0, 3.0]}))
    >>> table.in_order("x").rows
    array([1, 3, 4, 0])
    >>> with_ranks(table, "x").data["x"]
    array([0.8, 0.2, nan, 0.5, 0.5])
    """

    def made(self, names: Sequence[str], make: Making) -> SortableTable:
        """Return the table with columns that are made of others."""
        return SortableTable(self.data.replace(make(self.data, 0)))

    def in_order(self, name: str, ties: np.random.Generator | None = None) -> InOrder:
        """Return the known values of a column in order."""
        column = self.data.column(name)
        rows = np.flatnonzero(~column.missing)
        keys = order_of(column)[rows]
        lots = [] if ties is None else [ties.random(len(rows))]
        rows = rows[np.lexsort([*lots, keys])]
        return InOrder(column.attribute, column.values[rows], rows, len(column.values) - len(rows))

    def handed_out(
        self, order: InOrder, values: Iterable[NDArray[Any]], attribute: Attribute
    ) -> SortableTable:
        """Return the table with values for the rows of an order."""
        new = np.full(len(self.data), np.nan if attribute.continuous else MISSING_CODE)
        new[order.rows] = np.concatenate([*values, np.empty(0)])
        return SortableTable(self.data.replace([Column(attribute, new)]))

    def forget(self, names: Sequence[str]) -> None:
        """Do nothing: memory is freed automatically."""


File = TypeVar("File", bound=Sortable)


def with_ranks(file: File, name: str) -> File:
    """Return the file with the ranks of a column, as shares of their number.

    Equal values have one rank, the mean of theirs.
    """
    order = file.in_order(name)
    count = len(order)
    ranks = ((left + right + 1) / 2 / (count + 1) for left, right in runs(order))
    return file.handed_out(order, ranks, as_number(order.attribute))


def runs(order: InOrder) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield, for each value in order, the places where the values equal to it begin and end.

    >>> order = InOrder(Attribute("x"), np.array([1.0, 3.0, 3.0]), np.arange(3), 0)
    >>> [(left.tolist(), right.tolist()) for left, right in runs(order)]
    [([0, 1, 1], [1, 3, 3])]
    """
    for first in range(0, len(order), PIECE):
        values = np.asarray(order.values[first : first + PIECE])
        starts = np.flatnonzero(np.append(True, values[1:] != values[:-1]))
        sizes = np.diff(np.append(starts, len(values)))
        left, right = first + starts, first + starts + sizes
        # The first and the last run may continue in other pieces.
        left[0] = _edge(order, first, values[0], -1)
        right[-1] = _edge(order, first + len(values) - 1, values[-1], 1) + 1
        yield np.repeat(left, sizes), np.repeat(right, sizes)


def _edge(order: InOrder, place: int, value: Any, towards: int) -> int:
    """Return the last place towards one end with a value that equals that at a place."""
    inside, outside = place, -1 if towards < 0 else len(order)
    while abs(outside - inside) > 1:
        middle = (inside + outside) // 2
        if order.values[middle] == value:
            inside = middle
        else:
            outside = middle
    return inside


def as_number(attribute: Attribute) -> Attribute:
    """Return a column's attribute with numbers for values.

    >>> as_number(Attribute("sex", kind=Kind.NOMINAL, categories=("f", "m"))).kind
    <Kind.CONTINUOUS: 'continuous'>
    """
    return replace(attribute, kind=Kind.CONTINUOUS, categories=(), decoding=None)
