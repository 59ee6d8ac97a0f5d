"""Between Arrow columns and what SPSS, Stata and SAS hold: doubles, 32-bit integers, text, dates.

In all three an empty text is the missing text, so it is read as missing.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from discreet.errors import DataError

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["column_class", "declares_decimals", "from_stat", "to_stat"]

# Stata reserves the 27 highest 32-bit integers for its missing values.
_LARGEST_INTEGER = 2**31 - 28
_LARGEST_EXACT = 2**53


def declares_decimals(format: str | None) -> bool:
    """Whether a format such as F8.2 shows decimals.

    >>> declares_decimals("F8.2"), declares_decimals("F8.0"), declares_decimals(None)
    (True, False, False)
    """
    match = re.search(r"\.([0-9]+)", format or "")
    return match is not None and int(match[1]) > 0


def from_stat(values: Sequence[Any], storage: str, whole: bool) -> pa.Array:
    """Return the values read as an Arrow column.

    `storage` is the type in the file; `whole` allows a double column of whole numbers to become
    integers, as in a file format that has no integers.

    >>> from_stat([1.0, None], "double", whole=True).type
    DataType(int64)
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if storage == "string":
        text = pa.array(values, pa.string())
        return pc.if_else(pc.equal(text, ""), pa.scalar(None, pa.string()), text)
    first = next((value for value in values if value is not None), None)
    if isinstance(first, datetime.datetime):
        return pa.array(values, pa.timestamp("us"))
    if isinstance(first, datetime.date):
        return pa.array(values, pa.date32())
    if isinstance(first, datetime.time):
        return pa.array(values, pa.time64("us"))
    if storage.startswith("int"):
        return pa.array(values, pa.int64())
    numbers = pa.array(values, pa.float64())
    if whole and first is not None:
        exact = pc.and_(
            pc.equal(pc.trunc(numbers), numbers),
            pc.less_equal(pc.abs(numbers), float(_LARGEST_EXACT)),
        )
        if pc.all(exact).as_py():
            return numbers.cast(pa.int64())
    return numbers


def column_class(type: pa.DataType) -> str:
    """Return 'text', 'number', 'date', 'timestamp' or 'time': what a format is meant for.

    >>> import pyarrow as pa
    >>> column_class(pa.int64()), column_class(pa.string())
    ('number', 'text')
    """
    import pyarrow as pa

    if pa.types.is_string(type) or pa.types.is_large_string(type):
        return "text"
    if pa.types.is_date(type):
        return "date"
    if pa.types.is_timestamp(type):
        return "timestamp"
    if pa.types.is_time(type):
        return "time"
    return "number"


def to_stat(column: pa.ChunkedArray, name: str, keep_float: bool) -> pa.ChunkedArray:
    """Return the column in a type that the writers accept, without a loss.

    >>> import pyarrow as pa
    >>> to_stat(pa.chunked_array([[1, 2]]), "age", keep_float=False).type
    DataType(int32)
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    kind = column.type
    if pa.types.is_null(kind):
        return column.cast(pa.float64())
    if pa.types.is_boolean(kind):
        return column.cast(pa.int32())
    if pa.types.is_integer(kind):
        largest = _largest(column)
        if largest > _LARGEST_EXACT:
            raise DataError(
                f"an SPSS, Stata or SAS file holds integers up to 2 to the power 53 exactly, but "
                f"column '{name}' goes beyond; make it text, or write CSV or Parquet"
            )
        small = largest <= _LARGEST_INTEGER and not keep_float
        return column.cast(pa.int32() if small else pa.float64())
    if pa.types.is_floating(kind):
        numbers = column.cast(pa.float64())
        return pc.if_else(pc.is_nan(numbers), pa.scalar(None, pa.float64()), numbers)
    if pa.types.is_decimal(kind):
        return column.cast(pa.float64(), safe=False)
    if pa.types.is_timestamp(kind):
        return _within_the_calendar(column.cast(pa.timestamp("us"), safe=False), name)
    if pa.types.is_date(kind):
        return _within_the_calendar(column.cast(pa.date32()), name)
    if pa.types.is_time(kind):
        return column.cast(pa.time64("us"), safe=False)
    if column_class(kind) == "text":
        text = column.cast(pa.string())
        if pc.any(pc.match_substring(text, "\0")).as_py():
            raise DataError(
                f"text ends at a NUL character in an SPSS, Stata or SAS file, but column '{name}' "
                "has one; remove it, or write Parquet"
            )
        return text
    raise DataError(
        f"an SPSS, Stata or SAS file holds numbers, text, dates and times, but column '{name}' "
        f"is of type {kind}; leave it out or write Parquet"
    )


def _within_the_calendar(column: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
    """Return a column of days or moments, none of them before the year 1 or after 9999."""
    import pyarrow.compute as pc

    try:
        pc.min_max(column).as_py()
    except (OverflowError, ValueError):
        raise DataError(
            "an SPSS, Stata or SAS file holds dates of the years 1 to 9999, and column "
            f"'{name}' goes beyond; make it text, or write Parquet"
        ) from None
    return column


def _largest(column: pa.ChunkedArray) -> int:
    import pyarrow.compute as pc

    ends = pc.min_max(column).as_py()
    return max((abs(end) for end in ends.values() if end is not None), default=0)
