"""The texts of a CSV file in the types that they were written from: the inverse of `csv_write`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from discreet.io.csv_dialect import CsvDialect

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["typed_again"]


def typed_again(
    texts: Mapping[str, pa.ChunkedArray], schema: pa.Schema, dialect: CsvDialect
) -> pa.Table:
    """Return a table of these texts; what does not read as its type, such as an old date, is text.

    >>> import pyarrow as pa
    >>> texts = {"x": pa.chunked_array([["1,5", "NA"]]), "code": pa.chunked_array([["1.0", None]])}
    >>> schema = pa.schema({"x": pa.float64(), "code": pa.string()})
    >>> typed_again(texts, schema, CsvDialect(decimal=",", missing={"x": "NA"})).to_pydict()
    {'x': [1.5, None], 'code': ['1.0', None]}
    """
    import pyarrow as pa

    written = {field.name: field.type for field in schema}
    return pa.table(
        {
            name: _typed(text, written.get(name, text.type), name, dialect)
            for name, text in texts.items()
        }
    )


def _typed(
    text: pa.ChunkedArray, target: pa.DataType, name: str, dialect: CsvDialect
) -> pa.ChunkedArray:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.types as types

    if types.is_dictionary(target):
        target = target.value_type
    if types.is_string(target) or types.is_large_string(target) or types.is_string_view(target):
        return text
    missing, form = dialect.missing.get(name), dialect.forms.get(name)
    if missing is not None:
        text = pc.if_else(pc.equal(text, missing), pa.scalar(None, text.type), text)
    if form is not None and form.fits(target):
        read = form.read(text)
        if read is None:
            return text
        return (read if isinstance(read, pa.ChunkedArray) else pa.chunked_array([read])).cast(
            target
        )
    if dialect.decimal != "." and (types.is_floating(target) or types.is_decimal(target)):
        text = pc.replace_substring(text, dialect.decimal, ".")
    try:
        if types.is_time(target):
            # Arrow reads a time of day only as part of a moment.
            day = pa.scalar("1970-01-01 ", text.type)
            moments = pc.binary_join_element_wise(day, text, pa.scalar("", text.type))
            return moments.cast(pa.timestamp(target.unit)).cast(target)
        return text.cast(target)
    except pa.ArrowException:
        return text
