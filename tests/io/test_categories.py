"""A dictionary column lists what occurs, once, in its order."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.io.categories import with_used_categories


@given(
    st.lists(st.sampled_from([None, "a", "b", "c", ""]), max_size=6),
    st.lists(st.integers(-1, 5), max_size=12),
    st.booleans(),
)
def test_values_stay_and_the_list_is_no_longer_than_they_are(
    listed: list[str | None], codes: list[int], ordered: bool
) -> None:
    inside = [None if code < 0 or code >= len(listed) else code for code in codes]
    array = pa.DictionaryArray.from_arrays(
        pa.array(inside, pa.int16()), pa.array(listed, pa.string()), ordered=ordered
    )
    compact = with_used_categories(pa.chunked_array([array.slice(0, 4), array.slice(4)]))
    assert compact.type == array.type
    assert compact.to_pylist() == array.to_pylist()
    for chunk in compact.chunks:
        left = chunk.dictionary.to_pylist()
        assert set(left) == {value for value in array.to_pylist() if value is not None}
        assert left == sorted(set(left), key=listed.index)


@pytest.mark.parametrize("values", [pa.array([[1], [2]]), pa.array(["a", "b"])])
def test_lists_are_told_apart_by_their_places(values: pa.Array) -> None:
    array = pa.DictionaryArray.from_arrays(pa.array([1, 1]), values)
    compact = with_used_categories(pa.chunked_array([array]))
    assert compact.chunk(0).dictionary.to_pylist() == values.to_pylist()[1:]


def test_a_plain_column_is_itself() -> None:
    column = pa.chunked_array([[1, 2]])
    assert with_used_categories(column) is column
    nothing = pa.chunked_array([], pa.dictionary(pa.int32(), pa.string()))
    assert with_used_categories(nothing).to_pylist() == []
