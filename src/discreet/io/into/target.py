"""A new table of a database: made, filled, read back and kept in one transaction, or not at all."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from discreet.errors import DataError, UsageError
from discreet.io.database import is_address, refuse_password
from discreet.io.formats import kind_of_path
from discreet.io.stored_types import like_schema

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["TableTarget", "chosen_target", "same_records", "table_target"]


@dataclass(frozen=True)
class TableTarget(ABC):
    """A table by the address of its database and its name, which may have a schema before it."""

    address: str
    name: str
    system: ClassVar[str]

    @abstractmethod
    @contextmanager
    def session(self) -> Iterator[Any]:
        """Open a transaction that is rolled back unless it is committed.

        Errors of the system become sentences without values of records.
        """
        yield

    @abstractmethod
    def exists(self, session: Any) -> bool:
        """Whether the database has a table or view of this name."""

    @abstractmethod
    def create(self, session: Any, table: pa.Table) -> None:
        """Make the table and fill it."""

    @abstractmethod
    def fetch(self, session: Any) -> pa.Table:
        """Return what the table holds."""

    @abstractmethod
    def remove(self, session: Any) -> None:
        """Remove the table."""

    @abstractmethod
    def commit(self, session: Any) -> None:
        """Keep what the transaction did."""

    def is_there(self) -> bool:
        """Whether there is a database to look into; a file may not have been made yet."""
        return True

    def refuse_existing(self) -> None:
        """Refuse a name that is taken; a database that does not answer is an error too."""
        if self.is_there():
            with self.session() as session:
                self._refuse_existing(session)

    def write(self, table: pa.Table, check: Callable[[pa.Table], None]) -> None:
        """Write a new table, and keep it if checking what is read back raises no error."""
        with self.session() as session:
            self._refuse_existing(session)
            self.create(session, table)
            check(self.fetch(session))
            self.commit(session)

    def read(self) -> pa.Table:
        """Return the records of the table."""
        if not self.is_there():
            raise DataError(f"the {self.system} file '{self.address}' does not exist")
        with self.session() as session:
            if not self.exists(session):
                raise DataError(f"the {self.system} database has no table '{self.name}'")
            return self.fetch(session)

    def drop(self) -> None:
        """Remove the table again."""
        with self.session() as session:
            self.remove(session)
            self.commit(session)

    def _refuse_existing(self, session: Any) -> None:
        if self.exists(session):
            raise DataError(
                f"a release is written into a new table, and the {self.system} database already "
                f"has '{self.name}'; choose another name, or remove that table first"
            )


def chosen_target(address: str | os.PathLike[str] | None, name: str | None) -> TableTarget | None:
    """Return the table that both of these name; None if neither is given.

    >>> chosen_target("study.sqlite", None)
    Traceback (most recent call last):
    discreet.errors.UsageError: a database and the name of a new table are given together; ...
    """
    if (address is None) != (name is None):
        raise UsageError(
            "a database and the name of a new table are given together; give both, or leave both "
            "out to write files alone"
        )
    return None if address is None or name is None else table_target(address, name)


def table_target(address: str | os.PathLike[str], name: str) -> TableTarget:
    """Return the table that an address or a file, and a name, stand for.

    >>> table_target("study.sqlite", "released").system
    'SQLite'
    >>> table_target("people.csv", "released")
    Traceback (most recent call last):
    discreet.errors.UsageError: records are written into a table of PostgreSQL (an address
    postgresql://...), SQLite or DuckDB (a file), but 'people.csv' is none of them
    """
    from discreet.io.into.duckdb import DuckDBTarget
    from discreet.io.into.postgresql import PostgreSQLTarget
    from discreet.io.into.sqlite import SQLiteTarget

    if not name:
        raise UsageError("a table to write into needs a name; give one with table=")
    if is_address(address):
        refuse_password(str(address))
        return PostgreSQLTarget(str(address), name)
    path = Path(address)
    try:
        kind = kind_of_path(path)[0].name
    except UsageError:
        kind = ""
    for target, of in ((SQLiteTarget, "sqlite"), (DuckDBTarget, "duckdb")):
        if kind == of:
            return target(str(path), name)
    raise UsageError(
        "records are written into a table of PostgreSQL (an address postgresql://...), SQLite or "
        f"DuckDB (a file), but '{path.name}' is none of them"
    )


@contextmanager
def new_file_removed(path: Path) -> Iterator[None]:
    """Remove a database file that a failing block made; one that was there stays."""
    existed = path.exists()
    try:
        yield
    except BaseException:
        if not existed:
            path.unlink(missing_ok=True)
        raise


def same_records(first: pa.Table, second: pa.Table) -> bool:
    """Whether two tables have the same records; a table of a database has no order.

    >>> import pyarrow as pa
    >>> same_records(pa.table({"x": [1, 2, 2]}), pa.table({"x": [2, 1, 2]}))
    True
    >>> same_records(pa.table({"x": [1, 2, 2]}), pa.table({"x": [2, 1, 1]}))
    False
    """
    import pyarrow as pa

    if first.column_names != second.column_names or first.num_rows != second.num_rows:
        return False
    first, second = _comparable(first), _comparable(like_schema(second, first.schema))
    if first.equals(second):
        return True
    try:
        order = [(name, "ascending") for name in first.column_names]
        return bool(first.sort_by(order).equals(second.sort_by(order)))
    except pa.ArrowException:  # lists and the like have no order
        return False


def _comparable(table: pa.Table) -> pa.Table:
    """Return the table with plain values, and numbers that are none as missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for place, item in enumerate(table.schema):
        column = table.column(place)
        if pa.types.is_dictionary(item.type):
            column = column.cast(item.type.value_type)
        elif pa.types.is_null(item.type):
            column = column.cast(pa.string())
        elif pa.types.is_floating(item.type):
            column = pc.if_else(pc.is_nan(column), pa.scalar(None, item.type), column)
        table = table.set_column(place, item.name, column)
    return table.combine_chunks()
