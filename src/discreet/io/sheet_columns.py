"""The cells of a sheet as columns, each of one type.

A sheet has a type for each cell and none for a column: whole numbers are stored like all others,
and a text such as NA occurs among numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any

from discreet.io.arrow_arrays import EXACT
from discreet.io.csv_types import MISSING_TOKENS

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["SheetColumn", "sheet_column"]


@dataclass(frozen=True)
class SheetColumn:
    """A column's values; the text that stands for a missing one, and whether types are mixed."""

    values: pa.Array
    missing: str | None = None
    mixed: bool = False


def sheet_column(cells: Sequence[Any]) -> SheetColumn:
    """Return the cells of a column as values of one type; an empty cell is missing.

    Numbers are whole if all of them are. A text for missing values (NA and the like) is one only
    beside numbers or dates; numbers beside other texts become text.

    >>> sheet_column([1.0, "", 2.0]).values.to_pylist()
    [1, None, 2]
    >>> column = sheet_column([1.5, "NA"])
    >>> column.values.to_pylist(), column.missing
    ([1.5, None], 'NA')
    >>> sheet_column([1.0, "about 3"]).values.to_pylist()
    ['1', 'about 3']
    """
    import pyarrow as pa

    values: list[Any] = [None if cell in ("", None) else cell for cell in cells]
    texts = {value for value in values if isinstance(value, str)}
    kinds = {type(value) for value in values} - {str, type(None)}
    missing = next(iter(texts), None) if kinds and len(texts) == 1 else None
    if missing in MISSING_TOKENS:
        values = [None if value == missing else value for value in values]
        texts = set()
    else:
        missing = None
    if texts and not kinds:
        return SheetColumn(pa.array(values, pa.string()))
    if texts or not _alike(kinds):
        return SheetColumn(pa.array([_text(value) for value in values], pa.string()), None, True)
    if kinds == {date, datetime}:
        values = [_moment(value) for value in values]
    elif kinds and kinds <= {int, float} and all(map(_whole, values)):
        values = [None if value is None else int(value) for value in values]
    elif kinds == {int, float}:
        values = [None if value is None else float(value) for value in values]
    return SheetColumn(pa.array(values), missing)


def _alike(kinds: set[type]) -> bool:
    return len(kinds) <= 1 or kinds <= {int, float} or kinds == {date, datetime}


def _whole(value: Any) -> bool:
    return value is None or (float(value).is_integer() and abs(value) <= EXACT)


def _moment(value: Any) -> Any:
    if value is None or isinstance(value, datetime):
        return value
    return datetime(value.year, value.month, value.day)


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, float) and _whole(value):
        return str(int(value))
    return str(value)
