"""The numbers of households in a large file: from 0 while it is protected, then new random ones.

A register has too many households for categories. A column that numbers them is a file of the rank
that each record's number has among all of them, with −1 where there is none, and its attribute has
no categories.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.microdata import MISSING_CODE, Attribute, Column, Kind, Microdata, Role
from discreet.microdata.clusters import Clusters
from discreet.microdata.levels import with_unit

if TYPE_CHECKING:
    import pyarrow as pa

    from discreet.scaling.source import LargeFile
    from discreet.scaling.store import Store

LOT = 1_000_000
"""Rows of a result that are processed together."""
NUMBER = 13
"""Bytes of memory for a household while new numbers are drawn."""


@dataclass(frozen=True)
class Key:
    """How many households a column numbers, and whether its numbers are texts.

    >>> Key(12, texts=True).names(np.array([0, 10]))
    ('01', '11')
    """

    count: int
    texts: bool

    def names(self, numbers: NDArray[np.int64]) -> tuple[Any, ...]:
        """Return numbers from 0 as they are released: from 1, texts of one length."""
        width = len(str(self.count))
        return tuple(f"{n + 1:0{width}d}" if self.texts else n + 1 for n in numbers.tolist())

    def column(self, column: Column) -> Column:
        """Return some records' numbers with categories, those of these records only."""
        present, codes = np.unique(column.values, return_inverse=True)
        missing = int(len(present) > 0 and present[0] == MISSING_CODE)
        names = self.names(present[missing:].astype(np.int64))
        return column.recoded((codes - missing).astype(np.int32), Kind.NOMINAL, names)


def key_attribute(name: str, role: Role, kind: Any, type_: pa.DataType) -> Attribute:
    """Return the attribute of a column that numbers households; its type must be one of names."""
    import pyarrow.types as types

    plain = types.is_integer(type_) or types.is_string(type_) or types.is_large_string(type_)
    if kind not in (None, "nominal") or not plain:
        raise DataError(
            f"the numbers of {role}s in a file larger than memory are whole numbers or texts, but "
            f"'{name}' is of type {type_ if kind is None else kind}; convert the column, or allow "
            "more memory"
        )
    return Attribute(name, role, Kind.NOMINAL)


def with_unit_of(store: Store, unit: str | None) -> Store:
    """Return the store with what claims count: see `discreet.microdata.levels.with_unit`."""
    if unit is None:
        return store
    attributes = {a.name: a for a in with_unit(store.head, unit).schema}
    return replace(store, attributes=attributes)


def number_key(file: LargeFile, store: Store, name: str) -> Key:
    """Write the rank of each record's number to the file of a column, and count the numbers."""
    import pyarrow as pa
    import pyarrow.types as types

    from discreet.scaling.counting import counting

    type_ = file.schema.field(name).type
    schema = pa.schema([("key", type_), ("row", pa.int64())])

    def read() -> pa.RecordBatchReader:
        def batches() -> Iterator[pa.RecordBatch]:
            for first, table in file.tables([name]):
                rows = pa.array(np.arange(first, first + table.num_rows))
                keys = table.column(name).combine_chunks()
                yield pa.RecordBatch.from_arrays([keys, rows], schema=schema)

        return pa.RecordBatchReader.from_batches(schema, batches())

    with counting(store) as connection:
        connection.register("keys_read", read())
        connection.execute(
            "create temp table numbers as select key, row_number() over (order by key) - 1 as "
            "number from (select distinct key from keys_read where key is not null)"
        )
        ((count,),) = connection.execute("select count(*) from numbers").fetchall()
        connection.register("keys_read", read())
        lots = connection.sql(
            "select number from keys_read left join numbers using (key) order by row"
        ).to_arrow_reader(LOT)
        with (store.folder / store.files[name]).open("r+b") as target:
            for lot in lots:
                ranks = lot.column("number").fill_null(MISSING_CODE)
                ranks.to_numpy(zero_copy_only=False).astype(np.int32).tofile(target)
    return Key(int(count), bool(not types.is_integer(type_)))


def renumbered_store(store: Store, generator: np.random.Generator) -> Store:
    """Return the store with random new numbers: the old ones would link to a register.

    They are those of `discreet.microdata.clusters.renumbered`.
    """
    from discreet.scaling.store import slices, write_slice

    for place, name in enumerate(store.head.having(Role.HOUSEHOLD, Role.PERSON)):
        key = store.keys[name]
        store.require(NUMBER * key.count, f"renumbering the {key.count:,} values of '{name}'")
        seen = np.zeros(key.count + 1, dtype=bool)
        for span in slices(len(store)):
            seen[store.values(name, *span)] = True
        ranks = np.cumsum(seen[:-1], dtype=np.int32) - 1
        count = int(ranks[-1]) + 1 if len(ranks) else 0
        new = np.full(key.count + 1, MISSING_CODE, dtype=np.int32)
        new[:-1] = generator.permutation(count)[ranks] if count else MISSING_CODE
        del ranks, seen
        files = {name: f"numbers-{place:04d}"}
        after = store.with_columns([store.attributes[name]], files)
        after.reserve(files)
        for first, last in slices(len(store)):
            write_slice(after.folder / files[name], new[store.values(name, first, last)], first)
        store = replace(after, keys={**store.keys, name: Key(count, key.texts)})
    return store


def key_of_store(store: Store) -> str | None:
    """Return the column that says which records belong together."""
    return next(iter(store.keys), None)


def households(
    store: Store, key: str, names: list[str]
) -> Iterator[tuple[NDArray[np.int64], Microdata, Clusters]]:
    """Yield whole households by the million records: their rows, some columns, and their members.

    They come in the order of their numbers, members in the order of the file; records without a
    number are households of their own and come last.
    """
    from discreet.scaling.counting import counting, rows_reader

    count, role = store.keys[key].count, store.attributes[key].role
    listed = [*(name for name in names if name != key), key]
    home = home_in_sql(f"c{len(listed) - 1}", count)
    with counting(store) as connection:
        connection.register("rows_read", rows_reader(store, listed))
        lots = connection.sql(
            f"select *, {home} as home from rows_read order by home, row"
        ).to_arrow_reader(LOT)
        rest: list[NDArray[Any]] = []
        columns = [*(f"c{place}" for place in range(len(listed))), "row", "home"]
        for lot in lots:
            read = [lot.column(name).to_numpy(zero_copy_only=False) for name in columns]
            if rest:
                read = [np.concatenate(both) for both in zip(rest, read, strict=True)]
            # The last household may continue in the next lot.
            whole = int(np.searchsorted(read[-1], read[-1][-1]))
            if whole:
                yield _lot([column[:whole] for column in read], store, listed, role)
            rest = [column[whole:] for column in read]
        if rest and len(rest[0]):
            yield _lot(rest, store, listed, role)


def _lot(
    read: list[NDArray[Any]], store: Store, listed: list[str], role: Role
) -> tuple[NDArray[np.int64], Microdata, Clusters]:
    columns = [
        Column(store.attributes[name], values)
        for name, values in zip(listed, read[:-2], strict=True)
    ]
    rows, homes = read[-2].astype(np.int64), read[-1]
    labels = np.cumsum(np.concatenate([[0], homes[1:] != homes[:-1]])).astype(np.int64)
    return rows, Microdata(columns, rows=len(rows)), Clusters(labels, role)


def home_in_sql(column: str, count: int) -> str:
    """Return the household of a record in SQL: one without a number stands alone."""
    return f"(case when {column} < 0 then {count} + row else {column} end)"
