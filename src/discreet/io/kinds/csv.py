"""CSV files and their relatives: delimiter, encoding and decimal mark are detected and kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import DataError
from discreet.io.csv_cells import csv_cells
from discreet.io.csv_dialect import (
    CsvDialect,
    after_title,
    checked_dates,
    checked_decimal,
    checked_delimiter,
    checked_truth,
    find_delimiter,
    named,
    of_one_line,
    ragged_line,
    read_header,
    refuse_open_quote,
    separator_line,
    whole_line_ends,
)
from discreet.io.csv_encoding import checked_encoding, to_utf8
from discreet.io.csv_signs import Signs, read_with_signs, signs_of
from discreet.io.csv_typed import typed_again
from discreet.io.csv_types import infer_types
from discreet.io.csv_write import write_csv
from discreet.io.formats import FileFormat, FileKind, FileTable, chosen_columns, register
from discreet.io.header import given_names
from discreet.io.memory_guard import give_memory_back, require_memory
from discreet.io.packing import PACKINGS, packing_of, unpacked
from discreet.io.spreadsheet import MARK, as_written

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Csv"]

#: Peak memory while reading, as measured: multiples of the file's size, and bytes per cell.
MEMORY_FACTOR = 3
BYTES_PER_CELL = 24

_BLOCK = 1 << 22
_LARGEST_BLOCK = 1 << 30
_START = 1 << 16


@register
class Csv(FileKind):
    """Delimited text with a header line.

    >>> Csv.options
    ('delimiter', 'encoding', 'decimal', 'dates', 'spreadsheet_safe')
    """

    name = "csv"
    suffixes = (
        *(".csv", ".tsv", ".txt"),
        *(f"{text}{packing}" for packing in PACKINGS for text in (".csv", ".tsv")),
    )
    options = ("delimiter", "encoding", "decimal", "dates", "spreadsheet_safe")

    def read(
        self,
        path: Path,
        suffix: str,
        columns: Sequence[str] | None,
        options: Mapping[str, Any],
    ) -> FileTable:
        """Read the file as text, then give each column its type."""
        asked = _checked(options)
        raw, signs = _raw(path)
        data, encoding = to_utf8(raw, asked.get("encoding"), path, signs)
        data, stated = _after_separator_line(data)
        data, above = after_title(data) if stated is None else (data, 0)
        delimiter = asked.get("delimiter") or stated or find_delimiter(data)
        safe = asked.get("spreadsheet_safe", False)
        in_file, notes = given_names(read_header(data, delimiter, path))
        if above:
            notes.append(f"lines above the names of the columns, not read: {above}")
        names = _names(in_file, safe, path)
        wanted = chosen_columns(columns, list(names), path)
        first_line = 1 + above if stated is None else 2
        if encoding != "utf-8" or data.size < raw.size:
            signs = signs_of(data)
        if signs.quotes % 2:
            refuse_open_quote(data, delimiter, path, first_line)
        del raw
        require_memory(path, 2 * data.size + BYTES_PER_CELL * len(wanted) * signs.lines)
        texts = _read_text(data, delimiter, names, wanted, safe, signs, path, first_line)
        large, newline = data.size > _BLOCK, _newline(data)
        del data
        if large:
            # Otherwise the file and its fields would stay in memory while the columns are typed.
            give_memory_back()
        first = {"month-first": True, "day-first": False}.get(asked.get("dates", ""))
        typed = infer_types(texts, delimiter, asked.get("decimal"), first)
        dialect = CsvDialect(
            delimiter=delimiter,
            encoding=encoding,
            decimal=typed.decimal,
            newline=newline,
            packing=packing_of(suffix),
            separator_line=stated == delimiter,
            spreadsheet_safe=safe,
            missing=typed.missing,
            forms=typed.forms,
            dates=typed.dates,
        )
        import pyarrow as pa

        del texts
        if large:
            give_memory_back()
        return FileTable(
            pa.table(dict(typed.columns)),
            FileFormat(kind=self.name, suffix=suffix, details=dialect),
            (_described(dialect, len(names), asked), *notes, *typed.notes),
            sound=True,
        )

    def read_back(self, path: Path, format: FileFormat, schema: pa.Schema) -> pa.Table:
        """Return the table that was written, each text as the type that it was written from."""
        dialect: CsvDialect = format.details
        data, _ = to_utf8(_raw(path)[0], dialect.encoding, path)
        data, _ = _after_separator_line(data)
        safe = dialect.spreadsheet_safe
        names = _names(read_header(data, dialect.delimiter, path), safe, path)
        signs = signs_of(data)
        texts = _read_text(data, dialect.delimiter, names, list(names), safe, signs, path)
        return typed_again(texts, schema, dialect)

    def cells(self, path: Path, suffix: str, options: Mapping[str, Any]) -> pa.Table:
        """Return every field as text; an empty one is missing."""
        return csv_cells(path, _checked(options))

    def write(self, table: pa.Table, path: Path, format: FileFormat) -> None:
        """Write the table in the dialect of the format."""
        write_csv(table, path, format.details)

    def format_for(self, suffix: str, options: Mapping[str, Any]) -> FileFormat:
        """Return a UTF-8 dialect, with commas or (.tsv) tabs."""
        asked = _checked(options)
        asked.setdefault("delimiter", "\t" if suffix.startswith(".tsv") else ",")
        return FileFormat(
            kind=self.name,
            suffix=suffix,
            details=replace(CsvDialect(packing=packing_of(suffix)), **asked),
        )

    def options_of(self, format: FileFormat) -> dict[str, Any]:
        """Return the dialect as options of reading."""
        options = {name: getattr(format.details, name) for name in self.options}
        return {name: value for name, value in options.items() if value not in (False, None)}


def _checked(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that were given, each one checked."""
    checks = {
        "delimiter": checked_delimiter,
        "encoding": checked_encoding,
        "decimal": checked_decimal,
        "dates": checked_dates,
        "spreadsheet_safe": checked_truth,
    }
    return {name: checks[name](value) for name, value in options.items() if value is not None}


def _described(dialect: CsvDialect, width: int, asked: Mapping[str, str]) -> str:
    sign = "comma" if dialect.decimal == "," else "point"
    encoding = {
        "utf-8-sig": "utf-8 with byte order mark",
        "utf-16": "utf-16 with byte order mark",
    }.get(dialect.encoding, dialect.encoding)
    if dialect.encoding in ("cp1252", "latin-1") and "encoding" not in asked:
        encoding += " (it is not UTF-8; if letters look wrong, state the encoding)"
    cut = "one column" if width == 1 else f"delimiter {named(dialect.delimiter)}"
    return f"{cut}, encoding {encoding}, decimal {sign}"


def _raw(path: Path) -> tuple[pa.Buffer, Signs]:
    if packing_of(path.name):
        content = unpacked(path, MEMORY_FACTOR)
        return content, signs_of(content)
    require_memory(path, MEMORY_FACTOR * path.stat().st_size)
    return read_with_signs(path)


def _after_separator_line(data: pa.Buffer) -> tuple[pa.Buffer, str | None]:
    """Return what follows a line such as `sep=;`, and the delimiter that it states."""
    stated, length = separator_line(data[:8].to_pybytes())
    return data[length:], stated


def _newline(data: pa.Buffer) -> str:
    first = data[:_START].to_pybytes().find(b"\n")
    return "\r\n" if first > 0 and data[first - 1 : first].to_pybytes() == b"\r" else "\n"


def _names(in_file: Sequence[str], safe: bool, path: Path) -> dict[str, str]:
    """Return how each column's name is written in the file, by the name itself."""
    names = {name.removeprefix(MARK) if safe else name: name for name in in_file}
    if len(names) < len(in_file):
        raise DataError(
            f"'{path.name}' is declared spreadsheet_safe, but names of its columns differ only by "
            "a leading apostrophe; rename one of them, or leave spreadsheet_safe out"
        )
    return names


def _read_text(
    data: pa.Buffer,
    delimiter: str,
    names: Mapping[str, str],
    wanted: Sequence[str],
    safe: bool,
    signs: Signs,
    path: Path,
    first_line: int = 1,
) -> dict[str, pa.ChunkedArray]:
    """Return the columns as texts; `signs` are those of the data."""
    import pyarrow as pa
    from pyarrow import csv

    convert = csv.ConvertOptions(
        check_utf8=False,
        column_types={name: pa.string() for name in names.values()},
        null_values=[""],
        strings_can_be_null=True,
        quoted_strings_can_be_null=True,
        include_columns=[names[name] for name in wanted],
    )
    start = data[:_START].to_pybytes()
    empty = len(start) - len(start.lstrip(b"\r\n"))
    above, data = start[:empty], data[empty:]
    lines, returns = signs.lines - above.count(b"\n"), signs.returns - above.count(b"\r")
    block = _BLOCK
    # To keep values with a line end in one block, Arrow reads everything twice; few files have any.
    sure = not signs.quotes or any(line.count(b'"') % 2 for line in start.splitlines()[:-1])
    while True:
        parse = csv.ParseOptions(
            delimiter=delimiter,
            newlines_in_values=sure and signs.quotes > 0,
            # In a table of one column an empty line is a missing value.
            ignore_empty_lines=len(names) > 1,
        )
        try:
            table = csv.read_csv(
                pa.BufferReader(data),
                read_options=csv.ReadOptions(
                    block_size=whole_line_ends(data, block),
                    column_names=list(names.values()),
                    skip_rows_after_names=1,
                ),
                parse_options=parse,
                convert_options=convert,
            )
            if sure or of_one_line(data, len(table) + 1, lines, returns):
                columns = {name: table.column(names[name]) for name in wanted}
                return {n: as_written(c) for n, c in columns.items()} if safe else columns
        except pa.ArrowInvalid as error:
            if sure and "straddling" in str(error) and block < min(data.size, _LARGEST_BLOCK):
                block *= 8
                continue
        except KeyError:
            pass
        if not sure:
            sure = True
            continue
        if _only_header(data):
            return {name: pa.chunked_array([], pa.string()) for name in wanted}
        raise _unreadable(data, delimiter, len(names), path, first_line)


def _only_header(data: pa.Buffer) -> bool:
    content = data[: 1 << 20].to_pybytes()
    return data.size == len(content) and len(content.strip().splitlines()) == 1


def _unreadable(
    data: pa.Buffer, delimiter: str, width: int, path: Path, first_line: int
) -> DataError:
    ragged = ragged_line(data, delimiter, width, first_line)
    if ragged is None:
        return DataError(
            f"the file '{path.name}' cannot be split into {width} columns by {named(delimiter)}; "
            "check its quotation marks, or name the delimiter (delimiter=)"
        )
    line, fields = ragged
    return DataError(
        f"each record needs as many fields as the header, but in '{path.name}' the record on line "
        f"{line} has {fields} where the header has {width} (split by {named(delimiter)}); correct "
        "that line and its quotation marks, or name the delimiter (delimiter=)"
    )
