"""Arrow types that not all of its functions support, converted to types that they do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discreet.errors import DataError

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["bare_table", "plain_pandas", "plain_polars", "plain_table", "plain_type"]


def plain_type(kind: pa.DataType) -> pa.DataType:
    """Return the type that holds the same values and allows choosing rows.

    >>> import pyarrow as pa
    >>> plain_type(pa.list_(pa.string_view()))
    ListType(list<item: large_string>)
    """
    import pyarrow as pa
    import pyarrow.types as types

    if types.is_string_view(kind):
        return pa.large_string()
    if types.is_binary_view(kind):
        return pa.large_binary()
    if types.is_run_end_encoded(kind):
        return plain_type(kind.value_type)
    if types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, plain_type(kind.value_type), kind.ordered)
    if types.is_map(kind):
        return pa.map_(plain_type(kind.key_type), plain_type(kind.item_type), kind.keys_sorted)
    makers = (
        (types.is_list, pa.list_),
        (types.is_large_list, pa.large_list),
        (types.is_list_view, pa.list_view),
        (types.is_large_list_view, pa.large_list_view),
        (types.is_fixed_size_list, lambda inner: pa.list_(inner, kind.list_size)),
    )
    for is_such, make in makers:
        if is_such(kind):
            return make(kind.value_field.with_type(plain_type(kind.value_type)))
    if types.is_struct(kind):
        return pa.struct([field.with_type(plain_type(field.type)) for field in kind])
    return kind


def plain_table(table: pa.Table) -> pa.Table:
    """Return the table with every column of a plain type.

    >>> import pyarrow as pa
    >>> plain_table(pa.table({"x": pa.array(["a"], pa.string_view())})).schema.field("x").type
    DataType(large_string)
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    for place, field in enumerate(table.schema):
        plain = plain_type(field.type)
        if plain == field.type:
            continue
        column = table.column(place)
        try:
            if pa.types.is_run_end_encoded(field.type):
                column = pa.chunked_array(
                    [pc.run_end_decode(chunk) for chunk in column.chunks], field.type.value_type
                )
            if pa.types.is_dictionary(field.type):
                column = _with_categories(column, plain)
            table = table.set_column(place, field.with_type(plain), column.cast(plain))
        except pa.ArrowException:
            raise DataError(
                f"column '{field.name}' is of type {field.type}, which not all Arrow functions "
                f"support; convert it to {plain}"
            ) from None
    return table


def bare_table(table: pa.Table) -> pa.Table:
    """Return the table without metadata, in types that every operation knows.

    >>> import pyarrow as pa
    >>> table = pa.table({"x": [1]}).replace_schema_metadata({"query": "select * from patients"})
    >>> bare_table(table).schema.metadata is None
    True
    """
    import pyarrow as pa

    table = plain_table(table)
    fields = [pa.field(item.name, item.type, item.nullable) for item in table.schema]
    return pa.Table.from_arrays(table.columns, schema=pa.schema(fields))


def plain_pandas(frame: Any) -> Any:
    """Return a pandas frame without attributes, its columns in types that every operation knows.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"x": [1, 2]})
    >>> plain_pandas(frame) is frame
    True
    """
    import pandas as pd
    import pyarrow as pa

    plain = {}
    for name, dtype in frame.dtypes.items():
        if isinstance(dtype, pd.SparseDtype):
            plain[name] = frame[name].sparse.to_dense()
        kind = dtype.pyarrow_dtype if isinstance(dtype, pd.ArrowDtype) else None
        if kind is not None and plain_type(kind) != kind:
            column = plain_table(pa.table({name: frame[name].array.__arrow_array__()})).column(0)
            plain[name] = pd.Series(pd.arrays.ArrowExtensionArray(column), index=frame.index)
    frame = frame.assign(**plain) if plain else frame
    if frame.attrs:
        # A copy of the frame, not of its values: the user's frame is not touched.
        frame = frame.copy(deep=False)
        frame.attrs = {}
    return frame


def plain_polars(frame: Any) -> Any:
    """Return a polars frame with whole numbers of 128 bits in 64, where these are enough.

    >>> import polars as pl
    >>> wide = pl.DataFrame({"x": pl.Series([1, 2**100], dtype=pl.Int128), "y": [1, 2]})
    >>> plain_polars(wide.head(1)).schema["x"], plain_polars(wide).schema["x"]
    (Int64, Int128)
    """
    import polars as pl

    wide = [name for name, dtype in frame.schema.items() if str(dtype) in ("Int128", "UInt128")]
    for name in wide:
        narrow = frame[name].cast(pl.Int64, strict=False)
        if narrow.null_count() == frame[name].null_count():
            frame = frame.with_columns(narrow)
    return frame


def _with_categories(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    import pyarrow as pa

    return pa.chunked_array(
        [
            pa.DictionaryArray.from_arrays(
                chunk.indices, chunk.dictionary.cast(kind.value_type), ordered=kind.ordered
            )
            for chunk in column.chunks
        ],
        kind,
    )
