"""Types that a format without a word for them keeps as text, such as dates in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["like_schema", "with_moments"]

_DAY = "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
_FORMS = {f"^{_DAY}$": "date", f"^{_DAY}[T ][0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}$": "moment"}


def with_moments(table: pa.Table) -> pa.Table:
    """Return the table with texts such as 1990-12-31 and 1990-12-31T14:05:00 as dates and moments.

    A column is one of these only if each of its texts is.

    >>> import pyarrow as pa
    >>> with_moments(pa.table({"born": ["1990-12-31", None], "code": ["1990-12-31", "x"]})).schema
    born: date32[day]
    code: string
    """
    import pyarrow as pa

    for place, item in enumerate(table.schema):
        if pa.types.is_string(item.type) or pa.types.is_large_string(item.type):
            table = table.set_column(place, item.name, _moments(table.column(place)))
    return table


def _moments(column: pa.ChunkedArray) -> pa.ChunkedArray:
    import pyarrow as pa
    import pyarrow.compute as pc

    if column.null_count == len(column):
        return column
    for pattern, form in _FORMS.items():
        if pc.all(pc.match_substring_regex(column, pattern)).as_py():
            try:
                return column.cast(pa.date32() if form == "date" else pa.timestamp("s"))
            except pa.ArrowInvalid:  # the 30th of February
                return column
    return column


def like_schema(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return the table with the types that its columns had when they were written, where they fit.

    >>> import pyarrow as pa
    >>> like_schema(pa.table({"x": [1, 2]}), pa.schema({"x": pa.float64()})).schema
    x: double
    """
    types: dict[str, Any] = {item.name: item.type for item in schema}
    for place, item in enumerate(table.schema):
        if item.name in types:
            column = _cast(table.column(place), types[item.name])
            table = table.set_column(place, item.name, column)
    return table


def _cast(column: pa.ChunkedArray, target: pa.DataType) -> pa.ChunkedArray:
    import pyarrow as pa
    import pyarrow.types as types

    if types.is_dictionary(target):
        target = target.value_type
    if column.type == target:
        return column
    try:
        if types.is_string(target) and types.is_temporal(column.type):
            texts = [None if value is None else value.isoformat() for value in column.to_pylist()]
            return pa.chunked_array([texts], target)
        if types.is_time(target) and types.is_string(column.type):
            day = pa.scalar("1970-01-01T", column.type)
            joined = pa.compute.binary_join_element_wise(day, column, pa.scalar("", column.type))
            return joined.cast(pa.timestamp(target.unit)).cast(target)
        return column.cast(target)
    except pa.ArrowException:
        return column
