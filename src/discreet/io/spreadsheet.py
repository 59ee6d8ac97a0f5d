"""Texts that a spreadsheet would run, and how a CSV file is written so that it shows them instead.

A spreadsheet treats a cell as a formula if it begins with `=`, `+`, `-` or `@` (in East Asian
settings also with their wide forms), and strips a tab or a line break before it. An apostrophe in
front makes it text. So that two texts never become one, a text that begins with an apostrophe gets
one more; what is plainly a number, such as -3.5, stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from discreet.io.csv_dialect import CsvDialect
from discreet.io.formats import FileFormat

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["as_written", "is_run", "runs", "safely_written", "shown", "shown_cells"]

MARK = "'"
_RUNS = "^(?:[\t\r\n]|[ \t-\r]*[=+\\-@\uff1d\uff0b\uff0d\uff20])"
_NUMBER = "^ *[-+]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+|inf)(?:[eE][-+]?[0-9]+)?"


def runs(text: str) -> bool:
    """Whether a spreadsheet would treat a text as a formula.

    >>> [runs(text) for text in ("=1+1", " @SUM(A1)", "-3.5", "-x", "a=b")]
    [True, True, False, True, False]
    """
    formula = re.match(_RUNS, text) is not None
    return formula and re.fullmatch(_NUMBER, text) is None


def shown(text: str) -> str:
    """Return a text as a spreadsheet shows it.

    >>> shown("=1+1"), shown("'tis"), shown("-3.5")
    ("'=1+1", "''tis", '-3.5')
    """
    return MARK + text if text.startswith(MARK) or runs(text) else text


def shown_cells(cells: pa.Array) -> pa.Array:
    """Return the texts of a column as a spreadsheet shows them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    marked = pc.starts_with(cells, MARK)
    formula = pc.and_(
        pc.match_substring_regex(cells, _RUNS),
        pc.invert(pc.match_substring_regex(cells, f"{_NUMBER}$")),
    )
    mark, nothing = pa.scalar(MARK, cells.type), pa.scalar("", cells.type)
    longer = pc.binary_join_element_wise(mark, cells, nothing)
    return pc.if_else(pc.or_(marked, formula), longer, cells)


def as_written(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the texts that `shown_cells` was given."""
    import pyarrow.compute as pc

    return pc.replace_substring_regex(cells, f"^{MARK}", "")


def is_run(format: FileFormat) -> bool:
    """Whether a spreadsheet would run cells of a file in this format.

    >>> is_run(FileFormat.default()), is_run(safely_written(FileFormat.default()))
    (True, False)
    """
    return isinstance(format.details, CsvDialect) and not format.details.spreadsheet_safe


def safely_written(format: FileFormat) -> FileFormat:
    """Return the format of a file that is safe to open in a spreadsheet; only CSV needs another.

    >>> safely_written(FileFormat.default()).details.spreadsheet_safe
    True
    """
    if not isinstance(format.details, CsvDialect):
        return format
    return replace(format, details=replace(format.details, spreadsheet_safe=True))
