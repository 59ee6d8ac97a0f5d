"""Counting on large files by DuckDB, which spills to disk what exceeds its memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.io.counting_engine import database
from discreet.scaling.memory import counting_memory

if TYPE_CHECKING:
    import pyarrow as pa

    from discreet.microdata import Column
    from discreet.scaling.store import Store

Number = Callable[["Column"], NDArray[np.int64]]
"""Numbers the values of a column; those that a reader takes for the same share a number."""
LOT = 1_000_000
"""Rows of a result that are processed together."""
MOST_COMBINATIONS = 24
"""Bytes of memory per value of a combination while the best recoding is sought."""


def combinations(
    store: Store, names: Sequence[str]
) -> tuple[list[NDArray[Any]], NDArray[np.int64]]:
    """Return the distinct combinations of values, in order of appearance, and their counts."""
    keys = ", ".join(f"c{place}" for place in range(len(names)))
    with counting(store) as connection:
        connection.register("rows_read", rows_reader(store, names))
        connection.execute(
            f"create temp table found as select {keys}, count(*) as times, min(row) as first "
            f"from rows_read group by {keys}"
        )
        ((count,),) = connection.execute("select count(*) from found").fetchall()
        store.require(
            count * (len(names) + 2) * MOST_COMBINATIONS,
            f"deciding on the {count:,} different combinations of {', '.join(names)}",
        )
        table = connection.sql("select * from found order by first").to_arrow_table()
    values = [np.asarray(table.column(f"c{place}").to_numpy()) for place in range(len(names))]
    return values, np.asarray(table.column("times").to_numpy(), dtype=np.int64)


def class_sizes(store: Store, names: Sequence[str], unit: str | None = None) -> NDArray[np.int64]:
    """Return how many classes have 1, 2, … records: their sizes, how many classes, their records.

    Classes are of records that agree in all these columns. With a `unit`, sizes count the different
    persons or households of a class.
    """
    from discreet.scaling.keys import home_in_sql

    keys = ", ".join(f"c{place}" for place in range(len(names)))
    read, size = list(names), "count(*)"
    if unit is not None:
        home = home_in_sql(f"c{len(names)}", store.keys[unit].count)
        read, size = [*names, unit], f"count(distinct {home})"
    with counting(store) as connection:
        connection.register("rows_read", rows_reader(store, read))
        table = connection.sql(
            "select size, count(*) as classes, sum(records)::bigint as records from (select "
            f"{size} as size, count(*) as records from rows_read group by {keys}) group by size "
            "order by size"
        ).to_arrow_table()
    return np.array([table.column(n).to_numpy() for n in ("size", "classes", "records")])


def least_distinct(store: Store, names: Sequence[str], confidential: str, number: Number) -> int:
    """Return the minimum number of different values that a class has; missing is one of them.

    `number` says which values a reader takes for the same.
    """
    keys = ", ".join(f"c{place}" for place in range(len(names)))
    with counting(store) as connection:
        connection.register("rows_read", rows_reader(store, names, (confidential, number)))
        ((least,),) = connection.execute(
            f"select min(kinds) from (select count(*) as kinds from (select distinct {keys}, value "
            f"from rows_read) group by {keys})"
        ).fetchall()
    return int(least)


def classes_with_values(
    store: Store,
    names: Sequence[str],
    confidential: str,
    number: Number,
    unit: str | None = None,
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
    """Yield whole classes: for each value in a class the number of the class, its own, its count.

    Classes come by the million, numbered from 0 in each lot. With a `unit`, a value counts once for
    each person or household that has it in the class.
    """
    from discreet.scaling.keys import home_in_sql

    keys = [f"c{place}" for place in range(len(names))]
    listed = ", ".join(keys)
    read, times = list(names), "count(*)"
    if unit is not None:
        home = home_in_sql(f"c{len(names)}", store.keys[unit].count)
        read, times = [*names, unit], f"count(distinct {home})"
    with counting(store) as connection:
        connection.register("rows_read", rows_reader(store, read, (confidential, number)))
        lots = connection.sql(
            f"select {listed}, value, {times} as times from rows_read group by {listed}, value "
            f"order by {listed}, value"
        ).to_arrow_reader(LOT)
        rest: list[NDArray[Any]] = []
        for lot in lots:
            columns = [np.asarray(lot.column(name).to_numpy(zero_copy_only=False))
                     for name in (*keys, "value", "times")]  # fmt: skip
            if rest:
                columns = [np.concatenate(both) for both in zip(rest, columns, strict=True)]
            label = _numbered_runs(columns[: len(keys)])
            # The last class may continue in the next lot.
            whole = int(np.searchsorted(label, label[-1]))
            if whole:
                yield label[:whole], columns[-2][:whole], columns[-1][:whole]
            rest = [column[whole:] for column in columns]
        if rest and len(rest[0]):
            yield np.zeros(len(rest[0]), dtype=np.int64), rest[-2], rest[-1]


def _numbered_runs(columns: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """Return the number of the run of equal rows that each row is in."""
    new = np.zeros(len(columns[0]), dtype=bool)
    for column in columns:
        differs = column[1:] != column[:-1]
        if column.dtype == np.float64:
            differs &= ~(np.isnan(column[1:]) & np.isnan(column[:-1]))
        new[1:] |= differs
    return np.cumsum(new)


def sizes_and_weights(
    store: Store, names: Sequence[str], weight: str
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Return the records of classes and the sums of their weights, and how many classes have both.

    Sums are rounded to nine digits, so that equal ones are found.
    """
    keys = ", ".join(f"c{place}" for place in range(len(names)))
    with counting(store) as connection:
        connection.register("rows_read", rows_reader(store, [*names, weight]))
        table = connection.sql(
            "select size, people, count(*) as classes from (select count(*) as size, "
            f"round(sum(c{len(names)}), 9) as people from rows_read group by {keys}) "
            "group by size, people order by size, people"
        ).to_arrow_table()
    size, people, classes = (table.column(n).to_numpy() for n in ("size", "people", "classes"))
    return size.astype(np.int64), people.astype(np.float64), classes.astype(np.int64)


def replicated_uniques(before: Store, after: Store) -> int:
    """Return how many records are unique and equal an original that is also unique."""
    names = list(after.files)
    keys = ", ".join(f"c{place}" for place in range(len(names)))
    with counting(after) as connection:
        connection.register("originals", rows_reader(before, names))
        connection.register("released", rows_reader(after, names))
        ((count,),) = connection.execute(
            "select count(*) from (select count(*) filter (where new) as made, count(*) as all_of "
            f"from (select {keys}, false as new from originals union all select {keys}, true as "
            f"new from released) group by {keys}) where made = 1 and all_of = 2"
        ).fetchall()
    return int(count)


def groups_of_file(store: Store, labels: Path, names: Sequence[str]) -> tuple[int, tuple[str, ...]]:
    """Return the records of the smallest group, and the columns that differ within some group."""
    asked = ", ".join(f"count(*) filter (where d{place})" for place in range(len(names)))
    each = "".join(f", min(c{p}) <> max(c{p}) as d{p}" for p in range(len(names)))

    at = 0

    def number(column: Column) -> NDArray[np.int64]:
        nonlocal at
        at += len(column.values)
        return np.fromfile(
            labels, np.int64, len(column.values), offset=8 * (at - len(column.values))
        )

    at = 0
    with counting(store) as connection:
        connection.register("rows_read", rows_reader(store, names, (names[0], number)))
        ((least, *differ),) = connection.execute(
            f"select min(size), {asked} from (select count(*) as size{each} from rows_read "
            "group by value)"
        ).fetchall()
    return int(least), tuple(n for n, count in zip(names, differ, strict=True) if count)


@contextmanager
def counting(store: Store) -> Iterator[Any]:
    """Yield a database that may use the remaining memory, and the folder of the store."""
    folder = store.folder / "counting"
    folder.mkdir(exist_ok=True)
    with database(counting_memory(store.memory), folder) as connection:
        yield connection


def rows_reader(
    store: Store, names: Sequence[str], also: tuple[str, Number] | None = None
) -> pa.RecordBatchReader:
    """Return the columns as c0, c1, … and the number of each row, batch by batch.

    `also` is one more column, as the numbers of its values.
    """
    import pyarrow as pa

    columns_read = [*names, *([also[0]] if also and also[0] not in names else [])]

    def batches() -> Iterator[pa.RecordBatch]:
        at = 0
        for piece in store.pieces(columns_read):
            arrays = [pa.array(piece[name]) for name in names]
            rows = pa.array(np.arange(at, at + len(piece)))
            at += len(piece)
            more = [pa.array(also[1](piece.column(also[0])))] if also else []
            yield pa.RecordBatch.from_arrays([*arrays, rows, *more], schema=schema)

    kinds = [pa.float64() if store.attributes[n].continuous else pa.int32() for n in names]
    fields = [(f"c{place}", kind) for place, kind in enumerate(kinds)]
    schema = pa.schema([*fields, ("row", pa.int64()), *([("value", pa.int64())] if also else [])])
    return pa.RecordBatchReader.from_batches(schema, batches())
