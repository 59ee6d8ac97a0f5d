"""How large the table in a CSV file is, estimated from its first megabyte."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from discreet.errors import DataError
from discreet.io.csv_dialect import (
    after_title,
    checked_delimiter,
    find_delimiter,
    read_header,
    separator_line,
)
from discreet.io.csv_encoding import to_utf8
from discreet.io.csv_signs import signs_of
from discreet.io.packing import packing_of

__all__ = ["csv_size"]

HEAD = 1 << 20


def csv_size(path: Path, options: Mapping[str, Any] | None = None) -> tuple[int, int] | None:
    """Return roughly how many records a CSV file has, and its columns; None if unknown.

    A compressed file does not say how large its content is.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "people.csv")
    ...     _ = file.write_text("age;town\\n" + "31;Ulm\\n" * 500)
    ...     csv_size(file)
    (500, 2)
    """
    import pyarrow as pa

    if packing_of(path.name):
        return None
    asked = options or {}
    with path.open("rb") as file:
        head = file.read(HEAD)
    if len(head) == HEAD:
        head = head[: head.rfind(b"\n") + 1]
    try:
        data, _ = to_utf8(pa.py_buffer(head), asked.get("encoding"), path)
        stated, length = separator_line(data[:8].to_pybytes())
        data = data[length:] if stated else after_title(data)[0]
        given = asked.get("delimiter")
        delimiter = checked_delimiter(given) if given else stated or find_delimiter(data)
        columns = len(read_header(data, delimiter, path))
    except DataError:
        return None  # reading it says what is wrong
    return int((signs_of(data).lines - 1) * path.stat().st_size / max(1, len(head))), columns
