"""One column of a user's frame as an Arrow array, and whether its values are written in one way.

A column of Python objects may hold anything: numbers next to texts, moments of several time zones.
What Arrow turns into one value, the user's frame still shows as two.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.io.arrow_arrays import is_text
from discreet.io.categories import one_list
from discreet.microdata import Role

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["arrow_of", "written_in_two_ways"]

ADDRESS: Any = (object.__str__, object.__repr__)
"""How an object without a text of its own is written: by its address."""


def arrow_of(series: Any, name: str, *, sound: bool = False) -> pa.Array | pa.ChunkedArray:
    """Return a narwhals series as one array; objects of several types become their texts.

    Texts stay in the pieces that they are in, and a `sound` series is not checked for damage.

    >>> import narwhals as nw
    >>> import pandas as pd
    >>> frame = nw.from_native(pd.DataFrame({"x": [1, "1", None]}, dtype=object))
    >>> arrow_of(frame["x"], "x").to_pylist()
    ['1', '1', None]
    """
    import pyarrow as pa
    import pyarrow.types as types

    native = series.to_native()
    failures = (pa.ArrowException, OverflowError, TypeError, ValueError)
    try:
        if isinstance(native, pa.ChunkedArray):
            array: Any = native  # narwhals would copy an Arrow column
        elif _of_several_types(series):
            array = _texts(series, name)
        else:
            array = series.to_arrow()
    except failures:
        array = _texts(series, name)
    # Before pieces are joined: a damaged one cannot be.
    try:
        array.validate(full=not sound)
    except failures:
        raise DataError(
            f"column '{name}' is damaged: it claims to be of type {array.type}, but not all of its "
            "values are; write or convert it again"
        ) from None
    if isinstance(array, pa.ChunkedArray):
        if array.num_chunks == 1:
            array = array.chunk(0)  # combining would copy it
        elif not is_text(array.type):
            listed = types.is_dictionary(array.type)
            array = one_list(array) if listed else array.combine_chunks()
    if types.is_decimal32(array.type) or types.is_decimal64(array.type):
        array = array.cast(pa.decimal128(38, array.type.scale))
    return array


def written_in_two_ways(series: Any, array: pa.Array, role: Role) -> bool:
    """Whether a frame could show two forms of what is held as one value.

    Such forms are NaN of several bits, 0 and −0; in columns with a role also NaN and null; and in
    quasi-identifiers objects that are equal but not of one type, and a category listed twice.

    >>> import narwhals as nw
    >>> import pyarrow as pa
    >>> frame = nw.from_native(pa.table({"x": [0.0, -0.0], "y": [0.5, 1.5]}), eager_only=True)
    >>> [written_in_two_ways(frame[n], arrow_of(frame[n], n), Role.OTHER) for n in ("x", "y")]
    [True, False]
    """
    import pyarrow.types as types

    counted = role is Role.QUASI_IDENTIFIER
    if _is_object(series):
        return counted and (array.null_count > 0 or set(map(type, series.to_list())) != {str})
    objects = _object_categories(series)
    if objects is not None and set(map(type, objects)) - {str}:
        return counted
    kind = array.type
    if types.is_dictionary(kind):
        listed = array.dictionary
        if counted and (listed.null_count or len(listed.unique()) < len(listed)):
            return True
        array, kind = listed, kind.value_type
    if not types.is_floating(kind):
        return False
    values = array.drop_null().to_numpy(zero_copy_only=False)
    if counted and (len(values) < len(array) or _some_undefined(values)):
        return True
    native = getattr(series.to_native(), "dtype", None)
    if isinstance(native, np.dtype) and native.kind == "f":
        values = np.asarray(series.to_native())  # Arrow holds the NaN of pandas as null
    elif role is not Role.OTHER and len(values) < len(array) and _some_undefined(values):
        return True
    if _some_undefined(values):
        undefined = values[np.isnan(values)].view(f"u{values.itemsize}")
        if (undefined != undefined[0]).any():
            return True
    return bool((np.signbit(values) & (values == 0)).any())


def _some_undefined(values: NDArray[np.floating]) -> bool:
    """Whether some numbers are NaN: then the least of them is NaN, too."""
    return bool(np.isnan(values.min(initial=0)))


def _is_object(series: Any) -> bool:
    """Whether a column holds Python objects."""
    dtype = getattr(series.to_native(), "dtype", None)
    return str(dtype) in ("object", "Object")


def _object_categories(series: Any) -> list[Any] | None:
    """Return the categories of a pandas column, if these are Python objects."""
    categories = getattr(getattr(series.to_native(), "dtype", None), "categories", None)
    if str(getattr(categories, "dtype", "")) != "object":
        return None
    return list(categories)  # type: ignore[arg-type]


def _of_several_types(series: Any) -> bool:
    """Whether a column holds objects that no single Arrow type represents without a change."""
    if _is_object(series):
        missing = series.is_null().to_list()
        values: Iterable[Any] = (
            value for value, gone in zip(series.to_list(), missing, strict=True) if not gone
        )
        # Polars hands out the addresses of its objects.
        addresses = series.implementation.is_polars()
    else:
        values, addresses = _object_categories(series) or (), False
    kinds = {_kind(value) for value in values}
    return addresses or len(kinds) > 1


def _kind(value: Any) -> Any:
    """Return what all values of a column must have in common."""
    if isinstance(value, Real) and not isinstance(value, bool | np.bool_):
        return Real
    if isinstance(value, datetime.datetime):
        return type(value), value.tzinfo is None
    return type(value)


def _texts(series: Any, name: str) -> pa.Array:
    import pyarrow as pa

    missing = series.is_null().to_list()
    values = [None if gone else v for v, gone in zip(series.to_list(), missing, strict=True)]
    for kind in set(map(type, values)):
        if (kind.__str__, kind.__repr__) == ADDRESS:
            raise DataError(
                f"column '{name}' holds Python objects of type {kind.__name__}, whose text is only "
                "their address in memory; convert them to text or numbers, or leave the column out"
            )
    texts = [None if value is None else str(value) for value in values]
    return pa.array(texts, pa.string())
