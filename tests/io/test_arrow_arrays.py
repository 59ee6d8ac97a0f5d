"""Columns of frames as arrays: kinds, categories, missing values, and what cannot be measured."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import polars.testing
import pyarrow as pa
import pytest

from discreet import DataError, Kind, UsageError
from discreet.io.arrow_arrays import in_words, require_writable_times
from discreet.io.frames import from_native


def test_kinds_follow_from_the_types() -> None:
    frame = pl.DataFrame(
        {
            "number": [1.5],
            "whole": pl.Series([1], dtype=pl.UInt8),
            "decimal": [Decimal("1.1")],
            "day": [dt.date(2020, 1, 1)],
            "flag": [True],
            "text": ["a"],
        }
    )
    kinds = [attribute.kind for attribute in from_native(frame).schema]
    assert kinds == [Kind.CONTINUOUS] * 4 + [Kind.NOMINAL] * 2


def test_the_kind_of_categories_follows_from_their_order() -> None:
    ordered = pd.Categorical(["lo"], categories=["lo", "hi"], ordered=True)
    data = from_native(pd.DataFrame({"a": ordered, "b": pd.Categorical(["x"])}))
    assert data.schema["a"].kind is Kind.ORDINAL
    assert data.schema["a"].categories == ("lo", "hi")
    assert data.schema["b"].kind is Kind.NOMINAL


def test_unused_categories_are_kept_in_their_order() -> None:
    data = from_native(pd.DataFrame({"a": pd.Categorical(["a", None], categories=["z", "b", "a"])}))
    assert data.schema["a"].categories == ("z", "b", "a")
    assert data["a"].tolist() == [2, -1]


def test_categories_of_plain_text_are_sorted() -> None:
    data = from_native(pa.table({"a": ["c", None, "a", "b", "a"]}))
    assert data.schema["a"].categories == ("a", "b", "c")
    assert data["a"].tolist() == [2, -1, 0, 1, 0]


@pytest.mark.parametrize("chunks", [1, 3])
def test_chunks_with_dictionaries_of_their_own_are_one_column(chunks: int) -> None:
    parts = [pa.array(["b", "a"]).dictionary_encode(), pa.array(["c", "a"]).dictionary_encode(),
             pa.array(["a", None]).dictionary_encode()][:chunks]  # fmt: skip
    data = from_native(pa.table({"x": pa.chunked_array(parts)}))
    texts = [None if c < 0 else data.schema["x"].categories[c] for c in data["x"]]
    assert texts == ["b", "a", "c", "a", "a", None][: 2 * chunks]


def test_a_mixed_column_of_objects_is_read_as_text() -> None:
    frame = pd.DataFrame({"x": pd.Series([1, "one", 2.5, None, np.nan], dtype=object)})
    data = from_native(frame)
    assert data.schema["x"].categories == ("1", "2.5", "one")
    assert data["x"].tolist() == [0, 2, 1, -1, -1]


def test_a_number_that_others_use_for_missing_is_a_value() -> None:
    data = from_native(pa.table({"x": [-999, -1, None]}), kinds={"x": "continuous"})
    assert data["x"][:2].tolist() == [-999.0, -1.0]
    assert data.column("x").missing.tolist() == [False, False, True]
    nominal = from_native(pa.table({"x": [-999, -1, None]}), kinds={"x": "nominal"})
    assert nominal.schema["x"].categories == (-999, -1)
    assert nominal["x"].tolist() == [0, 1, -1]


@pytest.mark.parametrize("make", [pl.DataFrame, pa.table])
def test_nan_and_null_are_both_missing(make: Any) -> None:
    data = from_native(make({"x": [1.0, float("nan"), None]}))
    assert data.column("x").missing.tolist() == [False, True, True]


def test_declared_categories_give_the_order() -> None:
    data = from_native(pa.table({"x": ["hi", None, "lo"]}), kinds={"x": ["lo", "mid", "hi"]})
    assert data.schema["x"].kind is Kind.ORDINAL
    assert data.schema["x"].categories == ("lo", "mid", "hi")
    assert data["x"].tolist() == [2, -1, 0]


def test_declared_categories_of_numbers() -> None:
    data = from_native(pa.table({"x": [3, 1, 2]}), kinds={"x": [3, 2, 1]})
    assert data["x"].tolist() == [0, 2, 1]


def test_a_value_outside_its_declared_categories_is_named_by_row_alone() -> None:
    with pytest.raises(DataError, match=r"column 'x' holds a value .* 2 declared .*row 3") as error:
        from_native(pa.table({"x": ["lo", "hi", "Smith"]}), kinds={"x": ["lo", "hi"]})
    assert "Smith" not in str(error.value)


def test_declared_categories_must_differ() -> None:
    with pytest.raises(UsageError, match="categories of column 'x' must differ"):
        from_native(pa.table({"x": ["lo"]}), kinds={"x": ["lo", "lo"]})


@pytest.mark.parametrize("role", ["quasi-identifier", "confidential", "weight"])
@pytest.mark.parametrize("value", [float("inf"), float("-inf"), 1.23e150])
def test_values_beyond_measure_are_refused_by_row(role: str, value: float) -> None:
    with pytest.raises(DataError, match=r"column 'x' .* row 3; ") as error:
        from_native(pa.table({"x": [1.0, None, value, value]}), roles={"x": role})
    assert "1.23" not in str(error.value)


def test_infinite_values_of_a_bystander_are_let_through() -> None:
    data = from_native(pa.table({"x": [1.0, float("inf")]}), roles={"x": "other"})
    assert data.frame()["x"].to_pylist() == [1.0, float("inf")]


def test_text_in_a_continuous_column_is_named_by_row_alone() -> None:
    with pytest.raises(DataError, match=r"text as well as numbers .*row 2") as error:
        from_native(pa.table({"x": ["1", "Smith", "2"]}), kinds={"x": "continuous"})
    assert "Smith" not in str(error.value)
    with pytest.raises(DataError, match="column 'x' holds text"):
        from_native(pa.table({"x": ["a", "b"]}), kinds={"x": "continuous"})


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (pa.date32(), 2932897.0),
        (pa.date64(), -719163.0),
        (pa.date32(), 1e15),
        (pa.timestamp("s"), 253402300800e6),
        (pa.timestamp("us", "Europe/Berlin"), -62135596801e6),
        # A nanosecond more and 2262 would come back as 1677.
        (pa.timestamp("ns"), 9223372036854776.0),
        (pa.duration("ns"), -9223372036854776.0),
        (pa.duration("us"), 1e19),
        (pa.time64("us"), -1.0),
        (pa.time32("s"), 86400e6),
    ],
)
def test_times_that_no_calendar_has_are_refused(kind: pa.DataType, value: float) -> None:
    with pytest.raises(DataError, match="column 'seen'") as caught:
        require_writable_times(np.array([0.0, value]), kind, "seen")
    assert str(value) not in str(caught.value)


def test_the_last_days_of_the_calendar_are_written() -> None:
    require_writable_times(np.array([-719162.0, 2932896.0]), pa.date32(), "seen")
    require_writable_times(np.array([0.0, 86399999999.0]), pa.time64("us"), "seen")
    require_writable_times(np.array([]), pa.timestamp("ns"), "seen")


def test_values_in_words_differ_where_the_values_do() -> None:
    records = pa.array([{"a": 1, "b": "x"}, {"a": 1, "b": "y"}, None, {"a": 1, "b": "x"}])
    words = in_words(records, "file").to_pylist()
    assert words[0] == words[3] != words[1]
    assert words[2] is None
    listed = pa.array([[0.0], [-0.0]])
    assert len(set(in_words(listed, "x").to_pylist())) == 2


def test_values_in_words_that_cannot_be_read_are_refused_without_a_quote() -> None:
    texts = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.py_buffer(np.array([0, 2], np.int32)), pa.py_buffer(b"\xff\xfe")]
    )
    listed = pa.ListArray.from_arrays(pa.array([0, 1], pa.int32()), texts)
    with pytest.raises(DataError, match=r"'remarks' holds values of type list.*cannot be read"):
        in_words(listed, "remarks")


def test_intervals_of_the_calendar_are_no_numbers() -> None:
    spans = pa.array([(1, 2, 3), (0, 1, 0)], pa.month_day_nano_interval())
    with pytest.raises(DataError, match="'span' holds values of type month_day_nano_interval"):
        from_native(pa.table({"span": spans}), {"span": "quasi-identifier"}, {"span": "continuous"})
