"""Dates as files write them: read, typed, and written as they stood."""

from __future__ import annotations

from datetime import date, datetime

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.io.date_forms import DateForm, find_date_form

MONTHS = ("jan", "feb", "mrt", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec")
PATTERNS = [
    "%d.%m.%Y", "%m/%d/%Y", "%d-%m-%Y", "%Y/%m/%d", "%d.%m.%Y %H:%M", "%m/%d/%Y %H:%M:%S",
    "%Y-%m-%dT%H:%M", "%Y%m%d",
    "%d. %b %Y", "%d.%m.%Y %H:%M:%S,%f+01:00", "%d%b%Y %H:%M:%S.%f",
]  # fmt: skip
FROM_1900 = st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1))


@pytest.mark.parametrize(
    ("texts", "pattern", "first"),
    [
        (["31.12.1990", "01.05.1990"], "%d.%m.%Y", date(1990, 12, 31)),
        (["1.5.1990", "31.12.1990"], "%d.%m.%Y", date(1990, 5, 1)),
        (["12/31/1990"], "%m/%d/%Y", date(1990, 12, 31)),
        (["31/12/1990"], "%d/%m/%Y", date(1990, 12, 31)),
        (["1990-12-31 14:05"], "%Y-%m-%d %H:%M", datetime(1990, 12, 31, 14, 5)),
        (["05/1990"], "%m/%Y", date(1990, 5, 1)),
        (["1990-05"], "%Y-%m", date(1990, 5, 1)),
        (["2020-W53"], "%G-W%V", date(2020, 12, 28)),
        (["2020Q3"], "%YQ", date(2020, 7, 1)),
        (["31.12.90"], "%d.%m.%y", date(1990, 12, 31)),
        (["31.12.29"], "%d.%m.%y", date(2029, 12, 31)),
        (["29.02.32"], "%d.%m.%y", date(1932, 2, 29)),
        (["1.5.05"], "%d.%m.%y", date(2005, 5, 1)),
        (["31DEC1990", "01MAY1991"], "%d%b%Y", date(1990, 12, 31)),
        (["1Dec1990", "31May1991"], "%d%b%Y", date(1990, 12, 1)),
        (["31-Dec-90"], "%d-%b-%y", date(1990, 12, 31)),
        (["May 1, 1990", "December 31, 1991"], "%b %d, %Y", date(1990, 5, 1)),
        (["May 1990", "Dec 1991"], "%b %Y", date(1990, 5, 1)),
        (["1. März 1990"], "%d. %b %Y", date(1990, 3, 1)),
        (["1 mai 1990", "14 août 1991"], "%d %b %Y", date(1990, 5, 1)),
        (["31 de enero de 1990"], "%d de %b de %Y", date(1990, 1, 31)),
        (["01/mar/1990", "31/dez/1990"], "%d/%b/%Y", date(1990, 3, 1)),
        (["31 agosto 1990", "1 maggio 1990"], "%d %b %Y", date(1990, 8, 31)),
        (["1 mrt. 1990"], "%d %b. %Y", date(1990, 3, 1)),
        (
            ["1990-12-31T14:05:06.070"],
            "%Y-%m-%dT%H:%M:%S.%f",
            datetime(1990, 12, 31, 14, 5, 6, 70_000),
        ),
        (
            ["1960-12-31 14:05:06,5Z"],
            "%Y-%m-%d %H:%M:%S,%fZ",
            datetime(1960, 12, 31, 14, 5, 6, 500_000),
        ),
        (["1.5.1990 14:05-01:00"], "%d.%m.%Y %H:%M-01:00", datetime(1990, 5, 1, 14, 5)),
        (
            ["1990-12-31 14:05:06 +0000"],
            "%Y-%m-%d %H:%M:%S +0000",
            datetime(1990, 12, 31, 14, 5, 6),
        ),
    ],
)
def test_forms(texts: list[str], pattern: str, first: date) -> None:
    column = pa.chunked_array([[*texts, None]])
    form = find_date_form(column)
    assert form is not None
    assert form.pattern == pattern
    dates = form.read(column)
    assert dates is not None
    assert dates.to_pylist()[0] == first
    assert form.write(dates).to_pylist() == [*texts, None]


@pytest.mark.parametrize(
    "texts",
    [
        ["31.02.1990"],
        ["1990-13"],
        ["31.12.1990", "12.31.1990"],
        ["0012-05"],
        ["a"],
        ["1.2.3"],
        ["31 Dec 1990", "31 dec 1990"],
        ["31 Dezz 1990"],
        ["31 Dec 1990", "31 Dez 1990"],
        ["1990-12-31T14:05+01:00", "1990-06-30T14:05+02:00"],
        ["1990-12-31 14:05:06.5", "1990-12-31 14:05:06.25"],
    ],
)
def test_no_forms(texts: list[str]) -> None:
    assert find_date_form(pa.chunked_array([texts])) is None


def test_no_dates_have_no_form() -> None:
    assert find_date_form(pa.chunked_array([[None, None]], pa.string())) is None


@given(
    st.lists(FROM_1900, min_size=1, max_size=5),
    st.sampled_from(PATTERNS),
    st.booleans(),
    st.integers(1, 6),
)
def test_what_is_written_reads_as_the_same(
    moments: list[datetime], pattern: str, padded: bool, digits: int
) -> None:
    months = MONTHS if "%b" in pattern else ()
    form = DateForm(pattern, padded or "." not in pattern, months, digits * ("%f" in pattern))
    texts = form.write(pa.array(moments, pa.timestamp("us")))
    again = form.read(texts)
    assert again is not None
    assert form.write(again).to_pylist() == texts.to_pylist()
