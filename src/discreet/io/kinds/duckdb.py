"""DuckDB files: a table of one is read; it is released as Parquet, which has the same types.

DuckDB writes random numbers into its files, so the same seed and data would not give the same
bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from discreet.errors import DataError
from discreet.io.extras import needing
from discreet.io.formats import FileTable, chosen_columns, register
from discreet.io.memory_guard import require_memory
from discreet.io.plain_types import bare_table
from discreet.io.released_as import ReleasedAs
from discreet.io.sql import chosen_table, quoted

__all__ = ["DuckDB"]

_UNPACKED = 4
"""DuckDB compresses its columns to about a quarter."""


@register
class DuckDB(ReleasedAs):
    """A table or view of a DuckDB file.

    >>> DuckDB.options
    ('table',)
    """

    name = "duckdb"
    suffixes = (".duckdb", ".ddb")
    options = ("table",)
    release_suffix = ".parquet"

    def read(
        self,
        path: Path,
        suffix: str,
        columns: Sequence[str] | None,
        options: Mapping[str, Any],
    ) -> FileTable:
        """Read the columns asked for, as Arrow; the file is opened for reading only."""
        with needing("duckdb", "a DuckDB file"):
            import duckdb

        require_memory(path, _UNPACKED * path.stat().st_size)
        try:
            # A file must not make the library reach out to other files or to the network.
            limits: dict[str, Any] = {"enable_external_access": "false"}
            with duckdb.connect(str(path), read_only=True, config=limits) as database:
                listed = database.execute(
                    "select table_name from information_schema.tables order by table_name"
                ).fetchall()
                table = chosen_table([name for (name,) in listed], options.get("table"), path)
                described = database.execute(f"describe {quoted(table)}").fetchall()
                names = chosen_columns(columns, [str(row[0]) for row in described], path)
                listing = ", ".join(map(quoted, names))
                rows = database.sql(f"select {listing} from {quoted(table)}")
                data = bare_table(rows.to_arrow_table())
        except duckdb.Error:
            raise DataError(
                f"the file '{path.name}' cannot be read as a DuckDB file; check that it is "
                "complete and not in use, and that it was written by a version that is not newer"
            ) from None
        return FileTable(data, self.format_for(suffix, {}), (f"DuckDB, table '{table}'",))
