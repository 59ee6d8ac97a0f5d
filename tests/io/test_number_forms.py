"""Amounts as files write them: with signs of thousands, currency and percent."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.io.number_forms import NumberForm, find_number_form


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["1.234,50 €", "12,00 €", "-3,00 €"], [1234.5, 12.0, -3.0]),
        (["$1,234,567.50", "$0.00"], [1234567.5, 0.0]),
        (["R$ 1.200,00"], [1200.0]),
        (["12%", "7.5%"], [12.0, 7.5]),
        (["12,5 %", "7,0 %"], [12.5, 7.0]),
        (["1'234.50", "2.00"], [1234.5, 2.0]),
        (["1 234,5", "2,5"], [1234.5, 2.5]),
        (["EUR 12", "EUR 1,200"], [12, 1200]),
    ],
)
def test_forms(texts: list[str], values: list[float]) -> None:
    column = pa.chunked_array([[*texts, None]])
    form = find_number_form(column)
    assert form is not None
    numbers = form.read(column)
    assert numbers is not None
    assert numbers.to_pylist() == [*values, None]
    assert form.write(numbers).to_pylist() == [*texts, None]


@pytest.mark.parametrize(
    "texts", [["12", "13"], ["1.5"], ["A12"], ["$5.00", "$12,00.00"], ["$1", "€2"], ["ABC 1"]]
)
def test_no_forms(texts: list[str]) -> None:
    assert find_number_form(pa.chunked_array([texts])) is None


def test_the_decimal_sign_of_the_file_decides() -> None:
    column = pa.chunked_array([["1.234", "12"]])
    assert find_number_form(column, ".") is None
    assert find_number_form(column, ",") == NumberForm(".", ",", 0)


def test_means_are_written_with_the_decimals_of_the_column() -> None:
    form = NumberForm(".", ",", 2, suffix=" €")
    assert form.write(pa.array([1234.5678, -0.001, float("nan")])).to_pylist() == [
        "1.234,57 €",
        "0,00 €",
        None,
    ]


@given(
    st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=5),
    st.sampled_from([(",", "."), (".", ","), ("'", "."), ("", ",")]),
    st.integers(0, 4),
    st.sampled_from(["", " €", "%"]),
)
def test_what_is_written_reads_as_the_same(
    values: list[float], signs: tuple[str, str], decimals: int, suffix: str
) -> None:
    form = NumberForm(*signs, decimals, suffix=suffix)
    texts = form.write(pa.array(values))
    numbers = form.read(texts)
    assert numbers is not None
    assert form.write(numbers).to_pylist() == texts.to_pylist()
