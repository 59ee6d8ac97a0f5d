"""Tables of a PostgreSQL server, as Arrow from end to end (ADBC).

An address has no password: libpq takes it from PGPASSWORD, PGPASSFILE or ~/.pgpass, so that it is
in no plan, record or message. The transaction is read-only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from discreet.errors import DataError, UsageError, nearest
from discreet.io.extras import needing
from discreet.io.formats import FileTable, chosen_columns, format_for
from discreet.io.names import require_names
from discreet.io.plain_types import bare_table
from discreet.io.sql import qualified, quoted
from discreet.io.text_columns import with_forms

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "EXACT_DIGITS",
    "Selected",
    "connected",
    "count_records",
    "database_name",
    "digits_at_most",
    "is_address",
    "notes_on",
    "numeric_columns",
    "plain_numbers",
    "read_database",
    "selected",
    "with_numeric_texts",
]

SCHEMES = ("postgresql", "postgres")
OPTIONS = ("table", "query")

EXACT_DIGITS = 15
"""A number with this many digits is held exactly by a float, whatever they are."""
_TYPE_NAME = b"ADBC:postgresql:typname"
_REASONS = {
    "42P01": "there is no such table",
    "42703": "there is no such column",
    "42501": "this user may not read it",
    "42601": "the query is not valid SQL; it must be one select, without a semicolon",
    "25006": "the query would change the database; a query may only read",
}


def is_address(given: Any) -> bool:
    """Whether a text is the address of a database, not the name of a file.

    >>> is_address("postgresql://localhost/study"), is_address("people.csv")
    (True, False)
    """
    return (
        isinstance(given, str) and given.partition("://")[0].lower() in SCHEMES and "://" in given
    )


def read_database(
    address: str, columns: Sequence[str] | None = None, options: Mapping[str, Any] | None = None
) -> FileTable:
    """Read a table, or what a query selects; a release of it is written as Parquet.

    >>> read_database("postgresql://me:secret@localhost/study", options={"table": "persons"})
    Traceback (most recent call last):
    discreet.errors.UsageError: an address of a database is written without the password, which
    would end up in plans and logs; leave it out, and put it into ~/.pgpass or PGPASSWORD
    """
    name = database_name(address)
    with selected(address, options or {}) as source:
        listing = "*"
        if columns is not None:
            wanted = chosen_columns(columns, source.nothing().column_names, Path(name))
            listing = ", ".join(map(quoted, wanted))
        source.cursor.execute(f"select {listing} from {source.selection}")
        table = source.cursor.fetch_arrow_table()
    require_names(table.column_names, Path(name))
    table, inexact = plain_numbers(table)
    notes = notes_on(address, source, inexact)
    return with_forms(FileTable(bare_table(table), format_for(".parquet"), notes))


def count_records(address: str, options: Mapping[str, Any]) -> tuple[int, pa.Schema]:
    """Return how many records a table or query has, and the types of its columns; none is fetched.

    The server counts: its planner's estimate may be out of date, and for a query is often far off.
    """
    with selected(address, options) as source:
        table = source.nothing()
        source.cursor.execute(f"select count(*) from {source.selection}")
        [count] = source.cursor.fetchone()
    require_names(table.column_names, Path(database_name(address)))
    return int(count), bare_table(plain_numbers(table)[0]).schema


def refuse_password(address: str) -> None:
    """Refuse an address that holds a password."""
    parts = urlsplit(address)
    if parts.password is not None or {"password", "sslpassword"} & set(parse_qs(parts.query)):
        raise UsageError(
            "an address of a database is written without the password, which would end up in "
            "plans and logs; leave it out, and put it into ~/.pgpass or PGPASSWORD"
        )


def _selection(options: Mapping[str, Any]) -> tuple[str, str]:
    """Return what to select from, as SQL, and what it is called."""
    for name in options:
        if name not in OPTIONS:
            raise UsageError(
                f"a database takes table or query, but the option '{name}' was "
                f"given{nearest(name, OPTIONS)}"
            )
    table, query = (options.get(name) for name in OPTIONS)
    if (table is None) == (query is None):
        raise UsageError(
            "one table or one query of a database is read; give either table= or query="
        )
    if table is not None:
        return qualified(str(table)), f"table '{table}'"
    return f"({str(query).strip().removesuffix(';')}\n) as selected", "a query"


def database_name(address: str) -> str:
    """Return the name of the database that an address leads to.

    >>> database_name("postgresql://reader@localhost/study")
    'study'
    """
    return Path(urlsplit(address).path).name or "the database"


@contextmanager
def connected(address: str) -> Iterator[tuple[Any, type[Any]]]:
    """Connect to a server; yield the connection, and the class of its errors."""
    with needing("database", "a database"):
        from adbc_driver_postgresql import dbapi

    try:
        connection = dbapi.connect(address)
    except dbapi.Error as error:
        # No record has been read yet, and libpq never prints a password.
        reason = re.sub(r"\s+", " ", str(error).partition("FATAL:")[2] or "no answer").strip()
        raise DataError(
            f"the database '{database_name(address)}' cannot be reached ({reason.rstrip('.')}); "
            "check the address, the user and the password in ~/.pgpass or PGPASSWORD"
        ) from None
    with closing(connection):
        yield connection, dbapi.Error


@dataclass(frozen=True)
class Selected:
    """A table or a query in a transaction that may only read: its SQL, and what it is called."""

    cursor: Any
    selection: str
    title: str

    def nothing(self) -> pa.Table:
        """Return the columns without records."""
        self.cursor.execute(f"select * from {self.selection} limit 0")
        return self.cursor.fetch_arrow_table()


@contextmanager
def selected(address: str, options: Mapping[str, Any]) -> Iterator[Selected]:
    """Begin to read a table or a query; a refusal is reported without the server's words."""
    refuse_password(address)
    selection, title = _selection(options)
    with connected(address) as (connection, error_of):
        try:
            with closing(connection.cursor()) as cursor:
                cursor.execute("set transaction read only")
                yield Selected(cursor, selection, title)
        except error_of as error:
            # Messages of the server may quote a value of a record.
            reason = _REASONS.get(str(error.sqlstate), f"SQLSTATE {error.sqlstate}")
            name = database_name(address)
            raise DataError(
                f"the records cannot be read from the database '{name}': {reason}"
            ) from None


def notes_on(address: str, source: Selected, inexact: Sequence[str]) -> tuple[str, ...]:
    """Return where records came from, and which numbers are kept as text."""
    host = urlsplit(address).hostname
    notes = [f"PostgreSQL, {f'{host}/' if host else ''}{database_name(address)}, {source.title}"]
    if inexact:
        named = ", ".join(inexact)
        notes.append(f"numbers of more than {EXACT_DIGITS} digits, kept as text, in: {named}")
    return tuple(notes)


def plain_numbers(table: pa.Table) -> tuple[pa.Table, list[str]]:
    """Return the table with numeric columns, which arrive as text, as numbers.

    Those with more digits than a float holds stay text, and are named.
    """
    import pyarrow as pa

    inexact = []
    numeric = numeric_columns(table.schema)
    table = with_numeric_texts(table)
    for name in numeric:
        texts = table.column(name)
        if digits_at_most(texts) > EXACT_DIGITS:
            inexact.append(name)
        else:
            place = table.column_names.index(name)
            table = table.set_column(place, name, texts.cast(pa.float64()))
    return table, inexact


def numeric_columns(schema: pa.Schema) -> list[str]:
    """Return the columns of PostgreSQL's type numeric, which has any number of digits."""
    return [f.name for f in schema if (f.metadata or {}).get(_TYPE_NAME) == b"numeric"]


def with_numeric_texts(table: pa.Table) -> pa.Table:
    """Return the table with numeric columns as texts."""
    import pyarrow as pa

    for name in numeric_columns(table.schema):
        texts = table.column(name)
        if isinstance(texts.type, pa.BaseExtensionType):
            texts = texts.cast(texts.type.storage_type)
        table = table.set_column(table.column_names.index(name), name, texts)
    return table


def digits_at_most(texts: pa.ChunkedArray) -> int:
    """Return how many digits the longest of some numbers has, not counting leading zeros.

    >>> import pyarrow as pa
    >>> digits_at_most(pa.chunked_array([["-0.0120", None, "7"]]))
    3
    """
    import pyarrow.compute as pc

    digits = pc.replace_substring_regex(texts, r"^-?0*\.?0*|\.", "")
    return pc.max(pc.utf8_length(digits)).as_py() or 0
