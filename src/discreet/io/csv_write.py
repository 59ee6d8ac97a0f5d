"""A table as CSV text, column by column, then line by line, without a loop over records."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.errors import DataError
from discreet.io.csv_dialect import CsvDialect
from discreet.io.packing import writing_packed
from discreet.io.spreadsheet import shown, shown_cells

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["write_csv", "write_csv_in_turn"]

_ROWS = 1 << 16

Reading = Callable[[Sequence[str]], "Iterable[pa.Table]"]
"""Reads some columns of a table, piece by piece, from the beginning at each call."""


def write_csv(table: pa.Table, path: Path, dialect: CsvDialect) -> None:
    """Write the table in the dialect.

    Numbers are the shortest text that reads back the same; text is quoted where it must be. A
    missing value is the column's token, in a text column always the empty field, so an empty
    text comes back as missing, and so does NaN.

    >>> import pyarrow as pa, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "x.csv")
    ...     table = pa.table({"x": [1.5, None], "t": ["a;b", "c"]})
    ...     write_csv(table, file, CsvDialect(delimiter=";", decimal=","))
    ...     file.read_text()
    'x;t\\n1,5;"a;b"\\n;c\\n'
    """
    write_csv_in_turn(lambda names: [table.select(names)], table.schema, path, dialect)


def write_csv_in_turn(read: Reading, schema: pa.Schema, path: Path, dialect: CsvDialect) -> None:
    """Write a table that is read piece by piece: the bytes are those of the whole table.

    Its columns of floats are read twice, since all of a column decides how its numbers are written.

    >>> import pyarrow as pa, tempfile
    >>> pieces = [pa.table({"x": [1.0, 2.0]}), pa.table({"x": [2.5]})]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "x.csv")
    ...     write_csv_in_turn(lambda _: pieces, pieces[0].schema, file, CsvDialect())
    ...     file.read_text()
    'x\\n1\\n2\\n2.5\\n'
    """
    encoder = codecs.getincrementalencoder(dialect.encoding)()
    tails, head = _tails(read, schema), schema.empty_table()
    with writing_packed(path, dialect.packing) as file:
        file.write(_encoded(encoder, _header(head, dialect), dialect, head, path))
        for table in read(schema.names):
            for batch in _batches(table):
                lines = _lines(batch, dialect, tails)
                if dialect.encoding == "utf-8":
                    file.write(lines)
                else:
                    text = lines.to_pybytes().decode("utf-8")
                    file.write(_encoded(encoder, text, dialect, table, path))


def _tails(read: Reading, schema: pa.Schema) -> dict[str, str]:
    """Return what is written after the numbers of each column: '.0' if all of its floats are whole.

    As integers they would come back as integers.
    """
    import pyarrow as pa

    whole = [field.name for field in schema if pa.types.is_floating(field.type)]
    for table in read(whole) if whole else ():
        whole = [name for name in whole if _whole(table.column(name))]
    return {name: ".0" if name in whole else "" for name in schema.names}


def _batches(table: pa.Table) -> Iterator[pa.Table]:
    for start in range(0, table.num_rows, _ROWS):
        yield table.slice(start, _ROWS)


def _encoded(
    encoder: codecs.IncrementalEncoder,
    text: str,
    dialect: CsvDialect,
    table: pa.Table,
    path: Path,
) -> bytes:
    try:
        return encoder.encode(text)
    except UnicodeEncodeError:
        raise DataError(
            f"the file '{path.name}' is written in {dialect.encoding}, which lacks "
            f"a character in {_where(table, dialect.encoding)}; choose the encoding utf-8 "
            "for the release"
        ) from None


def _where(table: pa.Table, encoding: str) -> str:
    import pyarrow as pa

    for name in table.column_names:
        try:
            name.encode(encoding)
            column = _plain(table.column(name), name)
            if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
                "".join(column.unique().drop_null().to_pylist()).encode(encoding)
        except UnicodeEncodeError:
            return f"column '{name}'"
    return "one of its columns"


def _header(table: pa.Table, dialect: CsvDialect) -> str:
    cells = []
    for name in map(shown if dialect.spreadsheet_safe else str, table.column_names):
        # A name that begins with U+FEFF would be read as a byte order mark.
        special = {dialect.delimiter, dialect.quote, "\r", "\n", "\ufeff"}
        inner = name.replace(dialect.quote, 2 * dialect.quote)
        quoted = any(sign in name for sign in special) or not name.strip()
        # Such a name alone in the first line would state a delimiter.
        quoted = quoted or name.lower().startswith("sep=")
        cells.append(f"{dialect.quote}{inner}{dialect.quote}" if quoted else name)
    header = dialect.delimiter.join(cells) + dialect.newline
    if dialect.separator_line:
        return f"sep={dialect.delimiter}{dialect.newline}{header}"
    return header


def _lines(batch: pa.Table, dialect: CsvDialect, tails: dict[str, str]) -> pa.Buffer:
    import pyarrow as pa
    import pyarrow.compute as pc

    cells = [
        _cells(batch.column(name).combine_chunks(), name, dialect, tails[name])
        for name in batch.column_names
    ]
    # With the line end in the last cell, the joined array's bytes are the file's bytes.
    ending = pa.scalar(dialect.newline, pa.large_string())
    nothing = pa.scalar("", pa.large_string())
    cells[-1] = pc.binary_join_element_wise(cells[-1], ending, nothing)
    joined = pc.binary_join_element_wise(*cells, pa.scalar(dialect.delimiter, pa.large_string()))
    if isinstance(joined, pa.ChunkedArray):
        joined = joined.combine_chunks()
    return joined.buffers()[2] if len(joined) else pa.py_buffer(b"")


def _plain(column: pa.ChunkedArray | pa.Array, name: str) -> pa.ChunkedArray | pa.Array:
    """Return the column without its dictionary; a type that has no CSV form is refused."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    kind = column.type
    if (
        pa.types.is_nested(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
        or pa.types.is_fixed_size_binary(kind)
        or pa.types.is_duration(kind)
    ):
        raise DataError(
            f"a CSV file holds numbers, text, dates and times, but column '{name}' is of type "
            f"{kind}; leave it out or write Parquet"
        )
    return column


def _cells(column: pa.Array, name: str, dialect: CsvDialect, tail: str) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    column = _plain(column, name)
    text = pa.large_string()
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        if pc.any(pc.match_substring(column, "\0")).as_py():
            raise DataError(
                f"a CSV file holds no NUL characters, but column '{name}' has one; remove it, "
                "or write Parquet"
            )
        return _quoted(column.cast(text), dialect).fill_null("")
    token = dialect.missing.get(name, "")
    form = dialect.forms.get(name)
    if form is not None and form.fits(column.type):
        return _quoted(form.write(column), dialect).fill_null(token)
    if pa.types.is_null(column.type):
        return pa.array([token] * len(column), text)
    if pa.types.is_floating(column.type):
        present = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
        cells = present.cast(text)
        if tail:
            finite = pc.is_finite(present)
            longer = pc.binary_join_element_wise(cells, pa.scalar(tail, text), pa.scalar("", text))
            cells = pc.if_else(finite, longer, cells)
    else:
        cells = column.cast(text)
    if dialect.decimal != "." and (
        pa.types.is_floating(column.type) or pa.types.is_decimal(column.type)
    ):
        cells = pc.replace_substring(cells, ".", dialect.decimal)
    return _quoted(cells, dialect).fill_null(token)


def _quoted(cells: pa.Array, dialect: CsvDialect) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    if dialect.spreadsheet_safe:
        cells = shown_cells(cells)
    pattern = "[" + "".join(f"\\x{ord(sign):02x}" for sign in f'{dialect.delimiter}"\r\n') + "]"
    special = pc.match_substring_regex(cells, pattern)
    if not pc.any(special).as_py():
        return cells
    mark = pa.scalar(dialect.quote, cells.type)
    inner = pc.replace_substring(cells, dialect.quote, 2 * dialect.quote)
    around = pc.binary_join_element_wise(mark, inner, mark, pa.scalar("", cells.type))
    return pc.if_else(special, around, cells)


def _whole(column: pa.ChunkedArray) -> bool:
    """Whether a column of floats holds whole numbers that are written without an exponent."""
    import pyarrow as pa
    import pyarrow.compute as pc

    values = column.cast(pa.float64())
    whole = pc.equal(pc.trunc(values), values)
    # From 1e10 on an exponent is written, which marks a float by itself.
    plain = pc.and_(whole, pc.less(pc.abs(values), 1e10))
    return not pc.any(pc.and_(pc.is_finite(values), pc.invert(plain))).as_py()
