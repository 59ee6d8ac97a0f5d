"""Categories that no record has: a released column must not list what protection removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["one_list", "with_used_categories"]

Places = NDArray[np.int64]


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
    whole = one_list(column)
    codes = _codes(whole)
    used = np.unique(codes[codes >= 0])
    listed = whole.dictionary.take(pa.array(used))
    return pa.chunked_array([_listed(np.searchsorted(used, codes), codes < 0, listed, kind)])


def one_list(column: pa.ChunkedArray) -> pa.DictionaryArray:
    """Return a dictionary column in one piece, its list without repetitions and missing values.

    >>> import pyarrow as pa
    >>> pieces = [pa.array(["b", "a"]).dictionary_encode(), pa.array(["c"]).dictionary_encode()]
    >>> one_list(pa.chunked_array(pieces)).dictionary.to_pylist()
    ['b', 'a', 'c']
    """
    import pyarrow as pa

    kind = column.type
    pieces = []
    for chunk in column.chunks:
        first = _first_places(chunk.dictionary)
        kept = np.unique(first[first >= 0])
        codes = np.append(first, -1)[_codes(chunk)]
        listed = chunk.dictionary.take(pa.array(kept))
        pieces.append(_listed(np.searchsorted(kept, codes), codes < 0, listed, kind))
    if len(pieces) == 1:
        return pieces[0]
    # Arrow unifies dictionaries, but not those with missing values in them.
    together = pa.chunked_array(pieces, kind).unify_dictionaries().combine_chunks()
    return together.combine_chunks() if isinstance(together, pa.ChunkedArray) else together


def _codes(array: pa.DictionaryArray) -> Places:
    import pyarrow as pa

    codes = array.indices.cast(pa.int64()).fill_null(-1)
    return np.asarray(codes.to_numpy(zero_copy_only=False))


def _listed(
    codes: Places, missing: NDArray[np.bool_], listed: pa.Array, kind: pa.DataType
) -> pa.DictionaryArray:
    import pyarrow as pa

    indices = pa.array(codes, mask=missing).cast(kind.index_type)
    return pa.DictionaryArray.from_arrays(indices, listed, ordered=kind.ordered)


def _first_places(listed: pa.Array) -> Places:
    """Return the first position of each entry of a list, -1 for a missing one."""
    import pyarrow as pa

    try:
        codes = listed.dictionary_encode().indices.cast(pa.int64()).fill_null(-1)
    except pa.ArrowNotImplementedError:
        # Values that Arrow cannot compare, such as lists, are distinguished by position.
        places = np.arange(len(listed))
        return np.where(np.asarray(listed.is_valid()), places, -1)
    numbers = codes.to_numpy(zero_copy_only=False)
    _, starts = np.unique(numbers[numbers >= 0], return_index=True)
    present = np.flatnonzero(numbers >= 0)
    return np.where(numbers < 0, -1, np.append(present[starts], -1)[numbers])
