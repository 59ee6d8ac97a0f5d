"""Parquet files: types are kept; the file's metadata are not.

Schema and field metadata may hold anything (the extent of a map, the query of an extract), so none
of it goes into a release.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import DataError
from discreet.io.arrow_arrays import is_text
from discreet.io.categories import with_used_categories
from discreet.io.formats import FileFormat, FileKind, FileTable, chosen_columns, register
from discreet.io.memory_guard import require_memory
from discreet.io.names import require_names
from discreet.io.plain_types import bare_table

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Parquet", "ParquetDetails"]

# What data frame libraries note about the table they wrote: its index, its row count, its
# column list. None of it need hold for the table that is released.
_STALE = {b"pandas", b"PANDAS_ATTRS", b"ARROW:schema"}

_BYTES_PER_CELL = 16


@dataclass(frozen=True)
class ParquetDetails:
    """What a Parquet file records besides its data.

    >>> ParquetDetails().compression
    'snappy'
    """

    compression: str = "snappy"


@register
class Parquet(FileKind):
    """Apache Parquet.

    >>> Parquet.suffixes
    ('.parquet', '.pq')
    """

    name = "parquet"
    suffixes = (".parquet", ".pq")

    def read(
        self,
        path: Path,
        suffix: str,
        columns: Sequence[str] | None,
        options: Mapping[str, Any],
    ) -> FileTable:
        """Read the columns asked for, as they are."""
        import pyarrow as pa
        from pyarrow import parquet

        try:
            with parquet.ParquetFile(path) as file:
                schema = file.schema_arrow
                require_names(schema.names, path)
                names = chosen_columns(columns, schema.names, path)
                require_memory(path, _needed(file.metadata, names))
                table = file.read(columns=names)
                compression = _compression(file.metadata)
        except (pa.ArrowException, OSError):
            raise DataError(
                f"the file '{path.name}' is not a complete Parquet file; copy or write it again"
            ) from None
        details = ParquetDetails(compression)
        unread_keys = sorted(set(schema.metadata or {}) - _STALE)
        table = bare_table(table)
        return FileTable(
            table,
            FileFormat(kind=self.name, suffix=suffix, details=details),
            _notes(table, details, unread_keys),
        )

    def cells(self, path: Path, suffix: str, options: Mapping[str, Any]) -> pa.Table:
        """Return the stored values; texts as places in the list of those that occur."""
        import pyarrow as pa
        from pyarrow import parquet

        try:
            with parquet.ParquetFile(path) as file:
                schema = file.schema_arrow
            texts = [item.name for item in schema if is_text(item.type)]
            return parquet.read_table(path, read_dictionary=texts)
        except (pa.ArrowException, OSError):
            raise DataError(
                f"the file '{path.name}' is not a complete Parquet file; copy or write it again"
            ) from None

    def write(self, table: pa.Table, path: Path, format: FileFormat) -> None:
        """Write the table, with the compression of the file that was read."""
        from pyarrow import parquet

        details: ParquetDetails = format.details
        for place, item in enumerate(table.schema):
            table = table.set_column(place, item, with_used_categories(table.column(place)))
        parquet.write_table(bare_table(table), path, compression=details.compression)

    def format_for(self, suffix: str, options: Mapping[str, Any]) -> FileFormat:
        """Return a format without metadata."""
        return FileFormat(kind=self.name, suffix=suffix, details=ParquetDetails())


def _needed(metadata: Any, names: Sequence[str]) -> int:
    """Estimate the bytes in memory: those encoded in the file, or 16 per cell if that is more.

    A column of repeated texts is stored as a list of its different texts, so the size in the
    file alone is too low. The columns of a row group are not examined: a damaged one would crash
    the process, whereas reading it raises an error.
    """
    total = 0
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        packed = group.total_byte_size * len(names) // max(group.num_columns, 1)
        total += max(group.num_rows * len(names) * _BYTES_PER_CELL, packed)
    return total


def _compression(metadata: Any) -> str:
    if metadata.num_row_groups == 0 or metadata.num_columns == 0:
        return ParquetDetails.compression
    codec = str(metadata.row_group(0).column(0).compression).lower()
    names = {"uncompressed": "none", "snappy": "snappy", "gzip": "gzip", "zstd": "zstd"}
    return names.get(codec, ParquetDetails.compression)


def _notes(
    table: pa.Table, details: ParquetDetails, unread_keys: Sequence[bytes]
) -> tuple[str, ...]:
    notes = [f"Parquet, {details.compression} compression"]
    for name in table.column_names:
        if name.startswith("__index_level_"):
            notes.append(
                f"column '{name}' is the saved index of a data frame: it numbers the records"
            )
    if unread_keys:
        keys = ", ".join(key.decode("utf-8", "replace") for key in unread_keys)
        notes.append(f"schema metadata that the release will not have: {keys}")
    return tuple(notes)
