"""Reading a table from a file and writing one to a file, by the file name's suffix."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import DataError, nearest
from discreet.io.formats import (
    FileFormat,
    FileTable,
    check_options,
    format_for,
    kind_named,
    kind_of_path,
)
from discreet.io.sync import sync_file
from discreet.io.text_columns import as_texts, read_as_texts, text_schema, with_forms

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "FileFormat",
    "FileTable",
    "format_for",
    "read_back",
    "read_cells",
    "read_table",
    "write_table",
]


def read_table(
    path: str | os.PathLike[str], *, columns: Sequence[str] | None = None, **options: Any
) -> FileTable:
    """Read a file into a table, with what was detected about its format.

    The suffix decides the format. `columns` reads only these (in the file's order), and
    `options` overrule what would be detected, such as `delimiter=";"` of a CSV file.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = Path(folder.name, "people.csv")
    >>> _ = file.write_bytes(b"plz;income\\n01234;1,5\\n99999;\\n")
    >>> file_table = read_table(file)
    >>> file_table.table.to_pydict()
    {'plz': ['01234', '99999'], 'income': [1.5, None]}
    >>> file_table.notes[0]
    "delimiter ';', encoding utf-8, decimal comma"
    >>> folder.cleanup()
    """
    file = Path(path)
    check_readable(file)
    kind, suffix = kind_of_path(file)
    check_options(kind, options)
    return with_forms(kind.read(file, suffix, columns, options))


def write_table(table: pa.Table, path: str | os.PathLike[str], format: FileFormat) -> None:
    """Write a table to exactly this path, in the given format, down to the disk.

    The caller passes a temporary path and renames it; see `discreet.io.atomic`.

    >>> import pyarrow as pa, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = Path(folder.name, "release.csv")
    >>> write_table(pa.table({"age": [30, None]}), file, FileFormat.default())
    >>> file.read_bytes()
    b'age\\n30\\n\\n'
    >>> folder.cleanup()
    """
    import pyarrow as pa

    file = Path(path)
    kind = kind_named(format.kind)
    table = as_texts(table, format)
    try:
        kind.write(table, file, format)
        sync_file(file)
    except pa.ArrowException:
        # Messages of Arrow may quote a value of a record.
        raise DataError(
            f"a {kind.name} file cannot hold {_unwritable(table, file, format)}; leave it out, or "
            "write another format"
        ) from None
    except OSError as error:
        reason = error.strerror or "the system refused it"
        raise DataError(
            f"the file '{file.name}' cannot be written ({reason}); "
            "choose a place with room and write permission"
        ) from None


def _unwritable(table: pa.Table, file: Path, format: FileFormat) -> str:
    """Return which column the format cannot hold."""
    import pyarrow as pa

    for item in table.schema:
        try:
            kind_named(format.kind).write(table.select([item.name]), file, format)
        except pa.ArrowException:
            return f"column '{item.name}', which is of type {item.type}"
    return "a column of this table"


def read_back(path: str | os.PathLike[str], format: FileFormat, schema: pa.Schema) -> pa.Table:
    """Read a file that `write_table` wrote, by its format and types instead of by detection.

    A release may look different from its original: with no decimals left, or with one column;
    and the texts 1.5 and 1.50 of a text column are not numbers.

    >>> import pyarrow as pa, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = Path(folder.name, "release.csv")
    >>> format = format_for(".csv", delimiter=";", decimal=",")
    >>> table = pa.table({"x": [1.234], "code": ["007"]})
    >>> write_table(table, file, format)
    >>> read_back(file, format, table.schema).to_pydict()
    {'x': [1.234], 'code': ['007']}
    >>> folder.cleanup()
    """
    texts = text_schema(schema, format)
    table = kind_named(format.kind).read_back(Path(path), format, texts)
    return read_as_texts(table, format, schema)


def read_cells(path: str | os.PathLike[str], **options: Any) -> pa.Table:
    """Return a file's cells uninterpreted: a second look at what `read_table` interprets.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = Path(folder.name, "people.csv")
    >>> _ = file.write_bytes(b"plz;income\\n01234;1,5\\n99999;\\n")
    >>> read_cells(file, delimiter=";").to_pydict()
    {'plz': ['01234', '99999'], 'income': ['1,5', None]}
    >>> folder.cleanup()
    """
    file = Path(path)
    check_readable(file)
    kind, suffix = kind_of_path(file)
    check_options(kind, options)
    return kind.cells(file, suffix, options)


def _meant(path: Path, beside: Sequence[str]) -> str:
    """Return a hint about a file with a similar name, whatever its suffix."""
    stems = {Path(name).stem: name for name in beside}
    hint = nearest(path.stem, stems)
    return next(
        (f"; did you mean '{name}'?" for stem, name in stems.items() if f"'{stem}'" in hint), ""
    )


def check_readable(path: Path) -> None:
    """Refuse a path at which there is no readable file, before any format looks at it."""
    if path.is_dir():
        raise DataError(f"a file must be given, but '{path}' is a directory; name a file in it")
    if not path.exists():
        folder = path.parent
        if not folder.is_dir():
            raise DataError(
                f"the file '{path}' does not exist, nor does its directory; check the path"
            )
        try:
            beside = [entry.name for entry in folder.iterdir() if entry.is_file()]
        except OSError:
            beside = []
        raise DataError(
            f"the file '{path}' does not exist{_meant(path, beside) or '; check the path'}"
        )
    if not path.is_file():
        raise DataError(
            f"an ordinary file must be given, but '{path}' is a pipe or a device; "
            "save its content to a file first"
        )
    if not os.access(path, os.R_OK):
        raise DataError(
            f"the file '{path}' may not be read by this user; ask for read permission or copy it"
        )
    if path.stat().st_size == 0:
        raise DataError(f"the file '{path}' is empty; check that it was saved or copied in full")
