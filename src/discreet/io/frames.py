"""The edge: frames of pandas, polars or pyarrow in, the same kind out.

What was not changed goes back as it came, by choosing rows of the user's own frame; so a dtype
that discreet has never heard of survives. Only changed columns are built anew, in the type of the
original column where their values fit into it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError, UsageError
from discreet.microdata import MISSING_CODE, Column, Microdata, Source
from discreet.schema import Attribute, Kind, Role, unknown_column

if TYPE_CHECKING:
    import pyarrow as pa

Kinds = Mapping[str, str | Sequence[Any]]

LARGEST = 1e140
"""Squares of values are summed all over the field; beyond this they leave the range of floats."""

MEASURED_ROLES = (Role.QUASI_IDENTIFIER, Role.CONFIDENTIAL, Role.WEIGHT)


def from_native(
    frame: Any,
    roles: Mapping[str, str] | None = None,
    kinds: Kinds | None = None,
    source: Source | None = None,
) -> Microdata:
    """Return the frame as microdata. Roles not given are "other", kinds follow from the dtypes.

    >>> import pyarrow as pa
    >>> from_native(pa.table({"age": [31, 47]}), roles={"age": "quasi-identifier"})
    Microdata(2 records; age: quasi-identifier, continuous)
    """
    wrapped = _wrapped(frame)
    names = wrapped.columns
    for given, what in ((roles, "roles"), (kinds, "kinds")):
        for name in given or {}:
            if name not in names:
                raise UsageError(unknown_column(str(name), names, asked_by=f"{what}="))
    columns = []
    for name in names:
        declared = name in (roles or {})
        role = Role.parse((roles or {}).get(name, Role.OTHER), column=name)
        kind = (kinds or {}).get(name)
        columns.append(_column(wrapped[name], name, role, kind, declared))
    return Microdata(columns, source or Source(wrapped))


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
    frame = source.frame.select(list(data.schema.names))
    if source.rows is not None:
        frame = frame[source.rows, :]
    # The index of a pandas frame would tell the rows apart after they were shuffled.
    frame = nw.maybe_reset_index(frame)
    changed = [column for column in data if column.name in source.changed]
    return nw.to_native(
        frame.with_columns(*(_series(column, frame[column.name]) for column in changed))
        if changed
        else frame
    )


def to_table(data: Microdata) -> pa.Table:
    """Return microdata as a pyarrow table, for writing to a file."""
    import narwhals as nw
    import pyarrow as pa

    if data.source is None:
        return pa.table({c.name: _arrow(c, None) for c in data})
    native = to_native(data)
    if isinstance(native, pa.Table):
        return native
    return nw.from_native(native, eager_only=True).to_arrow()


def column_names(frame: Any) -> list[Any]:
    """Return the column names of any frame, as they are."""
    found = getattr(frame, "column_names", None)  # pyarrow keeps its columns under `columns`
    return list(getattr(frame, "columns", ()) if found is None else found)


def _wrapped(frame: Any) -> Any:
    import narwhals as nw

    if isinstance(frame, Mapping):
        import pyarrow as pa

        try:
            frame = pa.table(dict(frame))
        except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError, ValueError) as problem:
            raise DataError(
                f"a mapping must hold columns of equal length and of one type each: {problem}"
            ) from None
    names = column_names(frame)
    bad = next((name for name in names if not isinstance(name, str) or not name), None)
    if bad is not None:
        raise DataError(
            f"every column needs a name that is text, but column {names.index(bad) + 1} is called "
            f"{bad!r}; rename it"
        )
    double = next((name for name in names if names.count(name) > 1), None)
    if double is not None:
        raise DataError(f"column names must differ, but '{double}' occurs twice; rename one")
    try:
        return nw.from_native(frame, eager_only=True)
    except TypeError:
        raise UsageError(
            "data must be a frame of pandas, polars or pyarrow, a mapping of columns, or a path, "
            f"but a {type(frame).__name__} was given"
        ) from None


def _column(
    series: Any, name: str, role: Role, kind: str | Sequence[Any] | None, declared: bool
) -> Column:
    array = _to_arrow(series, name)
    order: Sequence[Any] | None = None
    if kind is not None and not isinstance(kind, str):
        order, kind = list(kind), Kind.ORDINAL
    chosen = _kind_of(array.type) if kind is None else Kind.parse(kind, column=name)
    attribute = Attribute(name, role, chosen, (), declared)
    if chosen is Kind.CONTINUOUS:
        values = _numbers(array, name)
        if role in MEASURED_ROLES:
            _require_measurable(values, name)
        return Column(attribute, values)
    codes, categories = _codes(array, name, order)
    return Column(attribute.recoded(chosen, categories), codes)


def _to_arrow(series: Any, name: str) -> pa.Array:
    import pyarrow as pa

    try:
        array = series.to_arrow()
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        # A column of Python objects, such as numbers and words mixed: each becomes its text.
        texts = [None if v is None or v != v else str(v) for v in series.to_list()]
        array = pa.array(texts, pa.string())
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def _kind_of(arrow_type: pa.DataType) -> Kind:
    import pyarrow.types as types

    if types.is_dictionary(arrow_type):
        return Kind.ORDINAL if arrow_type.ordered else Kind.NOMINAL
    numeric = (
        types.is_integer(arrow_type)
        or types.is_floating(arrow_type)
        or types.is_decimal(arrow_type)
        or types.is_temporal(arrow_type)
    )
    return Kind.CONTINUOUS if numeric else Kind.NOMINAL


def _numbers(array: pa.Array, name: str) -> NDArray[np.float64]:
    import pyarrow as pa
    import pyarrow.types as types

    arrow_type = array.type
    if types.is_dictionary(arrow_type):
        array = array.dictionary_decode()
        arrow_type = array.type
    if array.null_count == len(array):
        # A file without types cannot say what kind of values a column without any has.
        return np.full(len(array), np.nan)
    if types.is_temporal(arrow_type):
        array = _since_epoch(array)
    elif not (
        types.is_integer(arrow_type)
        or types.is_floating(arrow_type)
        or types.is_decimal(arrow_type)
        or types.is_boolean(arrow_type)
    ):
        raise DataError(
            f"a continuous column must hold numbers, but column '{name}' holds "
            f"{_content(array)}; correct the file, or declare the column nominal"
        )
    numbers = array.cast(pa.float64(), safe=False)
    return np.array(numbers.to_numpy(zero_copy_only=False), dtype=np.float64)


def _content(array: pa.Array) -> str:
    """Say where a column stops being numeric, without quoting a value."""
    import pyarrow.compute as pc
    import pyarrow.types as types

    if not (types.is_string(array.type) or types.is_large_string(array.type)):
        return f"values of type {array.type}"
    numeric = pc.match_substring_regex(array, r"^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$")
    flags = numeric.fill_null(True).to_numpy(zero_copy_only=False)
    if flags.all() or not flags.any():
        return "text"
    return f"text as well as numbers (first in row {int(np.argmin(flags)) + 1})"


def _since_epoch(array: pa.Array) -> pa.Array:
    """Dates as days, times as microseconds: whole numbers that a float holds exactly."""
    import pyarrow as pa
    import pyarrow.types as types

    if types.is_timestamp(array.type):
        array = array.cast(pa.timestamp("us", tz=array.type.tz), safe=False)
    elif types.is_duration(array.type):
        array = array.cast(pa.duration("us"), safe=False)
    elif types.is_time(array.type):
        array = array.cast(pa.time64("us"), safe=False)
    elif types.is_date(array.type):
        return array.cast(pa.date32()).cast(pa.int32())
    return array.cast(pa.int64())


def _require_measurable(values: NDArray[np.float64], name: str) -> None:
    bad = np.isinf(values)
    if bad.any():
        raise DataError(
            f"continuous values must be finite, but column '{name}' is infinite in row "
            f"{int(np.argmax(bad)) + 1}; make it missing or correct it"
        )
    with np.errstate(invalid="ignore"):
        bad = np.abs(values) > LARGEST
    if bad.any():
        raise DataError(
            f"continuous values must lie within ±{LARGEST:g}, but column '{name}' goes beyond in "
            f"row {int(np.argmax(bad)) + 1}; state it in a larger unit"
        )


def _codes(
    array: pa.Array, name: str, order: Sequence[Any] | None
) -> tuple[NDArray[np.int32], tuple[Any, ...]]:
    """Return codes into sorted categories (or into `order`, or into the dtype's own order)."""
    import pyarrow.types as types

    given = types.is_dictionary(array.type)
    encoded = array if given else array.dictionary_encode()
    categories = encoded.dictionary.to_pylist()
    indices = encoded.indices.fill_null(MISSING_CODE).to_numpy(zero_copy_only=False)
    codes = np.asarray(indices, dtype=np.int64)
    missing = [c is None or c != c for c in categories]
    if order is None:
        keep = [i for i in range(len(categories)) if not missing[i]]
        if not given:
            keep = _sorted(categories, keep)
        final = [categories[i] for i in keep]
    else:
        final = list(order)
        if len(set(final)) != len(final):
            raise UsageError(f"the categories of column '{name}' must differ from each other")
    position = {category: i for i, category in enumerate(final)}
    translation = np.full(len(categories) + 1, MISSING_CODE, dtype=np.int32)
    for i, category in enumerate(categories):
        if missing[i]:
            continue
        if category not in position:
            raise DataError(
                f"column '{name}' holds a value that is not among its {len(final)} declared "
                f"categories (first in row {int(np.argmax(codes == i)) + 1}); add it to the "
                "categories or correct the file"
            )
        translation[i] = position[category]
    return translation[codes], tuple(final)


def _sorted(categories: Sequence[Any], keep: list[int]) -> list[int]:
    try:
        return sorted(keep, key=lambda i: categories[i])
    except TypeError:
        return sorted(keep, key=lambda i: str(categories[i]))


def _series(column: Column, original: Any) -> Any:
    """Return a changed column as a series of the original's backend and, if it fits, dtype."""
    import narwhals as nw
    import pyarrow as pa

    backend = original.implementation
    array = _arrow(column, _to_arrow(original, column.name).type)
    series = nw.from_arrow(pa.table({column.name: array}), backend=backend)[column.name]
    if backend.is_pandas():
        return _like_pandas(series, original)
    if series.dtype == original.dtype or column.attribute.continuous:
        return series
    try:
        return series.cast(original.dtype)
    except Exception:  # a recoded value is not among the dtype's categories: text will do
        return series


def _like_pandas(series: Any, original: Any) -> Any:
    import narwhals as nw

    native, target = series.to_native(), original.to_native().dtype
    if native.dtype != target:
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


def _arrow(column: Column, target: pa.DataType | None) -> pa.Array:
    import pyarrow as pa
    import pyarrow.types as types

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
        return _from_epoch(np.rint(np.where(missing, 0, column.values)), missing, target)
    if types.is_integer(target) and np.array_equal(present, np.rint(present)):
        try:
            return array.cast(target)
        except pa.ArrowInvalid:
            return array
    return array


def _from_epoch(
    values: NDArray[np.float64], missing: NDArray[np.bool_], target: pa.DataType
) -> pa.Array:
    import pyarrow as pa
    import pyarrow.types as types

    whole = pa.array(values.astype(np.int64), mask=missing)
    if types.is_date(target):
        return whole.cast(pa.int32()).cast(pa.date32()).cast(target)
    if types.is_timestamp(target):
        return whole.cast(pa.timestamp("us", tz=target.tz)).cast(target)
    if types.is_duration(target):
        return whole.cast(pa.duration("us")).cast(target)
    return whole.cast(pa.time64("us")).cast(target, safe=False)
