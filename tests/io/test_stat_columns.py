"""Columns as statistics packages hold them."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from discreet.errors import DataError
from discreet.io.files import format_for, read_table, write_table
from discreet.io.stat_columns import to_stat


@pytest.mark.parametrize("suffix", [".sav", ".dta", ".xpt"])
@pytest.mark.parametrize(
    ("column", "values"),
    [
        (pa.array([True, None, False]), [1, None, 0]),
        (pa.array(["a", "b", "a"]).dictionary_encode(), ["a", "b", "a"]),
        (pa.array([1, 2**40, None]), [1, 2**40, None]),
        (pa.array([1.5, float("nan"), None]), [1.5, None, None]),
        (pa.array(["", "é🂡", None]), [None, "é🂡", None]),
        (pa.nulls(3), [None] * 3),
        (pa.array([None] * 3, pa.string()), [None] * 3),
        (pa.array([0.5, 1.5, None], pa.float32()), [0.5, 1.5, None]),
        (pa.array([datetime.datetime(2020, 1, 2)] * 3, pa.timestamp("ns")), None),
    ],
)
def test_types(tmp_path: Path, suffix: str, column: pa.Array, values: list[Any]) -> None:
    file = tmp_path / f"x{suffix}"
    write_table(pa.table({"x": column}), file, format_for(suffix))
    expected = [datetime.datetime(2020, 1, 2)] * 3 if values is None else values
    assert read_table(file).table.column("x").to_pylist() == expected


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (pa.table({"x": [2**60]}), "2 to the power 53"),
        (pa.table({"x": [[1]]}), "is of type list"),
        (pa.table({"two words": [1]}), "contains a space"),
        (pa.table({"x": ["a\0b"]}), "NUL character"),
        (pa.table({}), "has none"),
    ],
)
def test_what_they_cannot_hold(tmp_path: Path, table: pa.Table, words: str) -> None:
    with pytest.raises(DataError) as caught:
        write_table(table, tmp_path / "x.sav", format_for("sav"))
    assert words in str(caught.value)


@pytest.mark.parametrize("days", [[0, -800_000], [0, 3_000_000]])
@pytest.mark.parametrize("kind", [pa.date32(), pa.timestamp("us")])
def test_dates_beyond_the_calendar_are_refused(days: list[int], kind: pa.DataType) -> None:
    factor = 1 if kind == pa.date32() else 86_400_000_000
    column = pa.chunked_array([pa.array([day * factor for day in days], kind)])
    with pytest.raises(DataError, match="years 1 to 9999, and column 'day'"):
        to_stat(column, "day", keep_float=False)
