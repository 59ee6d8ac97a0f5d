"""JSON lines: one object a line, the names of the columns in each."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import DataError
from discreet.io.formats import FileFormat, FileKind, FileTable, chosen_columns, register
from discreet.io.memory_guard import require_memory
from discreet.io.names import require_names
from discreet.io.packing import PACKINGS, packing_of, unpacked, writing_packed
from discreet.io.stored_types import like_schema, with_moments

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["JsonLines"]

MEMORY_FACTOR = 4
_LARGEST_BLOCK = (1 << 31) - 1
_ROWS = 1 << 14


@register
class JsonLines(FileKind):
    """One JSON object a line.

    >>> JsonLines.suffixes[:2]
    ('.jsonl', '.ndjson')
    """

    name = "json lines"
    suffixes = (".jsonl", ".ndjson", *(f".jsonl{packing}" for packing in PACKINGS))

    def read(
        self,
        path: Path,
        suffix: str,
        columns: Sequence[str] | None,
        options: Mapping[str, Any],
    ) -> FileTable:
        """Read the objects; a name that an object lacks is a missing value."""
        import pyarrow as pa

        require_memory(path, MEMORY_FACTOR * path.stat().st_size)
        content = unpacked(path, MEMORY_FACTOR)
        if content[:3].to_pybytes() == b"\xef\xbb\xbf":
            content = content[3:]
        if content.size > _LARGEST_BLOCK:
            raise DataError(
                f"a JSON lines file of more than 2 GB is not read, but '{path.name}' is larger; "
                "convert it to Parquet"
            )
        table = _parsed(content, None, path)
        # Only texts become moments: Arrow's own guess would change how they are written.
        texts = {
            item.name: pa.string() for item in table.schema if pa.types.is_timestamp(item.type)
        }
        if texts:
            table = _parsed(content, pa.schema(texts), path).select(table.column_names)
        require_names(table.column_names, path)
        table = table.select(chosen_columns(columns, table.column_names, path))
        return FileTable(
            with_moments(table), FileFormat(kind=self.name, suffix=suffix), ("JSON lines",)
        )

    def read_back(self, path: Path, format: FileFormat, schema: pa.Schema) -> pa.Table:
        """Return the table that was written, in the types that it had."""
        return like_schema(self.read(path, format.suffix, None, {}).table, schema)

    def cells(self, path: Path, suffix: str, options: Mapping[str, Any]) -> pa.Table:
        """Return the values as the standard library reads them."""
        import pyarrow as pa

        try:
            text = unpacked(path, MEMORY_FACTOR).to_pybytes().decode("utf-8")
            rows = [json.loads(line) for line in text.split("\n") if line.strip()]
            names = dict.fromkeys(name for row in rows for name in row)
            return pa.table({name: pa.array([row.get(name) for row in rows]) for name in names})
        except (ValueError, AttributeError, RecursionError, pa.ArrowException):
            raise DataError(
                f"the lines of '{path.name}' cannot be read as JSON objects with values of one "
                "type in each column"
            ) from None

    def write(self, table: pa.Table, path: Path, format: FileFormat) -> None:
        """Write an object for each record; a missing value and NaN are null."""
        _require_writable(table)
        with writing_packed(path, packing_of(format.suffix)) as file:
            for batch in table.to_batches(max_chunksize=_ROWS):
                lines = [
                    json.dumps(row, ensure_ascii=False, default=_as_text)
                    for row in _without_nan(batch).to_pylist()
                ]
                file.write("".join(f"{line}\n" for line in lines).encode("utf-8"))

    def format_for(self, suffix: str, options: Mapping[str, Any]) -> FileFormat:
        """Return the format of this suffix."""
        return FileFormat(kind=self.name, suffix=suffix)


def _parsed(content: pa.Buffer, schema: pa.Schema | None, path: Path) -> pa.Table:
    import pyarrow as pa
    from pyarrow import json as reader

    # One block: types follow from the whole file, and no object lies across two.
    reading = reader.ReadOptions(block_size=max(content.size, 1))
    parsing = reader.ParseOptions(explicit_schema=schema)
    try:
        return reader.read_json(pa.BufferReader(content), reading, parsing)
    except (pa.ArrowException, OverflowError) as error:
        # The rest of the message may quote a value of a record.
        place = re.search(
            r"Column\(/(?P<name>.*?)\) changed from .*? in row (?P<row>\d+)", str(error)
        )
    if place is not None:
        raise DataError(
            f"each column must hold values of one type, but in '{path.name}' column "
            f"'{place[1]}' changes its type in record {int(place[2]) + 1}; correct it"
        )
    raise DataError(
        f"each line of '{path.name}' must be a JSON object such as {{\"age\": 31}}, and one is "
        "not; check that the file is complete"
    )


def _require_writable(table: pa.Table) -> None:
    import pyarrow as pa
    import pyarrow.compute as pc

    for item in table.schema:
        kind = item.type.value_type if pa.types.is_dictionary(item.type) else item.type
        if pa.types.is_floating(kind):
            column = table.column(item.name).cast(pa.float64())
            if pc.any(pc.is_inf(column)).as_py():
                raise DataError(
                    f"JSON has no infinite numbers, but column '{item.name}' holds one; make it "
                    "missing, or write Parquet"
                )
        if pa.types.is_decimal(kind) or pa.types.is_duration(kind) or _binary(kind):
            raise DataError(
                f"JSON holds numbers, text, dates and times, but column '{item.name}' is of type "
                f"{item.type}; leave it out or write Parquet"
            )


def _binary(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(
        pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
        or pa.types.is_fixed_size_binary(kind)
    )


def _without_nan(batch: pa.RecordBatch) -> pa.Table:
    import pyarrow as pa
    import pyarrow.compute as pc

    table = pa.Table.from_batches([batch])
    for place, item in enumerate(table.schema):
        if pa.types.is_floating(item.type):
            column = table.column(place)
            missing = pc.is_nan(column)
            table = table.set_column(
                place, item, pc.if_else(missing, pa.scalar(None, item.type), column)
            )
    return table


def _as_text(value: Any) -> Any:
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    raise DataError("JSON holds numbers, text, dates and times, but a nested column holds others")
