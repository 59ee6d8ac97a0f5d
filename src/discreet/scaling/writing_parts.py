"""The parts of a release: rows are dealt into buckets, and each bucket becomes a Parquet file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.io.files import write_table
from discreet.io.formats import FileFormat
from discreet.io.frames import settled, to_table
from discreet.microdata import Column, Microdata, Source
from discreet.microdata.decimals import rounded
from discreet.publishing.checksum import sha256
from discreet.publishing.parts import HELD_ROW
from discreet.release.shuffling import bucket_count, dealt, order_within
from discreet.scaling.engine import Engine
from discreet.scaling.keys import renumbered_store
from discreet.scaling.rules import LargeRules
from discreet.scaling.source import CHUNK, LargeFile
from discreet.scaling.stepped import Stepped, group_labels
from discreet.scaling.store import Store, slices, write_slice

if TYPE_CHECKING:
    import pyarrow as pa

ROW, GROUP = "row of the original", "group"


@dataclass(frozen=True)
class Part:
    """A file of the release, and the private file that says where its rows came from."""

    name: str
    sha256: str
    bytes: int
    records: int


@dataclass(frozen=True, eq=False)
class Outgoing:
    """What is needed to write any rows of the release."""

    file: LargeFile
    original: Store
    state: Stepped
    files: Mapping[str, str]
    context: Context
    shuffle: bool
    keep_decimals: bool
    rules: LargeRules

    @property
    def released(self) -> Store:
        """The columns as they are written: rounded, and of the types of the original."""
        return replace(self.state.store, files={**self.state.store.files, **self.files})

    def original_rows(self, first: int, last: int) -> NDArray[np.int64]:
        """Return which records of the original some released ones came from.

        Where records were held back, these are places among the others.
        """
        rows = self.state.store.file_rows(first, last)
        if not self.original.origin:
            return rows
        others = np.asarray(np.memmap(self.original.folder / self.original.origin, np.int64, "r"))
        return np.where(rows < 0, rows, np.searchsorted(others, rows))


def write_held_back(control: Store, folder: Path) -> None:
    """Write privately which rows of the file were held back."""
    import pyarrow as pa
    from pyarrow import parquet

    folder.mkdir(mode=0o700)
    path = folder / "part-00000.parquet"
    schema = pa.schema([(HELD_ROW, pa.int64())])
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for span in slices(len(control)):
            writer.write_table(pa.table([control.file_rows(*span)], schema=schema))
    path.chmod(0o600)


def outgoing(
    file: LargeFile,
    original: Store,
    state: Stepped,
    context: Context,
    shuffle: bool,
    keep_decimals: bool,
    rules: LargeRules,
) -> Outgoing:
    """Prepare the files for the columns as they are written; households get new numbers."""
    store = renumbered_store(state.store, context.generator("households"))
    state = replace(state, store=store)
    numbers = [n for n in sorted(store.changed) if store.attributes[n].continuous]
    files = {name: f"written-{place:04d}" for place, name in enumerate(numbers)}
    store.reserve(files)
    kept = rules.after(store)
    return Outgoing(file, original, state, files, context, shuffle, keep_decimals, kept)


def write_parts(
    work: Outgoing, folder: Path, private: Path, format: FileFormat, engine: Engine
) -> tuple[list[Part], dict[str, list[int]], dict[str, int]]:
    """Write the parts of the release and, privately, the origins of their rows.

    Also returned are the codes that occur in each ordinal column, and the records repaired by rule.
    """
    buckets = bucket_count(len(work.state.store))
    spans = list(enumerate(work.state.store.tasks()))
    dealt_out = engine.map(_deal, [(work, buckets, number, span) for number, span in spans],
                           "writing rows")  # fmt: skip
    schema = _widest([schema for schema, _, _ in dealt_out])
    used: dict[str, list[int]] = {}
    repaired = Counter[str]()
    for _, codes, of_span in dealt_out:
        repaired.update(of_span)
        for name, of_task in codes.items():
            used[name] = sorted({*used.get(name, []), *of_task})
    folder.mkdir()
    private.mkdir(mode=0o700)
    tasks = [(work, buckets, bucket, schema, folder, private, format) for bucket in range(buckets)]
    by_rule = {r.text: repaired[r.text] for r in work.rules.rules if repaired[r.text]}
    return engine.map(_write, tasks, "writing parts"), used, by_rule


def _deal(
    task: tuple[Outgoing, int, int, tuple[int, int]],
) -> tuple[pa.Schema, dict[str, list[int]], dict[str, int]]:
    """Write some rows as they are released, each to the file of its bucket."""
    import pyarrow as pa

    work, buckets, number, (start, end) = task
    store = work.state.store
    schemas = list[Any]()
    used: dict[str, set[int]] = {}
    waiting: dict[int, list[pa.Table]] = {}
    repaired = Counter[str]()
    for first, source in source_rows(work, start, end):
        last = first + source.num_rows
        table, of_rows = as_released(work, source, first, last)
        repaired.update(of_rows)
        for name in work.files:
            write_slice(store.folder / work.files[name], table[name], first)
        for column in table:
            if column.attribute.kind == "ordinal":
                used.setdefault(column.name, set()).update(np.unique(column.values).tolist())
        written = to_table(table)
        schemas.append(written.schema)
        private = {ROW: pa.array(work.original_rows(first, last))}
        labels = group_labels(work.state, first, last)
        if labels is not None:
            private[GROUP] = pa.array(labels)
        for name, array in private.items():
            written = written.append_column(_private(name), array)
        if work.shuffle:
            of_row = dealt(len(store), first, last, work.context)
        else:
            of_row = np.arange(first, last) * buckets // len(store)
        order = np.argsort(of_row, kind="stable")
        written = written.take(pa.array(order))
        ends = np.cumsum(np.bincount(of_row, minlength=buckets))
        for bucket, stop in enumerate(ends.tolist()):
            begin = int(ends[bucket - 1]) if bucket else 0
            if stop > begin:
                waiting.setdefault(bucket, []).append(written.slice(begin, stop - begin))
    schema = _widest(schemas)
    wide = schema
    for name in (ROW, GROUP):
        if waiting and _private(name) in next(iter(waiting.values()))[0].column_names:
            wide = wide.append(pa.field(_private(name), pa.int64()))
    for bucket, tables in waiting.items():
        piece = _together(tables, wide)
        # A task that is run again starts its files afresh.
        path = _bucket(store.folder, bucket, number)
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, piece.schema) as writer:
            writer.write_table(piece)
    codes_used = {name: sorted(c for c in codes if c >= 0) for name, codes in used.items()}
    return schema, codes_used, dict(repaired)


def source_rows(work: Outgoing, start: int, end: int) -> Iterator[tuple[int, pa.Table]]:
    """Yield the rows of the file that released records came from, in chunks with their first row.

    Where there is no such row, values are missing: only the types of the columns count then.
    """
    import pyarrow as pa

    store, names = work.state.store, list(work.state.store.files)
    if not store.origin:
        yield from work.file.tables(names, start, end)
        return
    schema = pa.schema([work.file.schema.field(name) for name in names])
    for first, last in slices(end - start, CHUNK):
        rows = store.file_rows(start + first, start + last)
        known_rows = rows[rows >= 0]
        pieces = [schema.empty_table()]
        if len(known_rows):
            for at, table in work.file.tables(names, int(known_rows[0]), int(known_rows[-1]) + 1):
                some = known_rows[
                    np.searchsorted(known_rows, at) : np.searchsorted(known_rows, at + len(table))
                ]
                pieces.append(table.take(pa.array(some - at)))
        known = pa.concat_tables(pieces).unify_dictionaries()
        places = np.where(rows >= 0, np.cumsum(rows >= 0) - 1, 0)
        indices = pa.array(places, mask=rows < 0)
        yield start + first, known.take(indices).combine_chunks()


def as_released(
    work: Outgoing, source: pa.Table, first: int, last: int
) -> tuple[Microdata, dict[str, int]]:
    """Return some rows with their values in the release, and the records repaired by rule."""
    import narwhals as nw

    store = work.state.store
    frame = nw.from_native(source, eager_only=True)
    columns = store.named(store.table(store.files, first, last))
    table = Microdata(columns, Source(frame).touch(store.changed))
    if work.keep_decimals:
        changed = list[Column]()
        for name in sorted(store.changed - frozenset(_dates(store))):
            digits = work.original.decimals.get(name)
            if digits is not None and store.attributes[name].continuous:
                column = table.column(name)
                changed.append(column.with_values(rounded(column.values, digits)))
        table = table.replace(changed)
    table, repaired = work.rules.keep(table)
    return settled(table), repaired


def _dates(store: Store) -> list[str]:
    import pyarrow.types as types

    return [field.name for field in store.types if types.is_temporal(field.type)]


def _write(
    task: tuple[Outgoing, int, int, pa.Schema, Path, Path, FileFormat],
) -> Part:
    """Bring the rows of a bucket into their released order and write them as a part."""
    import pyarrow as pa
    from pyarrow import parquet

    work, buckets, bucket, schema, folder, private, format = task
    store = work.state.store
    tables = []
    paths = [
        path
        for number in range(len(store.tasks()))
        if (path := _bucket(store.folder, bucket, number)).exists()
    ]
    for path in paths:
        with pa.memory_map(str(path)) as source:
            tables.append(pa.ipc.open_file(source).read_all())
    private_columns = [
        n for n in (_private(ROW), _private(GROUP)) if tables and n in tables[0].column_names
    ]
    wide = pa.schema([*schema, *(pa.field(name, pa.int64()) for name in private_columns)])
    table = _together(tables, wide) if tables else wide.empty_table()
    if work.shuffle:
        order = order_within(bucket, table.num_rows, buckets, work.context)
        table = table.take(pa.array(order))
    name = f"part-{bucket:05d}.parquet"
    write_table(table.select(schema.names), folder / name, format)
    origins = pa.table({n.removeprefix("\0"): table.column(n) for n in private_columns})
    parquet.write_table(origins, private / name, compression="zstd")
    (private / name).chmod(0o600)
    return Part(
        f"{folder.name}/{name}",
        sha256(folder / name),
        (folder / name).stat().st_size,
        table.num_rows,
    )


def _private(name: str) -> str:
    """Return a name that no column of a file has."""
    return f"\0{name}"


def _bucket(folder: Path, bucket: int, number: int) -> Path:
    return folder / f"bucket-{bucket:05d}-{number:05d}"


def _widest(schemas: Sequence[pa.Schema]) -> pa.Schema:
    """Return the types that hold the rows of all slices: whole numbers become floats if any are."""
    import pyarrow as pa

    return pa.unify_schemas(list(schemas), promote_options="permissive")


def _together(tables: Sequence[pa.Table], schema: pa.Schema) -> pa.Table:
    """Return tables as one, with the types of a schema; categories are listed once."""
    import pyarrow as pa

    cast = []
    for table in tables:
        columns = [table.column(field.name) for field in schema]
        same = [
            column if column.type == field.type else column.cast(field.type)
            for column, field in zip(columns, schema, strict=True)
        ]
        cast.append(pa.Table.from_arrays(same, schema=schema))
    return pa.concat_tables(cast).unify_dictionaries().combine_chunks()
