"""SQLite files, by the standard library: one table is read, and written as a file of its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import DataError
from discreet.io.formats import FileFormat, FileKind, FileTable, chosen_columns, register
from discreet.io.memory_guard import require_memory
from discreet.io.sql import chosen_table, quoted
from discreet.io.stored_types import like_schema, with_moments

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["SQLite", "SQLiteDetails", "create_table", "stored_table"]

MEMORY_FACTOR = 8
_ROWS = 1 << 14


@dataclass(frozen=True)
class SQLiteDetails:
    """Which table of the file was read.

    >>> SQLiteDetails().table
    'release'
    """

    table: str = "release"


@register
class SQLite(FileKind):
    """A table or view of an SQLite file.

    >>> SQLite.options
    ('table',)
    """

    name = "sqlite"
    suffixes = (".sqlite", ".sqlite3", ".db")
    options = ("table",)

    def read(
        self,
        path: Path,
        suffix: str,
        columns: Sequence[str] | None,
        options: Mapping[str, Any],
    ) -> FileTable:
        """Read the columns asked for; texts such as 1990-12-31 are dates."""
        require_memory(path, MEMORY_FACTOR * path.stat().st_size)
        with _opened(path) as database:
            table = chosen_table(_tables(database), options.get("table"), path)
            data = stored_table(database, table, columns, path)
        return FileTable(
            data,
            FileFormat(kind=self.name, suffix=suffix, details=SQLiteDetails(table)),
            (f"SQLite, table '{table}'",),
        )

    def read_back(self, path: Path, format: FileFormat, schema: pa.Schema) -> pa.Table:
        """Return the table that was written, in the types that it had."""
        return like_schema(super().read_back(path, format, schema), schema)

    def cells(self, path: Path, suffix: str, options: Mapping[str, Any]) -> pa.Table:
        """Return the stored values, column by column."""
        import pyarrow as pa

        with _opened(path) as database:
            table = chosen_table(_tables(database), options.get("table"), path)
            try:
                return pa.table(
                    {
                        name: pa.array(
                            [
                                value
                                for (value,) in database.execute(
                                    f"select {quoted(name)} from {quoted(table)} order by rowid"
                                )
                            ]
                        )
                        for name in _columns(database, table)
                    }
                )
            except pa.ArrowException:
                raise DataError(
                    f"each column of '{path.name}' must hold values of one type, but one does not"
                ) from None

    def write(self, table: pa.Table, path: Path, format: FileFormat) -> None:
        """Write a new file that holds this table alone, in one transaction."""
        path.unlink(missing_ok=True)
        try:
            with closing(sqlite3.connect(path)) as database, database:
                create_table(database, format.details.table, table)
        except sqlite3.Error as error:
            reason = getattr(error, "sqlite_errorname", "an SQLite error")
            raise DataError(
                f"the table cannot be written as an SQLite file ({reason}); check the names of its "
                "columns and the place, or write Parquet"
            ) from None

    def format_for(self, suffix: str, options: Mapping[str, Any]) -> FileFormat:
        """Return the format of a file with one table."""
        details = SQLiteDetails(str(options.get("table", SQLiteDetails.table)))
        return FileFormat(kind=self.name, suffix=suffix, details=details)

    def options_of(self, format: FileFormat) -> dict[str, Any]:
        """Return the table's name."""
        return {"table": format.details.table}


def create_table(database: sqlite3.Connection, name: str, table: pa.Table) -> None:
    """Make a table and fill it, within the transaction that is open."""
    columns = {item.name: _declared(item.type, item.name) for item in table.schema}
    listing = ", ".join(f"{quoted(column)} {kind}" for column, kind in columns.items())
    places = ", ".join("?" for _ in columns)
    try:
        database.execute(f"create table {quoted(name)} ({listing})")
        for batch in table.to_batches(max_chunksize=_ROWS):
            values = [[_stored(v) for v in column.to_pylist()] for column in batch.columns]
            database.executemany(
                f"insert into {quoted(name)} values ({places})", zip(*values, strict=True)
            )
    except OverflowError:
        raise DataError(
            "SQLite holds whole numbers up to 9,223,372,036,854,775,807, and a column of the "
            "table goes beyond; write Parquet"
        ) from None


def stored_table(
    database: sqlite3.Connection, name: str, columns: Sequence[str] | None, path: Path
) -> pa.Table:
    """Return the columns asked for of a table; texts such as 1990-12-31 are dates."""
    import pyarrow as pa

    names = chosen_columns(columns, _columns(database, name), path)
    listing = ", ".join(map(quoted, names))
    rows = database.execute(f"select {listing} from {quoted(name)}").fetchall()
    values = zip(*rows, strict=True) if rows else [()] * len(names)
    data = {name: _array(cells, name, path) for name, cells in zip(names, values, strict=True)}
    return with_moments(pa.table(data))


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a file for reading only; a damaged one is refused."""
    try:
        address = f"{path.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as database:
            # Views in the file must not call functions that can do harm.
            database.execute("pragma trusted_schema = off")
            yield database
    except (sqlite3.Error, UnicodeDecodeError):  # whose text may quote bytes that are none
        raise DataError(
            f"the file '{path.name}' cannot be read as an SQLite file; check that it is complete "
            "and that no other program is writing to it"
        ) from None


def _tables(database: sqlite3.Connection) -> list[str]:
    listed = database.execute(
        "select name from sqlite_master where type in ('table', 'view') "
        "and name not like 'sqlite\\_%' escape '\\' order by name"
    )
    return [name for (name,) in listed]


def _columns(database: sqlite3.Connection, table: str) -> list[str]:
    return [str(row[1]) for row in database.execute(f"pragma table_info({quoted(table)})")]


def _array(cells: Sequence[Any], name: str, path: Path) -> pa.Array:
    """Return the values of a column; SQLite itself lets each have its own type."""
    import pyarrow as pa

    kinds = {type(value) for value in cells} - {type(None)}
    if kinds == {int, float}:
        cells = [None if value is None else float(value) for value in cells]
        kinds = {float}
    if len(kinds) > 1:
        raise DataError(
            f"each column must hold values of one type, but column '{name}' of '{path.name}' "
            "holds numbers as well as text; correct it, or select it with a cast in a view"
        )
    return pa.array(cells)


def _declared(kind: pa.DataType, name: str) -> str:
    import pyarrow.types as types

    if types.is_dictionary(kind):
        kind = kind.value_type
    if types.is_integer(kind) or types.is_boolean(kind):
        return "integer"
    if types.is_floating(kind):
        return "real"
    if types.is_string(kind) or types.is_large_string(kind) or types.is_null(kind):
        return "text"
    if types.is_date(kind) or types.is_timestamp(kind) or types.is_time(kind):
        return "text"
    if types.is_binary(kind) or types.is_large_binary(kind):
        return "blob"
    raise DataError(
        f"an SQLite file holds numbers, text, dates and bytes, but column '{name}' is of type "
        f"{kind}; leave it out or write Parquet"
    )


def _stored(value: Any) -> Any:
    if value is None or isinstance(value, int | float | str | bytes):
        return value
    return value.isoformat()
