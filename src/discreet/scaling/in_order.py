"""Methods that treat one column after another in the order of its values, on a large file.

DuckDB sorts a column with the numbers of its rows. The method gives new values in that order, and
these go back to their rows through buckets of rows, each of which fits in memory.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, InOrder, Method
from discreet.io.counting_engine import database
from discreet.microdata.ranks import order_of
from discreet.scaling.engine import Engine
from discreet.scaling.memory import counting_memory
from discreet.scaling.stepped import Stepped
from discreet.scaling.store import Store, reserve, write_slice

BUCKET = 4_000_000
"""Rows of a bucket."""
LOT = 1_000_000
"""Values that are processed together."""
PAIR = np.dtype([("row", np.int64), ("value", np.float64)])
"""A new value and the row that it is for."""


@dataclass(frozen=True, eq=False)
class _Task:
    """What a task about one column needs; `file` is that of its new values."""

    store: Store
    name: str
    file: str
    step: Method
    context: Context


def run_in_order(
    store: Store, step: Method, context: Context, engine: Engine, label: str
) -> Stepped:
    """Return the store after a method that treats columns in order; `label` names new files."""
    of_all = step.ordered(store.head)
    files = {name: f"{label}-{place:04d}" for place, name in enumerate(of_all.names)}
    after = store.with_columns([store.attributes[name] for name in files], files)
    after.reserve(files)
    quiet = Context(context.randomness, path=context.path)
    tasks = [_Task(store, name, file, step, quiet) for name, file in files.items()]
    done = engine.map(_treat, tasks, f"in order: {step.spec.name}")
    changed = [name for name, (is_changed, _) in zip(files, done, strict=True) if is_changed]
    return Stepped(
        store.with_columns([store.attributes[n] for n in changed], {n: files[n] for n in changed}),
        of_all.claims,
        (*of_all.notes, *(note for _, notes in done for note in notes)),
        alike=of_all.alike,
        least_size=of_all.least_size,
    )


def _treat(task: _Task) -> tuple[bool, tuple[str, ...]]:
    """Treat a column; return whether any value changed, and notes."""
    work = task.store.folder / f"{task.file}-order"
    shutil.rmtree(work, ignore_errors=True)  # of a task that is run again
    work.mkdir()
    try:
        generator = task.step.ties(task.name, task.context)
        column = sorted_column(task.store, task.name, task.step, work, generator)
        made = task.step.in_order(column, generator, task.context)
        buckets = dealt_to_rows(column, made.pieces, len(task.store), work)
        return _put_back(task, buckets, made.of_gaps), made.notes
    finally:
        shutil.rmtree(work, ignore_errors=True)


def sorted_column(
    store: Store, name: str, step: Method, work: Path, generator: np.random.Generator | None
) -> InOrder:
    """Sort the known values of a column, equal ones at random or in the order of the file."""
    made = iter(range(2**31))

    def room(count: int, kind: Any) -> NDArray[Any]:
        path = work / f"array-{next(made)}"
        # Space is taken now: writing to an array in a file on a full disk would end the process.
        reserve(path, count * np.dtype(kind).itemsize)
        return _mapped(path, kind)

    values_file, rows_file = work / "values", work / "rows"
    by = "key, lot, row" if generator is not None else "key, row"
    with (
        database(counting_memory(store.memory), work) as connection,
        values_file.open("wb") as values,
        rows_file.open("wb") as rows,
    ):
        connection.register("read", _reader(store, name, step, generator))
        for lot in connection.sql(f"select value, row from read order by {by}").to_arrow_reader(
            LOT
        ):
            lot.column("value").to_numpy(zero_copy_only=False).tofile(values)
            lot.column("row").to_numpy(zero_copy_only=False).tofile(rows)
    count = rows_file.stat().st_size // 8
    if not count:
        none = np.empty(0, np.float64 if store.attributes[name].continuous else np.int32)
        return InOrder(store.attributes[name], none, np.empty(0, np.int64), len(store), room)
    kind = np.float64 if store.attributes[name].continuous else np.int32
    return InOrder(
        store.attributes[name],
        _mapped(values_file, kind),
        _mapped(rows_file, np.int64),
        len(store) - count,
        room,
    )


def _mapped(path: Path, kind: Any) -> NDArray[Any]:
    """Return a file as an array; where possible, its space is freed with the array."""
    if not path.stat().st_size:
        return np.empty(0, kind)
    array = np.asarray(np.memmap(path, kind, "r+"))
    with suppress(PermissionError):  # on a system that keeps the names of open files
        path.unlink()
    return array


def _reader(store: Store, name: str, step: Method, generator: np.random.Generator | None) -> Any:
    """Return the known values of a column with what they are sorted by, batch by batch."""
    import pyarrow as pa

    continuous = store.attributes[name].continuous
    kind = pa.float64() if continuous else pa.int32()
    schema = pa.schema(
        [("key", pa.float64()), ("value", kind), ("lot", pa.float64()), ("row", pa.int64())]
    )

    def batches() -> Iterator[pa.RecordBatch]:
        at = 0
        for piece in store.pieces([name]):
            step.refuse_infinite(piece, [name], at)
            column = piece.column(name)
            known = np.flatnonzero(~column.missing)
            # −0 and 0 are one number.
            keys = order_of(column)[known].astype(np.float64) + 0.0
            lots = np.zeros(len(known)) if generator is None else generator.random(len(known))
            arrays = [keys, column.values[known], lots, at + known]
            yield pa.RecordBatch.from_arrays([pa.array(array) for array in arrays], schema=schema)
            at += len(piece)

    return pa.RecordBatchReader.from_batches(schema, batches())


def dealt_to_rows(
    column: InOrder, pieces: Iterable[NDArray[Any]], records: int, work: Path
) -> list[tuple[Path, int, int]]:
    """Write each new value with its row to the file of its bucket; return the buckets."""

    def with_rows() -> Iterator[tuple[NDArray[np.int64], NDArray[Any]]]:
        at = 0
        for values in pieces:
            yield column.rows[at : at + len(values)], values
            at += len(values)

    return scattered(with_rows(), records, work)


def scattered(
    pieces: Iterable[tuple[NDArray[np.int64], NDArray[Any]]], records: int, work: Path
) -> list[tuple[Path, int, int]]:
    """Write each value, given with its row, to the file of its bucket; return the buckets."""
    size = max(BUCKET, -(-records // 128))
    spans = [(first, min(first + size, records)) for first in range(0, records, size)]
    paths = [work / f"bucket-{number:03d}" for number in range(len(spans))]
    files = [path.open("wb") for path in paths]
    try:
        for rows, values in pieces:
            pairs = np.empty(len(values), dtype=PAIR)
            pairs["row"], pairs["value"] = rows, values
            bucket = rows // size
            order = np.argsort(bucket, kind="stable")
            ends = np.cumsum(np.bincount(bucket, minlength=len(spans)))
            for file, part in zip(files, np.split(pairs[order], ends[:-1]), strict=True):
                part.tofile(file)
    finally:
        for file in files:
            file.close()
    return [(path, *span) for path, span in zip(paths, spans, strict=True)]


def _put_back(task: _Task, buckets: list[tuple[Path, int, int]], of_gaps: float | None) -> bool:
    """Write the new values in the order of the file; return whether any changed."""
    store, changed = task.store, False
    for path, first, last in buckets:
        before = store.values(task.name, first, last)
        after = before.copy()
        if of_gaps is not None:
            after[np.isnan(before) if before.dtype == np.float64 else before < 0] = of_gaps
        pairs = np.fromfile(path, PAIR)
        path.unlink()
        after[pairs["row"] - first] = pairs["value"]
        changed |= not np.array_equal(before, after, equal_nan=before.dtype == np.float64)
        write_slice(store.folder / task.file, after, first)
    return changed
