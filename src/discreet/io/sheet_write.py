"""A table as a sheet of an Excel file: texts stay texts, and no time is kept."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import DataError
from discreet.io.arrow_arrays import EXACT
from discreet.io.extras import needing

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["write_sheet"]

MOST_RECORDS, MOST_COLUMNS, MOST_CHARACTERS = 1_048_575, 16_384, 32_767
"""What a sheet holds besides its header."""

FIRST_DAY = date(1900, 3, 1)
"""Excel counts days from 1900, which it takes for a leap year."""

_ROWS = 1 << 12
_UNPRINTABLE = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x{fffe}\x{ffff}]"
_TIMES = re.compile(rb"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z")
_EMPTY_END = re.compile(rb'<row r="([0-9]+)" ?(?:/>|></row>)(?=</sheetData>)')


def write_sheet(table: pa.Table, path: Path, sheet: str, missing: Mapping[str, str]) -> None:
    """Write a table as the only sheet of a new file; `missing` has the texts for missing values."""
    with needing("excel", "an Excel file"):
        from openpyxl import Workbook
        from openpyxl.cell import WriteOnlyCell

    table = _holdable(table)
    book = Workbook(write_only=True)
    page = book.create_sheet(sheet)

    def cell(value: Any) -> Any:
        if not isinstance(value, str) or value[:1] not in ("=", "#"):
            return value
        # A text is shown, not run as a formula.
        shown = WriteOnlyCell(page, value)
        shown.data_type = "s"
        return shown

    page.append([cell(name) for name in table.column_names])
    for row in _rows(table, missing):
        page.append([cell(value) for value in row])
    unstamped = path.with_name(f"{path.name}.stamped")
    try:
        book.save(unstamped)
        _finished(unstamped, path)
    finally:
        unstamped.unlink(missing_ok=True)


def _rows(table: pa.Table, missing: Mapping[str, str]) -> Iterator[tuple[Any, ...]]:
    tokens = [missing.get(name) for name in table.column_names]
    for batch in table.to_batches(max_chunksize=_ROWS):
        columns = [
            [token if value is None or value != value else value for value in column.to_pylist()]
            for column, token in zip(batch.columns, tokens, strict=True)
        ]
        yield from zip(*columns, strict=True)


def _finished(stamped: Path, path: Path) -> None:
    """Copy a file of parts with a fixed time of writing in each place that has one.

    A sheet ends at its last cell for every reader, so a last record without any value gets a cell
    that holds the empty text.
    """
    with zipfile.ZipFile(stamped) as book, zipfile.ZipFile(path, "w") as copy:
        for name in book.namelist():
            content = book.read(name)
            if name == "docProps/core.xml":
                content = _TIMES.sub(b"1970-01-01T00:00:00Z", content)
            elif name.startswith("xl/worksheets/"):
                cell = rb'<row r="\1"><c r="A\1" t="str"><v></v></c></row>'
                content = _EMPTY_END.sub(cell, content)
            copy.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


def _holdable(table: pa.Table) -> pa.Table:
    """Return the table without dictionaries; refuse what a sheet does not hold."""
    import pyarrow as pa

    if table.num_rows > MOST_RECORDS or table.num_columns > MOST_COLUMNS:
        raise DataError(
            f"a sheet holds {MOST_RECORDS:,} records and {MOST_COLUMNS:,} columns, but the table "
            f"has {table.num_rows:,} and {table.num_columns:,}; write CSV or Parquet"
        )
    for place, item in enumerate(table.schema):
        column = table.column(place)
        if pa.types.is_dictionary(item.type):
            column = column.cast(item.type.value_type)
            table = table.set_column(place, item.name, column)
        elif pa.types.is_decimal(item.type):
            column = column.cast(pa.float64())
            table = table.set_column(place, item.name, column)
        reason = _unholdable(column)
        if reason:
            raise DataError(
                f"a sheet {reason}, but column '{item.name}' does; leave it out, or write CSV or "
                "Parquet"
            )
    return table


def _unholdable(column: pa.ChunkedArray) -> str:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.types as types

    kind = column.type

    def holds(condition: Any) -> bool:
        return bool(pc.any(condition).as_py())

    if types.is_string(kind) or types.is_large_string(kind):
        if holds(pc.match_substring_regex(column, _UNPRINTABLE)):
            return "holds no control characters"
        if holds(pc.greater(pc.utf8_length(column), MOST_CHARACTERS)):
            return f"holds no text of more than {MOST_CHARACTERS:,} characters"
    elif types.is_integer(kind):
        ends = pc.min_max(column).as_py().values()
        if any(end is not None and abs(end) > EXACT for end in ends):
            return "holds no whole numbers of more than 15 digits"
    elif types.is_floating(kind):
        if holds(pc.is_inf(column.cast(pa.float64()))):
            return "holds no infinite numbers"
    elif types.is_date(kind) or types.is_timestamp(kind):
        if types.is_timestamp(kind) and kind.tz is not None:
            return "holds no moments with a time zone"
        if holds(pc.less(column.cast(pa.date32(), safe=False), pa.scalar(FIRST_DAY))):
            return "holds no dates before March 1900"
    elif not (types.is_boolean(kind) or types.is_time(kind) or types.is_null(kind)):
        return f"does not hold values of type {kind}"
    return ""
