"""Counting on large files by DuckDB, which spills to the disk what exceeds its memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.io.counting import database

if TYPE_CHECKING:
    import pyarrow as pa

    from discreet.scaling.store import Store

MOST_COMBINATIONS = 24
"""Bytes of memory for a value of a combination while the best recoding is searched."""


def combinations(
    store: Store, names: Sequence[str]
) -> tuple[list[NDArray[Any]], NDArray[np.int64]]:
    """Return the different combinations of values, as they first occur, and how often each."""
    keys = ", ".join(f"c{place}" for place in range(len(names)))
    with _counting(store) as connection:
        connection.register("rows_read", _reader(store, names))
        connection.execute(
            f"create temp table found as select {keys}, count(*) as times, min(row) as first "
            f"from rows_read group by {keys}"
        )
        ((count,),) = connection.execute("select count(*) from found").fetchall()
        needed = count * (len(names) + 2) * MOST_COMBINATIONS
        if needed > store.memory:
            raise DataError(
                f"{', '.join(names)} have {count:,} different combinations, and searching the best "
                f"recoding of so many needs about {needed / 1e9:.1f} GB, which is more than "
                "--memory allows; recode numbers to intervals first (a step with k left out), "
                "treat fewer columns, or allow more memory"
            )
        table = connection.sql("select * from found order by first").to_arrow_table()
    values = [np.asarray(table.column(f"c{place}").to_numpy()) for place in range(len(names))]
    return values, np.asarray(table.column("times").to_numpy(), dtype=np.int64)


def class_sizes(store: Store, names: Sequence[str]) -> NDArray[np.int64]:
    """Return how many classes have 1, 2, … records: sizes in the first row, classes in the second.

    Classes are of records that agree in all these columns.
    """
    keys = ", ".join(f"c{place}" for place in range(len(names)))
    with _counting(store) as connection:
        connection.register("rows_read", _reader(store, names))
        table = connection.sql(
            "select size, count(*) as classes from (select count(*) as size from rows_read "
            f"group by {keys}) group by size order by size"
        ).to_arrow_table()
    return np.array([table.column("size").to_numpy(), table.column("classes").to_numpy()])


def least_distinct(store: Store, names: Sequence[str], confidential: str) -> int:
    """Return the least number of different values that a class has; missing is one of them."""
    keys = ", ".join(f"c{place}" for place in range(len(names)))
    value = f"c{len(names)}"
    with _counting(store) as connection:
        connection.register("rows_read", _reader(store, [*names, confidential]))
        ((least,),) = connection.execute(
            f"select min(kinds) from (select count(*) as kinds from (select distinct {keys}, "
            f"{value} from rows_read) group by {keys})"
        ).fetchall()
    return int(least)


@contextmanager
def _counting(store: Store) -> Iterator[Any]:
    folder = store.folder / "counting"
    folder.mkdir(exist_ok=True)
    # DuckDB goes over its own limit by a part of it.
    with database(int(store.memory * 0.6), folder) as connection:
        yield connection


def _reader(store: Store, names: Sequence[str]) -> pa.RecordBatchReader:
    """Return the columns as c0, c1, … and the number of each row, batch by batch."""
    import pyarrow as pa

    def batches() -> Iterator[pa.RecordBatch]:
        at = 0
        for piece in store.pieces(names):
            arrays = [pa.array(piece[name]) for name in names]
            rows = pa.array(np.arange(at, at + len(piece)))
            at += len(piece)
            yield pa.RecordBatch.from_arrays([*arrays, rows], schema=schema)

    kinds = [pa.float64() if store.attributes[n].continuous else pa.int32() for n in names]
    fields = [(f"c{place}", kind) for place, kind in enumerate(kinds)]
    schema = pa.schema([*fields, ("row", pa.int64())])
    return pa.RecordBatchReader.from_batches(schema, batches())
