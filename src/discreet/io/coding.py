"""Arrow arrays of categories as codes, and the list of these categories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError, UsageError
from discreet.io.arrow_arrays import is_text
from discreet.microdata import MISSING_CODE
from discreet.microdata.whole_numbers import AT_ONCE

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["codes_of", "encoded_once"]

FEW = 200
"""Up to so many distinct values are a few."""


def encoded_once(array: pa.Array | pa.ChunkedArray) -> pa.DictionaryArray:
    """Return the values as codes into those that occur.

    >>> import pyarrow as pa
    >>> encoded_once(pa.array([1.5, 2.5, 1.5], pa.float32()).cast(pa.float16())).indices.to_pylist()
    [0, 1, 0]
    """
    import pyarrow as pa

    # Arrow encodes half floats only from version 26 on; single ones hold them exactly.
    encoded = (
        array.cast(pa.float32()) if pa.types.is_float16(array.type) else array
    ).dictionary_encode()
    # All chunks share one list; joined earlier, the texts would be copied, not only their codes.
    return encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded


def codes_of(
    array: pa.Array, name: str, order: Sequence[Any] | None
) -> tuple[NDArray[np.int32], tuple[Any, ...]]:
    """Return codes into sorted categories (or into `order`, or into the dtype's own order).

    >>> import pyarrow as pa
    >>> codes_of(pa.array(["b", None, "a", "b"]), "grade", None)
    (array([ 1, -1,  0,  1], dtype=int32), ('a', 'b'))
    """
    import pyarrow as pa
    import pyarrow.types as types

    given = types.is_dictionary(array.type)
    if order is None and not given and (is_text(array.type) or types.is_integer(array.type)):
        return _codes_in_order(array)
    encoded = array if given else encoded_once(array)
    categories = _python_values(encoded.dictionary)
    indices = encoded.indices.cast(pa.int64()).fill_null(MISSING_CODE).to_numpy()
    codes = np.asarray(indices, dtype=np.int64)
    missing = [c is None or c != c for c in categories]
    if order is None:
        keep = [i for i in range(len(categories)) if not missing[i]]
        if not given:
            keep = _sorted(categories, keep)
        final = [categories[i] for i in keep]
    else:
        final = list(order)
        if any(isinstance(category, list | dict | set) for category in final):
            raise UsageError(f"the categories of column '{name}' must be plain values, not lists")
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


def _codes_in_order(
    array: pa.Array | pa.ChunkedArray,
) -> tuple[NDArray[np.int32], tuple[Any, ...]]:
    """Return codes into sorted texts or numbers; those of UTF-8 are sorted as those of Python."""
    import pyarrow.compute as pc

    codes = np.empty(len(array), np.int32)
    listed = _codes_of_few(array, codes)
    if listed is None:
        encoded = encoded_once(array)
        listed, indices = encoded.dictionary, encoded.indices
        codes[:] = indices.fill_null(MISSING_CODE) if indices.null_count else indices
    order = pc.sort_indices(listed)
    in_order = np.arange(len(order))
    if not np.array_equal(order, in_order):
        places = np.full(len(order) + 1, MISSING_CODE, dtype=np.int32)
        places[order] = in_order
        for start in range(0, len(codes), AT_ONCE):
            some = codes[start : start + AT_ONCE]
            # A missing value has the code -1, which selects the last place.
            some[:] = places.take(some, mode="wrap")
    return codes, tuple(listed.take(order).to_pylist())


def _codes_of_few(array: pa.Array | pa.ChunkedArray, codes: NDArray[np.int32]) -> pa.Array | None:
    """Write the places of values in a list, and return it; None if there are more than a few.

    Looking values up in a list is faster than building a dictionary of all of them.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    listed = pa.array([], array.type)
    for start in range(0, len(array), AT_ONCE):
        some = array.slice(start, AT_ONCE)
        found = pc.index_in(some, value_set=listed)
        if found.null_count > some.null_count:
            unseen = some.filter(found.is_null()).unique().drop_null()
            if len(listed) + len(unseen) > FEW:
                return None
            listed = pa.concat_arrays([listed, unseen.take(pc.sort_indices(unseen))])
            found = pc.index_in(some, value_set=listed)
        codes[start : start + len(some)] = found.fill_null(MISSING_CODE)
    return listed


def _python_values(listed: pa.Array) -> list[Any]:
    """Return categories as Python values; moments that Python cannot hold become integers."""
    import pyarrow as pa
    import pyarrow.types as types

    if not types.is_temporal(listed.type) or types.is_interval(listed.type):
        return list(listed.to_pylist())
    try:
        values = list(listed.to_pylist())
        if len(set(values)) == len(listed.unique()):
            return values
    except (OverflowError, ValueError):
        pass
    whole = pa.int32() if types.is_time32(listed.type) or types.is_date32(listed.type) else None
    return list(listed.cast(whole or pa.int64()).to_pylist())


def _sorted(categories: Sequence[Any], keep: list[int]) -> list[int]:
    try:
        return sorted(keep, key=lambda i: categories[i])
    except TypeError:
        return sorted(keep, key=lambda i: str(categories[i]))
