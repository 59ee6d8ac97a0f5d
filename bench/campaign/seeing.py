"""Files and frames as their reader sees them, cell by cell, without any help from the package."""

from __future__ import annotations

import csv
import gzip
import math
import re
import struct
import warnings
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from bench.campaign.counting import MISSING, Seen, SeenColumn

Attributes = Sequence[Mapping[str, Any]]
"""Name, role, kind and perhaps the order of each column, as the manifest has them."""


def seen_file(path: Path, reading: Mapping[str, Any], columns: Attributes) -> Seen:
    """Return a released file, read as its manifest says."""
    name = path.name
    if ".csv" in name or ".tsv" in name or ".txt" in name:
        return _csv(path, reading, columns)
    if name.endswith((".parquet", ".pq")):
        from pyarrow import parquet

        return seen_arrow(parquet.read_table(path, read_dictionary=[]), columns)
    seen = seen_pandas(_statistical(path), columns)
    # In these formats a blank is the only way to say that a text is missing.
    return {name: replace(column, values=_without_blanks(column)) for name, column in seen.items()}


def _without_blanks(column: SeenColumn) -> list[Hashable]:
    return [MISSING if value == "" else value for value in column.values]


def _csv(path: Path, reading: Mapping[str, Any], columns: Attributes) -> Seen:
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    text = content.decode(reading["encoding"])
    lines = list(csv.reader(text.splitlines(keepends=True), delimiter=reading["delimiter"]))
    if reading.get("spreadsheet_safe"):
        lines = [[_shown(cell) for cell in line] for line in lines]
    header, *rows = lines
    if len(header) == 1:
        rows = [row or [""] for row in rows]
    if header != [column["name"] for column in columns]:
        raise ValueError("the header has other columns than the manifest")
    by_name = {}
    for place, column in enumerate(columns):
        cells = [row[place] for row in rows]
        values = [_number(cell, reading["decimal"], column["kind"]) for cell in cells]
        order = column.get("order", ())
        by_name[column["name"]] = SeenColumn(column["role"], column["kind"], cells, values, order)
    return by_name


def _shown(cell: str) -> str:
    """Return a cell without the apostrophe that keeps a spreadsheet from running it."""
    runs = cell[:1] in ("=", "+", "-", "@", "\t", "\r")
    if runs and not re.fullmatch(r"[-+]([0-9]*[.,]?[0-9]+|[0-9]+[.,]|inf)([eE][-+]?[0-9]+)?", cell):
        raise ValueError("a spreadsheet would run a cell")
    return cell[1:] if cell.startswith("'") else cell


def _number(cell: str, decimal: str, kind: str) -> Hashable:
    """Return what a cell of text means: nothing, a number in a numeric column, otherwise a text."""
    if cell == "":
        return MISSING
    if kind != "continuous":
        return cell
    try:
        return Decimal(cell.replace(decimal, "."))
    except ArithmeticError:
        # Days are written so that their order is that of the texts.
        return MISSING if cell in ("NA", "NaN", "N/A", "null", ".", "nan") else cell


def _statistical(path: Path) -> Any:
    import pyreadstat

    readers: dict[str, Any] = {
        ".sav": pyreadstat.read_sav,
        ".zsav": pyreadstat.read_sav,
        ".dta": pyreadstat.read_dta,
        ".xpt": pyreadstat.read_xport,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return readers[path.suffix](str(path), disable_datetime_conversion=True)[0]


def seen_arrow(table: Any, columns: Attributes) -> Seen:
    """Return an Arrow table; times become whole numbers, so that no part of a second is lost."""
    return {
        column["name"]: _column(column, _arrow_cells(table.column(column["name"])))
        for column in columns
    }


def _arrow_cells(array: Any) -> list[Any]:
    import pyarrow as pa
    import pyarrow.types as types

    kind = array.type
    if types.is_dictionary(kind):
        array, kind = array.cast(kind.value_type), kind.value_type
    if types.is_timestamp(kind) or types.is_duration(kind) or types.is_time64(kind):
        array = array.cast(pa.int64())
    elif types.is_float16(kind):
        array = array.cast(pa.float32())
    return list(array.to_pylist())


def seen_pandas(frame: Any, columns: Attributes) -> Seen:
    """Return a pandas frame, its cells as Python objects."""
    by_name = {}
    for column in columns:
        series = frame[column["name"]]
        by_name[column["name"]] = _column(column, series.astype(object).tolist())
    return by_name


def seen_polars(frame: Any, columns: Attributes) -> Seen:
    """Return a polars frame; times become whole numbers."""
    import polars as pl

    by_name = {}
    for column in columns:
        series = frame[column["name"]]
        if series.dtype.base_type() in (pl.Datetime, pl.Duration, pl.Time):
            series = series.to_physical()
        by_name[column["name"]] = _column(column, series.to_list())
    return by_name


def seen_frame(frame: Any, columns: Attributes) -> Seen:
    """Return a frame of any of the three libraries."""
    library = type(frame).__module__.partition(".")[0]
    see = {"pandas": seen_pandas, "polars": seen_polars, "pyarrow": seen_arrow}[library]
    return see(frame, columns)


def _column(attribute: Mapping[str, Any], cells: Sequence[Any]) -> SeenColumn:
    return SeenColumn(
        attribute["role"],
        attribute["kind"],
        [_apart(cell) for cell in cells],
        [_value(cell) for cell in cells],
        attribute.get("order", ()),
    )


def _apart(cell: Any) -> Hashable:
    """Return a key that is equal only for cells that nobody can distinguish."""
    if isinstance(cell, float):
        return ("float", struct.pack("<d", cell))
    return (type(cell).__name__, repr(cell))


def _value(cell: Any) -> Hashable:
    """Return what a cell means: numbers by their value, None if there is no value."""
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return MISSING
    if isinstance(cell, float):
        return MISSING if math.isnan(cell) else cell + 0.0
    try:
        hash(cell)
    except TypeError:
        return repr(cell)
    return cell  # type: ignore[no-any-return]
