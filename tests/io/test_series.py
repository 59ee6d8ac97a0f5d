"""Columns of Python objects, and values that a frame shows in two ways."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from discreet.errors import DataError
from discreet.io.series import arrow_of, written_in_two_ways
from discreet.microdata import Role


def series(values: list[Any], dtype: Any = object) -> Any:
    return nw.from_native(pd.DataFrame({"x": pd.Series(values, dtype=dtype)}), eager_only=True)["x"]


@pytest.mark.parametrize(
    ("values", "held"),
    [
        ([1, 2.5, None], [1.0, 2.5, None]),
        ([1, "1", 2.5], ["1", "1", "2.5"]),
        ([True, 1], ["True", "1"]),
        ([Decimal("1.0"), Decimal("1.00")], [Decimal("1.00"), Decimal("1.00")]),
        ([Decimal("1.0"), "1.00"], ["1.0", "1.00"]),
        (
            [dt.date(2020, 1, 1), dt.datetime(2020, 1, 1, 15)],
            ["2020-01-01", "2020-01-01 15:00:00"],
        ),
        (["a", b"a"], ["a", "b'a'"]),
        ([2**70, 1], [str(2**70), "1"]),
    ],
)
def test_objects_of_several_types_are_their_texts(values: list[Any], held: list[Any]) -> None:
    assert arrow_of(series(values), "x").to_pylist() == held


def test_objects_of_polars_are_not_their_addresses() -> None:
    column = nw.from_native(
        pl.DataFrame({"x": pl.Series([1, "1", None], dtype=pl.Object)}), eager_only=True
    )["x"]
    assert arrow_of(column, "x").to_pylist() == ["1", "1", None]


class Unspeaking:
    """What has no text of its own."""


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_objects_without_a_text_are_refused(library: str) -> None:
    values = [Unspeaking(), Unspeaking()]
    frame = (
        pd.DataFrame({"x": values})
        if library == "pandas"
        else pl.DataFrame({"x": pl.Series(values, dtype=pl.Object)})
    )
    with pytest.raises(DataError, match="'x' holds Python objects of type Unspeaking"):
        arrow_of(nw.from_native(frame, eager_only=True)["x"], "x")


@pytest.mark.parametrize(
    ("column", "doubtful"),
    [
        (series(["a", "b"]), False),
        (series(["a", None]), True),
        (series([1, 1.0]), True),
        (series([1, 2]), True),
        (series([1.5, 2.5], float), False),
        (series([1.5, None], float), True),
        (series([0.0, -0.0], float), True),
        (series(["a", "b"], "category"), False),
        (series([1, "1"], pd.CategoricalDtype(pd.Index([1, "1"], dtype=object))), True),
        (series([1, 2], "int64"), False),
    ],
)
def test_what_a_frame_could_show_in_two_ways(column: Any, doubtful: bool) -> None:
    assert written_in_two_ways(column, arrow_of(column, "x"), Role.QUASI_IDENTIFIER) is doubtful


ODD_NAN = np.array([0x7FF8000000000123], np.uint64).view(np.float64)[0]


@pytest.mark.parametrize(
    ("values", "of_other", "of_confidential"),
    [
        ([1.5, None], False, False),
        ([1.5, float("nan")], False, False),
        ([None, float("nan")], False, True),
        ([float("nan"), ODD_NAN], True, True),
        ([0.0, -0.0], True, True),
        ([-1.0, 2.0], False, False),
    ],
)
def test_what_other_columns_could_show(
    values: list[Any], of_other: bool, of_confidential: bool
) -> None:
    table = pa.table({"x": pa.array(values, pa.float64(), from_pandas=False)})
    column = nw.from_native(table, eager_only=True)["x"]
    array = arrow_of(column, "x")
    assert written_in_two_ways(column, array, Role.OTHER) is of_other
    assert written_in_two_ways(column, array, Role.CONFIDENTIAL) is of_confidential
    if None not in values:
        pandas = series(values, float)
        assert written_in_two_ways(pandas, arrow_of(pandas, "x"), Role.OTHER) is of_other


def test_damaged_text_is_named_by_its_column() -> None:
    damaged = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xfe")]
    )
    frame = nw.from_native(pa.table({"x": damaged}), eager_only=True)
    with pytest.raises(DataError, match="column 'x' is damaged"):
        arrow_of(frame["x"], "x")


def test_a_damaged_list_of_categories_in_pieces_is_named_by_its_column() -> None:
    good = pa.array(["a", "b"]).dictionary_encode()
    damaged = pa.DictionaryArray.from_arrays(
        pa.array([0, 36], pa.int32()), pa.array(["a", "b"]), safe=False
    )
    table = pa.table({"x": pa.chunked_array([good, damaged])})
    frame = nw.from_native(table, eager_only=True)
    with pytest.raises(DataError, match="column 'x' is damaged"):
        arrow_of(frame["x"], "x")
