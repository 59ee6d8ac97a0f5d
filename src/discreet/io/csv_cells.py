"""The fields of a CSV file as texts, read by Arrow alone: no detection and no types."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import DataError

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["csv_cells", "csv_cells_as_parquet"]

_LARGEST_BLOCK = 1 << 30
_BLOCK = 1 << 24
"""Bytes read at a time from a file that does not fit in memory."""
_FORMULA = "^([ \t-\r]*[=+@\uff1d\uff0b\uff0d\uff20-]|[\t\n\r])"
_NUMBER = "^ *[+-]?([0-9]+|[0-9]+[.,][0-9]*|[.,][0-9]+|inf)([Ee][+-]?[0-9]+)?$"


def csv_cells(path: Path, options: Mapping[str, Any]) -> pa.Table:
    """Return every field as text, an empty one as missing.

    The delimiter and the encoding are those given, comma and UTF-8 otherwise; a compressed
    file is unpacked.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "x.csv")
    ...     _ = file.write_text("x,t\\n1.50,a\\n-0,\\n")
    ...     csv_cells(file, {}).to_pydict()
    {'x': ['1.50', '-0'], 't': ['a', None]}
    """
    import pyarrow as pa
    from pyarrow import csv

    content = _content(path)
    names, before = _header(lambda: pa.BufferReader(content), path, options)
    # One block holds the whole file: a record that is longer than a block cannot be read. UTF-8
    # takes up to three bytes for a character that other encodings write in one.
    block = min(3 * content.size + 1024, _LARGEST_BLOCK)
    try:
        cells = csv.read_csv(pa.BufferReader(content), *_how(names, before, block, options))
    except (pa.ArrowException, OSError, UnicodeError, KeyError):
        raise _unreadable(path) from None
    return _without_apostrophes(cells, path) if options.get("spreadsheet_safe") else cells


def csv_cells_as_parquet(path: Path, options: Mapping[str, Any], target: Path) -> int:
    """Write every field as text to a Parquet file, block by block; return how many records.

    A file that does not fit in memory can be counted there. A record may have 16 MB.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "x.csv")
    ...     _ = file.write_text("x,t\\n1.50,a\\n-0,\\n")
    ...     csv_cells_as_parquet(file, {}, Path(folder, "cells.parquet"))
    2
    """
    import pyarrow as pa
    from pyarrow import csv, parquet

    def opened() -> Any:
        return pa.input_stream(str(path), compression="detect")

    try:
        names, before = _header(opened, path, options)
        rows = 0
        with (
            opened() as stream,
            csv.open_csv(stream, *_how(names, before, _BLOCK, options)) as reader,
            parquet.ParquetWriter(target, _texts(names, options)) as writer,
        ):
            for batch in reader:
                cells = pa.Table.from_batches([batch])
                if options.get("spreadsheet_safe"):
                    cells = _without_apostrophes(cells, path)
                writer.write_table(cells)
                rows += cells.num_rows
    except (pa.ArrowException, OSError, UnicodeError, KeyError, EOFError, zlib.error):
        raise _unreadable(path) from None
    return rows


def _texts(names: list[str], options: Mapping[str, Any]) -> pa.Schema:
    """Return the columns of a file's cells, by their names without an apostrophe."""
    import pyarrow as pa

    safe = bool(options.get("spreadsheet_safe"))
    return pa.schema(
        [(name.removeprefix("'") if safe else name, pa.large_string()) for name in names]
    )


def _how(names: list[str], before: int, block: int, options: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return how Arrow reads the fields: as text, without interpreting it."""
    import pyarrow as pa
    from pyarrow import csv

    # An empty line is a missing value where there is only one column.
    parse = csv.ParseOptions(
        delimiter=options.get("delimiter", ","),
        newlines_in_values=True,
        ignore_empty_lines=len(names) > 1,
    )
    convert = csv.ConvertOptions(
        column_types={name: pa.large_string() for name in names},
        null_values=[""],
        strings_can_be_null=True,
    )
    reading = csv.ReadOptions(
        encoding=options.get("encoding", "utf-8"),
        block_size=block,
        column_names=names,
        skip_rows=before,
        skip_rows_after_names=1,
    )
    return reading, parse, convert


def _without_apostrophes(cells: pa.Table, path: Path) -> pa.Table:
    """Remove the apostrophe before what a spreadsheet would run.

    A cell that lacks one, or has one for no reason, is refused: it might be mistaken for another.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    headed = {
        name: pa.chunked_array([pa.array([name], pa.large_string()), *cells.column(name).chunks])
        for name in cells.column_names
    }
    texts = {}
    for name, column in headed.items():
        inner = pc.replace_substring_regex(column, "^'", "")
        formula = pc.match_substring_regex(inner, _FORMULA)
        number = pc.match_substring_regex(inner, _NUMBER)
        needed = pc.or_(pc.starts_with(inner, "'"), pc.and_not(formula, number))
        if pc.any(pc.not_equal(pc.starts_with(column, "'"), needed)).as_py():
            raise DataError(
                f"'{path.name}' is declared spreadsheet_safe, but column '{name}' has a cell "
                "with a leading apostrophe too many or too few"
            )
        texts[inner[0].as_py()] = inner.slice(1)
    return pa.table(texts)


def _content(path: Path) -> pa.Buffer:
    """Return the bytes of a file, decompressed; Arrow knows every format of ours but zip."""
    import zipfile

    import pyarrow as pa

    try:
        if path.name.endswith(".zip"):
            with zipfile.ZipFile(path) as archive:
                return pa.py_buffer(archive.read(archive.namelist()[0]))
        with pa.input_stream(str(path), compression="detect") as stream:
            return stream.read_buffer()
    except (pa.ArrowException, OSError, EOFError, IndexError, zipfile.BadZipFile, zlib.error):
        raise _unreadable(path) from None


def _header(
    opened: Callable[[], Any], path: Path, options: Mapping[str, Any]
) -> tuple[list[str], int]:
    """Return the names in the first line, by the standard library, and how many lines precede it.

    A line such as `sep=;`, which spreadsheets read, precedes it.
    """
    import csv
    import io

    encoding = options.get("encoding", "utf-8")
    encoding = "utf-8-sig" if encoding == "utf-8" else encoding
    delimiter = options.get("delimiter", ",")
    try:
        file = io.TextIOWrapper(opened(), encoding=encoding, newline="")
        states = file.readline().rstrip("\r\n").lower() == f"sep={delimiter}"
        if not states:
            file = io.TextIOWrapper(opened(), encoding=encoding, newline="")
        names = next(record for record in csv.reader(file, delimiter=delimiter) if record)
        return names, int(states)
    except (OSError, EOFError, UnicodeError, StopIteration, csv.Error, LookupError):
        raise _unreadable(path) from None


def _unreadable(path: Path) -> DataError:
    return DataError(
        f"the fields of '{path.name}' cannot be read with its stated delimiter and encoding; "
        "check that the file is complete"
    )
