"""Stata's missing values .a to .z: which stood where, and back into a column of numbers.

Between reading and writing, a letter is the number that Stata itself reserves for it: the highest
32-bit integers, which no variable of whole numbers has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from discreet.microdata import Microdata, Role

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["numbers_and_tags", "tags_of", "with_tags"]

TAG_A = 2**31 - 26
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def tags_of(values: Mapping[str, Sequence[Any]]) -> dict[str, pa.Array]:
    """Return which letter stood where, by column, of values that pyreadstat read with them.

    >>> tags_of({"pay": [5.0, "b", None], "age": [1, 2, 3]})["pay"].to_pylist()
    [None, 'b', None]
    """
    import pyarrow as pa

    letters_by_column = {
        name: pa.array([v if isinstance(v, str) else None for v in column], pa.string())
        for name, column in values.items()
    }
    return {
        name: letters
        for name, letters in letters_by_column.items()
        if letters.null_count < len(letters)
    }


def with_tags(table: pa.Table, data: Microdata) -> pa.Table:
    """Return the table with the numbers of letters where values were missing for their reason.

    Not in quasi-identifiers: people who refused to state their age would look different from those
    who did not know it.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    source = data.source
    codes = {} if source is None else source.codes
    for name, letters in codes.items():
        if name not in data.schema or data.schema[name].role is Role.QUASI_IDENTIFIER:
            continue
        column = table.column(name).combine_chunks()
        number = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
        if not number or not pa.types.is_string(letters.type):
            continue
        if (pc.max(column).as_py() or 0) >= TAG_A:
            continue  # a sum so large would be taken for a letter
        of_rows = letters.take(pa.array(data.rows_read))
        places = pc.add(pc.index_in(of_rows, pa.array(list(LETTERS))).cast(pa.int64()), TAG_A)
        wide = pa.int64() if pa.types.is_integer(column.type) else pa.float64()
        filled = pc.coalesce(column.cast(wide), places.cast(wide))
        table = table.set_column(table.column_names.index(name), name, filled)
    return table


def numbers_and_tags(column: pa.ChunkedArray) -> tuple[pa.ChunkedArray, list[str | None]]:
    """Return the numbers of a column without those of letters, and the letters by row.

    >>> import pyarrow as pa
    >>> numbers, letters = numbers_and_tags(pa.chunked_array([[5, TAG_A + 1, None]]))
    >>> numbers.to_pylist(), letters
    ([5, None, None], [None, 'b', None])
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    is_tag = pc.fill_null(pc.greater_equal(column, TAG_A), False)
    letters = [
        LETTERS[int(value) - TAG_A] if tagged else None
        for value, tagged in zip(column.to_pylist(), is_tag.to_pylist(), strict=True)
    ]
    return pc.if_else(is_tag, pa.scalar(None, column.type), column), letters
