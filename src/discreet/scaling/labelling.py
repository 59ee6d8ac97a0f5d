"""The class of each record of a large file, by columns with few different combinations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.microdata import Column, Microdata
from discreet.scaling.counting import counting
from discreet.scaling.store import Store, slices

MOST = 2**62


@dataclass(frozen=True, eq=False)
class Labelling:
    """The combinations of values in some columns, numbered, so that any rows can be labelled.

    `combinations` has them in the order of their labels, `times` how often each occurs. `known` has
    the different values of each column, a missing one last; `order` the numbers of the
    combinations, sorted. `empty` is the label of records without any value, one more than there are
    if no record has it yet.
    """

    store: Store
    names: tuple[str, ...]
    combinations: Microdata
    times: NDArray[np.int64]
    known: tuple[NDArray[np.float64], ...]
    order: NDArray[np.int64]
    empty: int

    @classmethod
    def of(cls, store: Store, names: Sequence[str]) -> Labelling:
        """Number the combinations of a store."""
        table, times = store.combinations(names)
        known = tuple(_values(table.column(name)) for name in names)
        if np.prod([len(values) + 1.0 for values in known]) > MOST:
            raise DataError(
                f"the columns {', '.join(names)} have too many different values together to "
                "suppress whole households on the disk; recode them in an earlier step, or allow "
                "more memory"
            )
        numbers = _numbers([table.column(name) for name in names], known)
        order = np.argsort(numbers)
        missing = np.all([table.column(name).missing for name in names], axis=0)[order]
        empty = int(np.argmax(missing)) if missing.any() else len(order)
        return cls(
            store,
            tuple(names),
            table.take(order),
            times[order],
            known,
            numbers[order],
            empty,
        )

    def labels(self) -> Iterator[tuple[tuple[int, int], NDArray[np.int64]]]:
        """Yield the labels of all rows, slice by slice with their span."""
        for span in slices(len(self.store)):
            yield span, self.of_rows(*span)

    def of_rows(self, first: int, last: int) -> NDArray[np.int64]:
        """Return the labels of some rows."""
        table = self.store.table(self.names, first, last)
        numbers = _numbers([table.column(name) for name in self.names], self.known)
        return np.searchsorted(self.order, numbers)


def _values(column: Column) -> NDArray[np.float64]:
    return np.unique(column.values[~column.missing]).astype(np.float64)


def _numbers(columns: Sequence[Column], known: Sequence[NDArray[np.float64]]) -> NDArray[np.int64]:
    """Return one number for each row that encodes its values in all columns."""
    numbers = np.zeros(len(columns[0].values), dtype=np.int64)
    for column, values in zip(columns, known, strict=True):
        at = np.searchsorted(values, column.values.astype(np.float64))
        numbers *= len(values) + 1
        numbers += np.where(column.missing, len(values), at)
    return numbers


def units_in_classes(classes: Labelling, gone: NDArray[np.bool_], unit: str) -> NDArray[np.int64]:
    """Return how many persons or households each class has, if some records are suppressed."""
    import pyarrow as pa

    store = classes.store
    schema = pa.schema([("class", pa.int64()), ("unit", pa.int64())])

    def batches() -> Iterator[pa.RecordBatch]:
        for (first, last), labels in classes.labels():
            units = store.values(unit, first, last).astype(np.int64)
            # A record without a number is a unit of its own.
            alone = store.keys[unit].count + np.arange(first, last)
            arrays = [np.where(gone[first:last], classes.empty, labels),
                      np.where(units < 0, alone, units)]  # fmt: skip
            yield pa.RecordBatch.from_arrays([pa.array(array) for array in arrays], schema=schema)

    with counting(store) as connection:
        connection.register("rows_read", pa.RecordBatchReader.from_batches(schema, batches()))
        counted = connection.sql(
            "select class, count(distinct unit) as units from rows_read group by class"
        ).to_arrow_table()
    sizes = np.zeros(len(classes.order) + 1, dtype=np.int64)
    sizes[counted.column("class").to_numpy()] = counted.column("units").to_numpy()
    return sizes
