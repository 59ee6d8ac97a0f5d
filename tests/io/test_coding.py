"""Categories become codes, whether they are few or many and in whatever pieces they are."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.io import coding
from discreet.io.coding import codes_of


def test_texts_in_pieces_have_the_codes_of_the_whole() -> None:
    texts = ["b", None, "ä", "a", "b", "", None, "c"]
    pieces = pa.chunked_array([texts[:3], [], texts[3:5], texts[5:]], pa.string())
    codes, categories = codes_of(pieces, "x", None)
    whole, listed = codes_of(pa.array(texts), "x", None)
    assert (codes.tolist(), categories) == (whole.tolist(), listed)


@given(
    st.lists(st.lists(st.sampled_from(["a", "b", "ä", "", "c", "Z", None]), max_size=9)),
    st.integers(1, 7),
    st.sampled_from([0, 3, 200]),
)
def test_texts_have_the_same_codes_whether_they_are_few_or_many(
    pieces: list[list[str | None]], at_once: int, few: int
) -> None:
    texts = [text for piece in pieces for text in piece]
    listed = sorted({text for text in texts if text is not None})
    expected = [-1 if text is None else listed.index(text) for text in texts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coding, "AT_ONCE", at_once)
        patch.setattr(coding, "FEW", few)
        for array in (pa.chunked_array(pieces, pa.string()), pa.array(texts, pa.large_string())):
            codes, categories = codes_of(array, "x", None)
            assert (codes.tolist(), list(categories)) == (expected, listed)


def test_whole_numbers_that_are_codes_are_listed_in_order() -> None:
    numbers = [7, -3, None, 2**60, 7] * 20_000 + list(range(500, 0, -1))
    codes, categories = codes_of(pa.array(numbers), "x", None)
    listed = sorted({number for number in numbers if number is not None})
    place = {number: code for code, number in enumerate(listed)}
    assert list(categories) == listed
    assert codes.tolist() == [-1 if number is None else place[number] for number in numbers]
