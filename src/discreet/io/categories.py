"""Categories that no record has: a released column must not list what protection took away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["with_used_categories"]


def with_used_categories(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a dictionary column that lists each category that occurs once, in their order.

    >>> import pyarrow as pa
    >>> codes, listed = pa.array([2, 0, 3, 2]), pa.array(["b", "gone", "a", None])
    >>> column = pa.chunked_array([pa.DictionaryArray.from_arrays(codes, listed)])
    >>> compact = with_used_categories(column)
    >>> compact.to_pylist(), compact.chunk(0).dictionary.to_pylist()
    (['a', 'b', None, 'a'], ['b', 'a'])
    """
    import pyarrow as pa
    import pyarrow.types as types

    kind = column.type
    if not types.is_dictionary(kind):
        return column
    whole = column.unify_dictionaries().combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        whole = whole.chunk(0) if whole.num_chunks else pa.array([], kind)
    listed = whole.dictionary
    # The same category may be listed twice, and a missing value as one of them; code -1 is last.
    first = np.append(_first_places(listed), -1)
    codes = first[whole.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)]
    used = np.unique(codes[codes >= 0])
    places = np.searchsorted(used, codes)
    compact = pa.DictionaryArray.from_arrays(
        pa.array(places, mask=codes < 0).cast(kind.index_type),
        listed.take(pa.array(used)),
        ordered=kind.ordered,
    )
    return pa.chunked_array([compact])


def _first_places(listed: pa.Array) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return for each entry of a list where it stands first, -1 for a missing one."""
    import pyarrow as pa

    try:
        codes = listed.dictionary_encode().indices.cast(pa.int64()).fill_null(-1)
    except pa.ArrowNotImplementedError:
        # Values that Arrow cannot compare, such as lists, are told apart by their places.
        places = np.arange(len(listed))
        return np.where(np.asarray(listed.is_valid()), places, -1)
    numbers = codes.to_numpy(zero_copy_only=False)
    _, starts = np.unique(numbers[numbers >= 0], return_index=True)
    present = np.flatnonzero(numbers >= 0)
    return np.where(numbers < 0, -1, np.append(present[starts], -1)[numbers])
