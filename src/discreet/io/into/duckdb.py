"""A new table of a DuckDB file, which may hold others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import DataError
from discreet.io.extras import needing
from discreet.io.into.target import TableTarget, new_file_removed
from discreet.io.plain_types import bare_table
from discreet.io.sql import qualified

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["DuckDBTarget"]


class DuckDBTarget(TableTarget):
    """A table of a file, which is made if there is none.

    >>> DuckDBTarget("study.duckdb", "released").system
    'DuckDB'
    """

    system = "DuckDB"

    @contextmanager
    def session(self) -> Iterator[Any]:
        """Open a transaction."""
        with needing("duckdb", "a DuckDB file"):
            import duckdb

        path = Path(self.address)
        try:
            limits: dict[str, Any] = {"enable_external_access": "false"}
            with new_file_removed(path), duckdb.connect(str(path), config=limits) as database:
                database.begin()
                yield database
        except duckdb.Error:
            # Messages of DuckDB may quote a value of a record.
            raise DataError(
                f"the table '{self.name}' cannot be written into '{path.name}'; check that it is a "
                "DuckDB file that no other program has open, and that its schema is there"
            ) from None

    def is_there(self) -> bool:
        """Whether there is a file."""
        return Path(self.address).exists()

    def exists(self, session: Any) -> bool:
        """Whether the file has a table or view of this name."""
        schema, _, name = self.name.rpartition(".")
        same_named = session.execute(
            "select 1 from information_schema.tables where lower(table_schema) = lower(?) "
            "and lower(table_name) = lower(?)",
            [schema or "main", name],
        )
        return bool(same_named.fetchall())

    def create(self, session: Any, table: pa.Table) -> None:
        """Make the table and fill it."""
        session.register("records to be released", table)
        session.execute(
            f'create table {qualified(self.name)} as select * from "records to be released"'
        )

    def fetch(self, session: Any) -> pa.Table:
        """Return what the table holds."""
        rows = session.sql(f"select * from {qualified(self.name)}")
        return bare_table(rows.to_arrow_table())

    def remove(self, session: Any) -> None:
        """Remove the table."""
        session.execute(f"drop table {qualified(self.name)}")

    def commit(self, session: Any) -> None:
        """Keep what the transaction did."""
        session.commit()
