"""What a frame carries besides its values, removed before it is released.

Categories that no record has any more, the attributes of a data frame, the metadata of a schema:
each may reveal what protection removed, and is carried into the next file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discreet.io.categories import with_used_categories

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["without_traces"]


def without_traces(frame: Any) -> Any:
    """Return a frame of pandas, polars or pyarrow with its values and types alone.

    >>> import pyarrow as pa
    >>> table = pa.table({"x": [1]}).replace_schema_metadata({"query": "select * from patients"})
    >>> without_traces(table).schema.metadata is None
    True
    """
    import narwhals as nw

    library = nw.get_native_namespace(frame).__name__
    known = {"pyarrow": _of_pyarrow, "pandas": _of_pandas, "polars": _of_polars}
    return known[library](frame) if library in known else frame


def _of_pyarrow(table: pa.Table) -> pa.Table:
    import pyarrow as pa

    columns = [with_used_categories(column) for column in table.columns]
    fields = [pa.field(item.name, item.type, item.nullable) for item in table.schema]
    return pa.Table.from_arrays(columns, schema=pa.schema(fields))


def _of_pandas(frame: Any) -> Any:
    import pandas as pd
    import pyarrow as pa

    # A copy of the frame, not of its values: the user's frame is not touched.
    frame = frame.copy(deep=False)
    frame.attrs = {}
    # Before pandas 3 the copy shares its labels with the user's frame.
    frame.columns = frame.columns.rename(None)
    for name in frame.columns:
        dtype = frame[name].dtype
        if isinstance(dtype, pd.CategoricalDtype):
            frame[name] = frame[name].cat.remove_unused_categories()
        elif isinstance(dtype, pd.ArrowDtype) and pa.types.is_dictionary(dtype.pyarrow_dtype):
            compact = with_used_categories(pa.chunked_array(frame[name].array.__arrow_array__()))
            frame[name] = pd.Series(
                pd.arrays.ArrowExtensionArray(compact), index=frame.index, name=name
            )
    return frame


def _of_polars(frame: Any) -> Any:
    import polars as pl

    used = []
    for column in frame.get_columns():
        if isinstance(column.dtype, pl.Enum):
            present = set(column.drop_nulls().unique().cast(pl.String))
            kept = [category for category in column.dtype.categories if category in present]
            used.append(column.cast(pl.String).cast(pl.Enum(kept)))
    return frame.with_columns(used) if used else frame
