"""A new table of an SQLite file, which may hold others."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import DataError
from discreet.io.into.target import TableTarget, new_file_removed
from discreet.io.kinds.sqlite import create_table, stored_table
from discreet.io.sql import quoted

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["SQLiteTarget"]


class SQLiteTarget(TableTarget):
    """A table of a file, which is made if there is none.

    >>> SQLiteTarget("study.sqlite", "released").system
    'SQLite'
    """

    system = "SQLite"

    @contextmanager
    def session(self) -> Iterator[Any]:
        """Open a transaction that no other writer can come between."""
        path = Path(self.address)
        try:
            with (
                new_file_removed(path),
                closing(sqlite3.connect(path, isolation_level=None)) as database,
            ):
                database.execute("begin immediate")
                yield database
        except sqlite3.Error as error:
            reason = getattr(error, "sqlite_errorname", "an SQLite error")
            raise DataError(
                f"the table '{self.name}' cannot be written into '{path.name}' ({reason}); check "
                "that it is an SQLite file that no other program is writing to"
            ) from None

    def is_there(self) -> bool:
        """Whether there is a file."""
        return Path(self.address).exists()

    def exists(self, session: sqlite3.Connection) -> bool:
        """Whether the file has this table."""
        same_named = session.execute(
            "select 1 from sqlite_master where lower(name) = lower(?)", (self.name,)
        )
        return same_named.fetchone() is not None

    def create(self, session: sqlite3.Connection, table: pa.Table) -> None:
        """Make the table and fill it."""
        create_table(session, self.name, table)

    def fetch(self, session: sqlite3.Connection) -> pa.Table:
        """Return what the table holds."""
        return stored_table(session, self.name, None, Path(self.address))

    def remove(self, session: sqlite3.Connection) -> None:
        """Remove the table."""
        session.execute(f"drop table {quoted(self.name)}")

    def commit(self, session: sqlite3.Connection) -> None:
        """Keep what the transaction did."""
        session.execute("commit")
