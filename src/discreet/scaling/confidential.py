"""What the classes of a large release give away about its confidential columns, on all records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.measures.confidential import values_of
from discreet.measures.risk.t_closeness import nominal_distance, ordered_distance
from discreet.measures.tally import Tally
from discreet.microdata import Column, Kind
from discreet.scaling.counting import classes_with_values, least_distinct
from discreet.scaling.store import Store


@dataclass(frozen=True, eq=False)
class Numbering:
    """The numbers of a column's values, as the measures in memory number them, and their counts.

    The last number is that of a missing value.
    """

    known: NDArray[np.float64]
    numbers: NDArray[np.int64]
    totals: NDArray[np.int64]

    @classmethod
    def of(cls, store: Store, name: str) -> Numbering:
        """Number the values that a column has in the whole file."""
        table, times = store.combinations([name])
        column = table.column(name)
        numbers, count = values_of(column)
        totals = np.bincount(numbers, times, count + 1).astype(np.int64)
        present = ~column.missing
        order = np.argsort(column.values[present])
        known = column.values[present][order].astype(np.float64)
        return cls(known, numbers[present][order], totals)

    def __call__(self, column: Column) -> NDArray[np.int64]:
        """Return the numbers of a column's values."""
        numbers = np.full(len(column.values), len(self.totals) - 1, dtype=np.int64)
        present = ~column.missing
        at = np.searchsorted(self.known, column.values[present].astype(np.float64))
        numbers[present] = self.numbers[at]
        return numbers


def diversity(store: Store, known: Sequence[str], name: str) -> int:
    """Return the minimum number of different values of a confidential column in a class."""
    return least_distinct(store, known, name, Numbering.of(store, name))


def closeness(store: Store, known: Sequence[str], name: str, unit: str | None = None) -> float:
    """Return the largest distance of a class's values to those of all records (t-closeness).

    With a `unit`, a value counts once for each person or household that has it in a class.
    """
    numbering = Numbering.of(store, name)
    totals = numbering.totals
    if unit is not None:
        totals = np.zeros_like(totals)
        for _, value, count in classes_with_values(store, known, name, numbering, unit):
            totals += np.bincount(value, count, len(totals)).astype(np.int64)
    nominal = store.attributes[name].kind is Kind.NOMINAL
    distance = nominal_distance if nominal else ordered_distance
    largest = 0.0
    for group, value, count in classes_with_values(store, known, name, numbering, unit):
        sizes = np.bincount(group, count).astype(np.int64)
        counts = Tally(group, value, count, sizes, totals)
        largest = max(largest, float(distance(counts).max()))
    return largest
