"""How a CSV file is laid out: its delimiter, header and line ends."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from discreet.errors import DataError, UsageError
from discreet.io.date_forms import DateForm
from discreet.io.header import may_be_title, rows_of_title
from discreet.io.number_forms import NumberForm

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "DELIMITERS",
    "CsvDialect",
    "checked_dates",
    "checked_decimal",
    "checked_delimiter",
    "checked_truth",
    "find_delimiter",
    "named",
    "of_one_line",
    "ragged_line",
    "read_header",
    "refuse_open_quote",
    "separator_line",
]

DELIMITERS = (",", ";", "\t", "|")
_NAMES = {",": "','", ";": "';'", "\t": "tab", "|": "'|'"}
_SAMPLE = 1 << 18
_SAMPLE_ROWS = 200
_CACHED = 1 << 18
"""Bytes compared at a time, which fit in the processor's cache."""

# Python's limit of 131,072 characters per field would refuse valid files.
csv.field_size_limit(1 << 30)


@dataclass(frozen=True)
class CsvDialect:
    """Everything needed to write a CSV file like the one that was read.

    >>> CsvDialect().delimiter
    ','
    """

    delimiter: str = ","
    encoding: str = "utf-8"
    decimal: str = "."
    quote: str = '"'
    newline: str = "\n"
    #: The suffix of what compresses the file: "", ".gz", ".zst" or ".zip".
    packing: str = ""
    #: Whether a line such as `sep=;`, which spreadsheets read, precedes the header.
    separator_line: bool = False
    #: Whether an apostrophe precedes what a spreadsheet would run.
    spreadsheet_safe: bool = False
    #: How a column writes a missing value, where that is not the empty field.
    missing: Mapping[str, str] = field(default_factory=dict)
    #: How a column writes its dates or amounts, where that is not 1990-12-31 or 1234.5.
    forms: Mapping[str, DateForm | NumberForm] = field(default_factory=dict)

    #: Whether 01/02/1990 is the first of February: "day-first" or "month-first"; None if no date
    #: leaves it open.
    dates: str | None = None


def named(delimiter: str) -> str:
    """Return the delimiter as it is written in messages.

    >>> named(chr(9))
    'tab'
    """
    return _NAMES.get(delimiter, f"'{delimiter}'")


def checked_delimiter(given: object) -> str:
    """Return the delimiter asked for; raise if it is not usable.

    >>> checked_delimiter(";")
    ';'
    """
    if given == "\\t" or given == "tab":
        return "\t"
    if not (isinstance(given, str) and len(given) == 1 and given.isascii()) or given in '"\r\n\0.':
        raise UsageError(
            f"the delimiter is one character such as ',', ';', tab or '|', but {given!r} was given"
        )
    return given


def checked_decimal(given: object) -> str:
    """Return the decimal mark asked for; raise if it is not usable.

    >>> checked_decimal(",")
    ','
    """
    if given not in (".", ","):
        raise UsageError(f"the decimal mark is '.' or ',', but {given!r} was given")
    return str(given)


def checked_dates(given: object) -> str:
    """Return which of day and month is declared to come first, or say how to declare it.

    >>> checked_dates("month-first")
    'month-first'
    """
    if given not in ("day-first", "month-first"):
        raise UsageError(f"dates are day-first or month-first, but {given!r} was given")
    return str(given)


def checked_truth(given: object) -> bool:
    """Return a yes or no as a truth value; raise if it is neither.

    >>> checked_truth("yes"), checked_truth(False)
    (True, False)
    """
    truths = {True: True, "yes": True, False: False, "no": False}
    if not isinstance(given, bool | str) or given not in truths:
        raise UsageError(f"spreadsheet_safe is yes or no, but {given!r} was given")
    return truths[given]


def _text(data: pa.Buffer) -> io.TextIOBase:
    import pyarrow as pa

    # No newline translation: the csv module itself knows which line ends are inside quotes.
    return io.TextIOWrapper(pa.BufferReader(data), encoding="utf-8", errors="replace", newline="")


def _head(data: pa.Buffer, delimiter: str) -> list[list[str]]:
    """Return the first records, without the last one where the sample may cut it off."""
    records = [
        record
        for record in islice(
            csv.reader(_text(data[:_SAMPLE]), delimiter=delimiter), _SAMPLE_ROWS + 1
        )
        if record
    ]
    cut = data.size > _SAMPLE or len(records) > _SAMPLE_ROWS
    return records[:-1] if cut and len(records) > 1 else records


def separator_line(start: bytes) -> tuple[str | None, int]:
    r"""Return the delimiter that a first line such as `sep=;` states, and the line's length.

    >>> separator_line(b"sep=;\r\na;b\r\n"), separator_line(b"sep,b\n")
    ((';', 7), (None, 0))
    """
    line = re.match(rb"sep=([^\r\n\".])\r?\n", start, re.IGNORECASE)
    return (line[1].decode("latin-1"), line.end()) if line else (None, 0)


def find_delimiter(data: pa.Buffer) -> str:
    """Return the delimiter by which the header and the first records have the same length.

    >>> import pyarrow as pa
    >>> find_delimiter(pa.py_buffer(b"a;b\\n1,5;2\\n"))
    ';'
    """
    heads = {delimiter: _head(data, delimiter) for delimiter in DELIMITERS}
    widths = {delimiter: len(head[0]) if head else 1 for delimiter, head in heads.items()}
    even = [
        delimiter
        for delimiter, head in heads.items()
        if widths[delimiter] > 1 and all(len(record) == widths[delimiter] for record in head)
    ]
    if even:
        return max(even, key=lambda delimiter: widths[delimiter])
    widest = max(DELIMITERS, key=lambda delimiter: widths[delimiter])
    if widths[widest] > 1:
        return widest
    # One column: a delimiter that splits no record, so that 1,5 stays one field.
    for delimiter, head in heads.items():
        if all(len(record) == 1 for record in head):
            return delimiter
    return ","


def read_header(data: pa.Buffer, delimiter: str, path: Path) -> list[str]:
    """Return the column names as the file has them.

    >>> import pyarrow as pa
    >>> read_header(pa.py_buffer(b"a,b\\n1,2\\n"), ",", Path("x.csv"))
    ['a', 'b']
    """
    reader = csv.reader(_text(data), delimiter=delimiter)
    try:
        names = next((record for record in reader if record), None)
    except csv.Error:
        names = None
    if not names:
        raise DataError(
            f"the first line of a CSV file names the columns, but '{path.name}' holds no text; "
            "check that it was saved in full"
        )
    return names


def after_title(data: pa.Buffer) -> tuple[pa.Buffer, int]:
    """Return what follows the lines of a title, and how many lines these are.

    >>> import pyarrow as pa
    >>> data = pa.py_buffer(b"Staff;;;\\n\\na;b;c;d\\n1;2;3;4\\n")
    >>> rest, lines = after_title(data)
    >>> rest.to_pybytes(), lines
    (b'a;b;c;d\\n1;2;3;4\\n', 2)
    """
    start = data[:_SAMPLE].to_pybytes()
    heads = []
    for delimiter in DELIMITERS:
        reader = csv.reader(_text(data[:_SAMPLE]), delimiter=delimiter)
        heads.append(list(islice(reader, _SAMPLE_ROWS)))
    # What is a header with one delimiter is not a title with another.
    if not all(may_be_title(records) for records in heads):
        return data, 0
    for records in heads:
        lines = rows_of_title(records)
        if lines and not any('"' in cell for record in records[:lines] for cell in record):
            above = re.match(rb"(?:[^\r\n]*(?:\r\n|\n|\r)){%d}" % lines, start)
            return (data[above.end() :], lines) if above else (data, 0)
    return data, 0


def refuse_open_quote(data: pa.Buffer, delimiter: str, path: Path, first: int = 1) -> None:
    """Refuse a file that ends within quotation marks: the rest of it would be one value.

    Checked if the number of marks is odd, which is no proof: one may be part of a value.
    `first` is the line of the file at which `data` begin.

    >>> import pyarrow as pa
    >>> refuse_open_quote(pa.py_buffer(b'a,b\\n1,"2\\n3,4\\n'), ",", Path("x.csv"))
    Traceback (most recent call last):
    discreet.errors.DataError: a quotation mark that opens a value must be closed, but in 'x.csv'
    that of the record on line 2 is not; ...
    """
    reader = csv.reader(_text(data), delimiter=delimiter, strict=True)
    begins = first
    try:
        for _ in reader:
            begins = reader.line_num + first
    except csv.Error as error:
        if "unexpected end" not in str(error):
            return
        raise DataError(
            f"a quotation mark that opens a value must be closed, but in '{path.name}' that of "
            f"the record on line {begins} is not; correct that line"
        ) from None


def whole_line_ends(data: pa.Buffer, block: int) -> int:
    """Return a block size, at least the given one, with no block ending within a line end.

    Arrow drops the second character of a line end split between blocks, even inside a value.

    >>> import pyarrow as pa
    >>> whole_line_ends(pa.py_buffer(b'"a\\r\\nb"'), 3)
    4
    """
    signs = np.frombuffer(data, np.uint8)
    while True:
        ends = np.arange(block, len(signs), block)
        if not ((signs[ends - 1] == ord("\r")) & (signs[ends] == ord("\n"))).any():
            return block
        block += 1


def of_one_line(data: pa.Buffer, records: int, lines: int, returns: int) -> bool:
    """Whether there are as many records as lines, so that none spans two.

    `lines` is the number of line feeds, `returns` that of carriage returns.

    >>> import pyarrow as pa
    >>> of_one_line(pa.py_buffer(b'a\\n"1"\\r2'), 3, 1, 1)
    True
    >>> of_one_line(pa.py_buffer(b'"1\\n"'), 1, 1, 0)
    False
    """
    alone = returns and returns - _count(data, b"\r\n")
    unended = data[data.size - 1 :].to_pybytes() not in (b"\r", b"\n")
    return records == lines + alone + unended


def _count(data: pa.Buffer, signs: bytes) -> int:
    """Return how often the second of two characters follows the first."""
    content, step = np.frombuffer(data, np.uint8), _CACHED
    count = 0
    for start in range(0, len(content) - 1, step):
        stop = min(start + step, len(content) - 1)
        matches = content[start:stop] == signs[0]
        matches &= content[start + 1 : stop + 1] == signs[1]
        count += int(np.count_nonzero(matches))
    return count


def ragged_line(
    data: pa.Buffer, delimiter: str, width: int, first: int = 1
) -> tuple[int, int] | None:
    """Return the line and the number of fields of the first record of another length.

    `first` is the line of the file at which `data` begin.

    >>> import pyarrow as pa
    >>> ragged_line(pa.py_buffer(b"a,b\\n1,2\\n1,2,3\\n"), ",", 2)
    (3, 3)
    """
    reader = csv.reader(_text(data), delimiter=delimiter)
    begins = first
    try:
        for record in reader:
            if record and len(record) != width:
                return begins, len(record)
            begins = reader.line_num + first
    except csv.Error:
        return begins, 0
    return None
