"""The edge: frames of pandas, polars or pyarrow in, the same kind out.

Unchanged columns are returned as they came, by choosing rows of the user's frame; so a dtype
unknown to discreet survives. Only changed columns are rebuilt, in the type of the original column
where their values fit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.errors import DataError, UsageError
from discreet.io.arrow_arrays import (
    EXACT,
    from_epoch,
    midnights,
    numbers_of,
    require_writable_times,
    without_time_of_day,
)
from discreet.io.columns import Kinds, from_series
from discreet.io.missing_codes import MissingCodes, checked_codes, with_codes
from discreet.io.plain_types import bare_table, plain_pandas, plain_polars
from discreet.io.series import arrow_of
from discreet.io.stated_roles import Roles
from discreet.io.traces import without_traces
from discreet.microdata import (
    Column,
    Microdata,
    Numbers,
    Source,
)

if TYPE_CHECKING:
    import pyarrow as pa


def from_native(
    frame: Any,
    roles: Roles | None = None,
    kinds: Kinds | None = None,
    source: Source | None = None,
) -> Microdata:
    """Return the frame as microdata. Roles not given are "other", kinds follow from the dtypes.

    >>> import pyarrow as pa
    >>> from_native(pa.table({"age": [31, 47]}), roles={"age": "quasi-identifier"})
    Microdata(2 records; age: quasi-identifier, continuous)
    """
    wrapped = _wrapped(frame)
    return from_series(_by_name(wrapped), roles, kinds, source or Source(wrapped))


def series_of(frame: Any) -> dict[str, Any]:
    """Return the columns of a frame as series of narwhals, by name.

    >>> import pyarrow as pa
    >>> list(series_of(pa.table({"age": [31, 47]})))
    ['age']
    """
    return _by_name(_wrapped(frame))


def _by_name(wrapped: Any) -> dict[str, Any]:
    return {name: wrapped.get_column(name) for name in wrapped.columns}


def frame_without_codes(frame: Any, missing: MissingCodes) -> Any:
    """Return a frame of the same kind in which codes for missing values are missing.

    >>> frame_without_codes({"pay": [5, -9]}, {"pay": [-9]})["pay"].to_pylist()
    [5, None]
    """
    import narwhals as nw

    wrapped = _wrapped(frame)
    parts = []
    for name, codes in checked_codes(missing, wrapped.columns).items():
        number = wrapped[name].dtype.is_numeric()
        fitting = [code for code in codes if isinstance(code, str) is not number]
        if fitting:
            # In a frame of its own: an expression would take a column called '*' for all of them.
            column = nw.col("column")
            alone = wrapped[name].alias("column").to_frame()
            kept = alone.select(nw.when(~column.is_in(fitting)).then(column))
            parts.append(kept["column"].alias(name))
    return nw.to_native(wrapped.with_columns(*parts)) if parts else nw.to_native(wrapped)


def to_native(data: Microdata) -> Any:
    """Return microdata as the kind of frame that they came from.

    >>> import pyarrow as pa
    >>> to_native(from_native(pa.table({"age": [31, 47]}))).to_pydict()
    {'age': [31, 47]}
    """
    import narwhals as nw

    if data.source is None:
        return to_table(data)
    source = data.source
    if source.partial:
        raise UsageError(
            "data that were read with 'cells' can be explored, not released: not all cells of the "
            "file were kept; read it again without that option"
        )
    names = list(data.schema.names)
    # Changed columns are not taken from the source; at least one column says how many rows.
    kept = [name for name in names if name not in source.changed] or names[:1]
    # By exact names: an expression would take a column called '*' for all of them.
    frame = source.frame[kept]
    if source.rows is not None:
        frame = frame[source.rows, :]
    # The index of a pandas frame would reveal the order of the rows before shuffling.
    frame = nw.maybe_reset_index(frame)
    changed = [column for column in data if column.name in source.changed]
    if changed:
        series = (_series(column, source.frame[column.name]) for column in changed)
        frame = frame.with_columns(*series)[names]
    native = nw.to_native(frame)
    return with_codes(native, data) if source.codes else native


def released_frame(data: Microdata) -> Any:
    """Return microdata to be released as the kind of frame that they came from, values alone.

    >>> import pyarrow as pa
    >>> table = pa.table({"age": [31]}).replace_schema_metadata({"title": "patients of Dr Roe"})
    >>> released_frame(from_native(table)).schema.metadata is None
    True
    """
    return without_traces(to_native(data))


def settled(data: Microdata) -> Microdata:
    """Return microdata with the values that they will have in a file or a frame.

    A changed column is written in the type of its original where it fits: as single floats, as
    whole days, in the file's own form of dates and amounts. Whether records are alike is
    judged by what is written.

    >>> import numpy as np
    >>> import pyarrow as pa
    >>> data = from_native(pa.table({"day": pa.array([0, 1], pa.date32())}))
    >>> moved = data.replace([data.column("day").with_values(np.array([0.2, 1.4]))])
    >>> settled(moved)["day"]
    array([0., 1.])
    """
    source = data.source
    if source is None:
        return data
    columns = []
    for column in data:
        if column.name in source.changed and column.attribute.continuous:
            array = array_of(column, arrow_of(source.frame[column.name], column.name))
            form = getattr(source.format, "written_forms", {}).get(column.name)
            if form is not None and form.fits(array.type):
                array = form.read(form.write(array))
            values = numbers_of(array, column.name)
            values.flags.writeable = False
            columns.append(Column.over(column.attribute, values))
    return data.replace(columns)


def to_table(data: Microdata) -> pa.Table:
    """Return microdata as a pyarrow table, for writing to a file."""
    import narwhals as nw
    import pyarrow as pa

    if data.source is None:
        return pa.table({c.name: array_of(c, None) for c in data})
    native = to_native(data)
    if isinstance(native, pa.Table):
        return native
    frame = nw.from_native(native, eager_only=True)
    return pa.table({name: arrow_of(frame[name], name) for name in frame.columns})


def column_names(frame: Any) -> list[Any]:
    """Return the column names of any frame, as they are."""
    arrow_names = getattr(frame, "column_names", None)  # pyarrow keeps its columns under `columns`
    return list(getattr(frame, "columns", ()) if arrow_names is None else arrow_names)


def _wrapped(frame: Any) -> Any:
    import narwhals as nw
    import pyarrow as pa

    if isinstance(frame, Mapping):
        frame = _table_of(frame)
    if isinstance(frame, pa.RecordBatch):
        frame = pa.Table.from_batches([frame])
    if isinstance(frame, pa.RecordBatchReader):
        frame = frame.read_all()
    if hasattr(frame, "collect"):
        raise UsageError("a lazy frame holds no data yet; collect it first")
    names = column_names(frame)
    for position, name in enumerate(names, start=1):
        if not isinstance(name, str) or not name:
            raise DataError(
                f"every column needs a name that is text, but column {position} is called "
                f"{name!r}; rename it"
            )
    double = next((name for name, times in Counter(names).items() if times > 1), None)
    if double is not None:
        raise DataError(f"column names must differ, but '{double}' occurs twice; rename one")
    if isinstance(frame, pa.Table):
        frame = bare_table(frame)
    try:
        if nw.dependencies.is_pandas_dataframe(frame):
            frame = plain_pandas(frame)
        if nw.dependencies.is_polars_dataframe(frame):
            frame = plain_polars(frame)
        return nw.from_native(frame, eager_only=True)
    except TypeError:
        raise UsageError(
            "data must be a frame of pandas, polars or pyarrow, a mapping of columns, or a path, "
            f"but a {type(frame).__name__} was given"
        ) from None


def _table_of(columns: Mapping[Any, Any]) -> pa.Table:
    import pyarrow as pa

    arrays: dict[str, Any] = {}
    for name, values in columns.items():
        if not isinstance(name, str) or not name:
            raise DataError(f"every column needs a name that is text, but {name!r} was given")
        try:
            # A copy: the caller may go on writing to their array.
            copied = np.array(values) if isinstance(values, np.ndarray) else values
            arrays[name] = pa.array(copied)
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, TypeError):
            raise DataError(
                f"a column must hold values of one type, but column '{name}' mixes several; make "
                "them all text, or all numbers"
            ) from None
    if len({len(array) for array in arrays.values()}) > 1:
        raise DataError("the columns of a mapping must be of equal length")
    return pa.table(arrays)


def _series(column: Column, original: Any) -> Any:
    """Return a changed column as a series of the original's backend and, if it fits, dtype."""
    import narwhals as nw
    import pyarrow as pa

    backend = original.implementation
    array = array_of(column, arrow_of(original, column.name))
    series = nw.from_arrow(pa.table({column.name: array}), backend=backend)[column.name]
    if backend.is_pandas():
        return _like_pandas(series, original, array)
    if series.dtype == original.dtype or column.attribute.continuous:
        return series
    try:
        return series.cast(original.dtype)
    except (
        Exception
    ):  # a recoded value is not among the dtype's categories, so it is written as text
        return series


def _like_pandas(series: Any, original: Any, array: pa.Array) -> Any:
    import narwhals as nw
    import pyarrow.types as types

    native, target = series.to_native(), original.to_native().dtype
    whole = isinstance(target, np.dtype) or target.kind in "iu"
    if whole and types.is_integer(array.type) and array.null_count:
        from pandas.api.types import pandas_dtype

        # NumPy's integers have no missing value: the code 10115 would be released as 10115.0, and
        # one beyond 2⁵³ as its neighbour.
        named = target.name.replace("i", "I").replace("u", "U")
        nullable = pandas_dtype(named) if isinstance(target, np.dtype) else target
        native = array.to_pandas(types_mapper=lambda _: nullable)
        return nw.from_native(native.rename(series.name), series_only=True)
    known = getattr(target, "categories", None)
    fits = known is None or bool(native.dropna().isin(known).all())
    if native.dtype != target and fits:
        try:
            cast = native.astype(target)
        except (TypeError, ValueError):
            return series
        same = cast.isna().equals(native.isna()) and bool(
            (cast.astype(native.dtype) == native)[~native.isna()].all()
        )
        if same or str(target).startswith("float"):
            native = cast
    return nw.from_native(native, series_only=True)


def array_of(column: Column, original: pa.Array | None) -> pa.Array:
    """Return a column as an array, of the type of the original one if it fits."""
    import pyarrow as pa
    import pyarrow.types as types

    target = None if original is None else original.type
    missing = column.missing
    if not column.attribute.continuous:
        codes = pa.array(column.values, mask=missing)
        value_type = target.value_type if target and types.is_dictionary(target) else target
        try:
            categories = pa.array(column.attribute.categories, type=value_type)
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            categories = pa.array([str(c) for c in column.attribute.categories])
        array = categories.take(codes)
        return array.dictionary_encode() if target and types.is_dictionary(target) else array
    array = pa.array(column.values, mask=missing)
    if target is None or types.is_floating(target):
        return array if target is None else array.cast(target, safe=False)
    present = column.values[~missing]
    if types.is_temporal(target):
        # A day that was stored as a moment would otherwise get a time of day.
        require_writable_times(np.rint(present), target, column.name)
        written = midnights if without_time_of_day(original) else from_epoch
        return written(np.rint(np.where(missing, 0, column.values)), missing, target)
    whole = types.is_integer(target) and np.array_equal(present, np.rint(present))
    if whole or (types.is_decimal(target) and _fit(present, target.scale)):
        try:
            return array.cast(target)
        except pa.ArrowInvalid:
            return array
    return array


def _fit(values: Numbers, decimals: int) -> bool:
    """Whether the values have no more than this many decimals, with all digits known.

    >>> _fit(np.array([12.34, 0.5]), 2), _fit(np.array([1 / 3]), 2), _fit(np.array([1e15]), 2)
    (True, False, False)
    """
    known = float(np.abs(values).max(initial=0)) < EXACT / 10.0**decimals
    return known and np.array_equal(values, np.round(values, decimals))
