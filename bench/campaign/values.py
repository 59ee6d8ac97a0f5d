"""Values as Python source, by type: ordinary ones and those that break tables.

A value is a piece of source, so that a reproducer can be read, run and edited by hand.
"""

from __future__ import annotations

import datetime
import math
import struct
import zoneinfo
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

Source = str


def nan_with(payload: int) -> float:
    """Return a NaN that differs from others only in its bits."""
    return float(struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000000 | payload))[0])


def names() -> dict[str, Any]:
    """Return the names that sources may use."""
    import numpy as np
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    return {
        "np": np,
        "pd": pd,
        "pl": pl,
        "pa": pa,
        "nan": math.nan,
        "inf": math.inf,
        "nan_with": nan_with,
        "Decimal": Decimal,
        "datetime": datetime,
        "ZoneInfo": zoneinfo.ZoneInfo,
        "arrow_of": _arrow_of,
    }


def _arrow_of(values: list[Any], kind: Any, cut: int = 0) -> Any:
    """Return an Arrow column in one piece, or in two that were made separately."""
    import pyarrow as pa

    if not cut:
        return pa.array(values, kind)
    return pa.chunked_array([pa.array(values[:cut], kind), pa.array(values[cut:], kind)], type=kind)


def chance(draw: Any, one_in: int) -> bool:
    """Return True once in this many times; the smallest case has False."""
    return bool(draw(st.sampled_from([False] * (one_in - 1) + [True])))


def whole_numbers(low: int, high: int) -> st.SearchStrategy[Source]:
    """Return whole numbers of a type: small ones, and those at the edges of what a float holds."""
    edges = [low, high, 2**53, 2**53 + 1, -(2**53) - 1, 10**17, 10**17 + 1, 10**9, -999]
    fitting = sorted({number for number in edges if low <= number <= high}, key=abs)
    small = st.integers(max(low, -3), min(high, 12))
    return st.one_of(small, small, small, st.sampled_from(fitting)).map(repr)


FLOATS = [
    "0.0",
    "-0.0",
    "0.5",
    "1.5",
    "-3.5",
    "3.5",
    "30.5",
    "0.1",
    "0.3",
    "0.1+0.2",
    "1/3",
    "1e-3",
    "12345.678",
    "1e15",
    "9007199254740993.0",
    "5e-324",
    "-5e-324",
    "1e-310",
    "1e139",
    "1e141",
    "1.7e308",
    "-1.7e308",
    "inf",
    "-inf",
    "nan",
    "nan_with(1)",
    "nan_with(77)",
]
ORDINARY_FLOATS = FLOATS[:13]
TEXTS = [
    *("a", "b", "c", "A", "a ", " a", "", " ", "NA", "nan", "null", "None", "true", "no", "~"),
    *("1", "1.0", "01", "-0", "0", "1e3", "9007199254740993", "2020-01-31", "12:30", "*", "."),
    *("\u00e9", "e\u0301", "\ufb01", "ß", "ẞ", "İ", "\u00c5", "\u212b", "日本", "שלום", "🙂"),
    *("\u200ba", "a\u00a0b", "a b", "\ufeffa"),
    *("=1+1", "+1", "-1", "@x", "\ta", "x\ny", 'q"r', "q,r", "q;r", "'", "\\", "<b>", "&amp;"),
    *("Quellbrunn", "Ziegelau", "Wolkenstein", "Ehrwald-7"),
]


def floats(finite: bool = False) -> st.SearchStrategy[Source]:
    """Return floats: mostly plain ones, and some with which arithmetic cannot be trusted."""
    plain = st.sampled_from(ORDINARY_FLOATS)
    drawn = st.floats(allow_nan=False, allow_infinity=False, width=32).map(repr)
    rare = st.sampled_from(FLOATS)
    return st.one_of(plain, plain, plain, drawn) if finite else st.one_of(plain, plain, drawn, rare)


def texts() -> st.SearchStrategy[Source]:
    """Return texts: ordinary words, look-alikes, blanks, and what a spreadsheet would run."""
    known = st.sampled_from(TEXTS)
    letters = st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\x00")
    return st.one_of(known, known, known, st.text(letters, max_size=6)).map(repr)


def decimals(places: int) -> st.SearchStrategy[Source]:
    """Return decimal numbers with this many places."""
    drawn = st.one_of(
        st.integers(-50, 50),
        st.integers(-50, 50),
        st.sampled_from([10**16 + 1, 10**16 + 2, -(10**16) - 1]),
    )
    return drawn.map(lambda whole: f"Decimal({str(Decimal(whole).scaleb(-places))!r})")


def days() -> st.SearchStrategy[Source]:
    """Return dates: a few days in one year, and the ends of the calendar."""
    near = st.integers(1, 28).map(lambda day: f"datetime.date(1980, 5, {day})")
    far = st.sampled_from(
        [
            "datetime.date(1, 1, 1)",
            "datetime.date(9999, 12, 31)",
            "datetime.date(1969, 12, 31)",
            "datetime.date(2024, 2, 29)",
        ]
    )
    return st.one_of(near, near, far)


def moments() -> st.SearchStrategy[Source]:
    """Return points in time: midnights, hours, and parts of a second that a float rounds."""
    midnight = st.integers(1, 28).map(lambda day: f"datetime.datetime(2021, 3, {day})")
    hour = st.tuples(st.integers(27, 28), st.integers(0, 4)).map(
        lambda at: f"datetime.datetime(2021, 3, {at[0]}, {at[1]}, 30)"
    )
    odd = st.sampled_from(
        [
            "datetime.datetime(1970, 1, 1)",
            "datetime.datetime(1900, 1, 1, 0, 0, 0, 1)",
            "datetime.datetime(2200, 1, 1, 23, 59, 59, 999999)",
            "datetime.datetime(2021, 10, 31, 2, 30)",
        ]
    )
    return st.one_of(midnight, midnight, hour, odd)


def clock_times() -> st.SearchStrategy[Source]:
    """Return times of day."""
    return st.tuples(st.integers(0, 23), st.sampled_from([0, 0, 30, 59])).map(
        lambda at: f"datetime.time({at[0]}, {at[1]})"
    )


def spans() -> st.SearchStrategy[Source]:
    """Return lengths of time."""
    return st.integers(-3, 40).map(lambda days: f"datetime.timedelta(days={days})")
