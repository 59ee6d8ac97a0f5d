"""Arrow IPC files, which are also called Feather: types are kept; metadata are not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import DataError
from discreet.io.categories import with_used_categories
from discreet.io.formats import FileFormat, FileKind, FileTable, chosen_columns, register
from discreet.io.memory_guard import require_memory
from discreet.io.names import require_names
from discreet.io.plain_types import bare_table

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Arrow"]

_UNPACKED = 4
"""A file may be compressed to about a quarter."""


@register
class Arrow(FileKind):
    """Arrow IPC: the file format, and on reading also the stream format.

    >>> Arrow.suffixes
    ('.arrow', '.feather', '.ipc')
    """

    name = "arrow"
    suffixes = (".arrow", ".feather", ".ipc")

    def read(
        self,
        path: Path,
        suffix: str,
        columns: Sequence[str] | None,
        options: Mapping[str, Any],
    ) -> FileTable:
        """Read the columns asked for, as they are."""
        require_memory(path, _UNPACKED * path.stat().st_size)
        table = _stored(path)
        require_names(table.column_names, path)
        table = bare_table(table.select(chosen_columns(columns, table.column_names, path)))
        return FileTable(table, FileFormat(kind=self.name, suffix=suffix), ("Arrow file",))

    def cells(self, path: Path, suffix: str, options: Mapping[str, Any]) -> pa.Table:
        """Return the stored values."""
        return _stored(path)

    def write(self, table: pa.Table, path: Path, format: FileFormat) -> None:
        """Write the table, compressed, without metadata or categories that no record has."""
        from pyarrow import feather

        for place, item in enumerate(table.schema):
            table = table.set_column(place, item, with_used_categories(table.column(place)))
        feather.write_feather(bare_table(table), str(path), compression="lz4")

    def format_for(self, suffix: str, options: Mapping[str, Any]) -> FileFormat:
        """Return the format of this suffix."""
        return FileFormat(kind=self.name, suffix=suffix)


def _stored(path: Path) -> pa.Table:
    import pyarrow as pa

    for reader in (pa.ipc.open_file, pa.ipc.open_stream):
        try:
            with pa.OSFile(str(path)) as file:
                table = reader(file).read_all()
            table.validate()
            return table
        except (pa.ArrowException, OSError, ValueError):
            continue
    raise DataError(
        f"the file '{path.name}' is not a complete Arrow file; copy or write it again (a Feather "
        "file of version 1 must be written as version 2)"
    )
