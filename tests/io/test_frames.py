"""Frames at the edge: in and out again, as the kind that came in, with nothing lost."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import polars.testing
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pandas.api.types import pandas_dtype

import discreet
from discreet import DataError, Microdata, UsageError
from discreet.io.frames import from_native, to_native, to_table
from discreet.microaggregation.partition import MDAV
from discreet.publishing.verifying import verify

PAIRS = discreet.Microaggregation(MDAV(k=2))
AGES = [21, 23, 61, 65]
MOMENTS = [
    dt.datetime(2020, 1, 1, 12),
    None,
    dt.datetime(1969, 7, 20, 20, 17),
    dt.datetime(2021, 5, 5),
]
DAYS = [dt.date(2020, 1, 1), None, dt.date(1969, 7, 20), dt.date(2021, 5, 5)]
WIDE = [2**53, 2**53 + 1, 2**63 - 1, -(2**63)]


def pandas_columns() -> dict[str, Any]:
    moments = pd.to_datetime(pd.Series(MOMENTS))
    return {
        "int64": pd.Series(WIDE),
        "int8": pd.Series([1, -5, 127, -128], dtype="int8"),
        "uint64": pd.Series([0, 1, 2**64 - 1, 2**63], dtype="uint64"),
        "float64": pd.Series([0.1, np.nan, -0.0, 1e300]),
        "float32": pd.Series([0.1, np.nan, 3, 4], dtype="float32"),
        "infinite": pd.Series([np.inf, -np.inf, np.nan, 0]),
        "bool": pd.Series([True, False, True, True]),
        "Int64": pd.Series([1, None, 2**53 + 1, 3], dtype="Int64"),
        "UInt8": pd.Series([1, None, 255, 3], dtype="UInt8"),
        "Float64": pd.Series([1.5, None, 2, 3], dtype="Float64"),
        "boolean": pd.Series([True, None, False, True], dtype="boolean"),
        "string": pd.Series(["a", None, "", "ä"], dtype="string"),
        "str": pd.Series(["a", None, "", "ä"]),
        "object text": pd.Series(["a", None, "", "ä"], dtype=object),
        "mixed": pd.Series([1, "1", 2.5, None], dtype=object),
        "mixed with NA": pd.Series([1, "one", pd.NA, np.nan], dtype=object),
        "category": pd.Series(pd.Categorical(["b", None, "a", "b"], categories=["b", "a"])),
        "ordered": pd.Series(
            pd.Categorical(["lo", "hi", None, "lo"], categories=["lo", "hi"], ordered=True)
        ),
        "category of numbers": pd.Series(pd.Categorical([3, None, 1, 3])),
        "datetime": moments,
        "datetime[s]": moments.dt.as_unit("s"),
        "datetime[ns]": moments.dt.as_unit("ns") + pd.Timedelta(1, "ns"),
        "datetime tz": moments.dt.tz_localize("Europe/Berlin"),
        "timedelta": moments - pd.Timestamp("2000-01-01"),
        "dates as objects": pd.Series(DAYS, dtype=object),
        "lists": pd.Series([[1], [2, 3], [], None]),
        "period": pd.Series(pd.period_range("2020-01", periods=4, freq="M")),
        "interval": pd.Series(pd.interval_range(0, 4)),
        "interval category": pd.Series(pd.cut([1, 5, 9, 3], 3)),
        "arrow int": pd.Series([1, None, 2**60 + 1, 3], dtype=pd.ArrowDtype(pa.int64())),
        "arrow text": pd.Series(["a", None, "b", "c"], dtype=pd.ArrowDtype(pa.large_string())),
        "arrow decimal": pd.Series(
            [Decimal("1.10"), None, Decimal("2.20"), Decimal("3.00")],
            dtype=pd.ArrowDtype(pa.decimal128(10, 2)),
        ),
        "arrow timestamp": pd.Series(MOMENTS, dtype=pd.ArrowDtype(pa.timestamp("ms", tz="UTC"))),
    }


def polars_columns() -> dict[str, Any]:
    grades = pl.Enum(["low", "middle", "high"])
    return {
        "int64": pl.Series(WIDE),
        "uint8": pl.Series([1, None, 255, 3], dtype=pl.UInt8),
        "uint64": pl.Series([0, 1, 2**64 - 1, 2**63], dtype=pl.UInt64),
        "float32": pl.Series([0.1, None, float("nan"), 3.0], dtype=pl.Float32),
        "nan and null": pl.Series([1.0, None, float("nan"), float("inf")]),
        "bool": pl.Series([True, None, False, True]),
        "text": pl.Series(["a", None, "", "ä"]),
        "enum": pl.Series(["low", "high", "low", "middle"], dtype=grades),
        "enum with gaps": pl.Series(["low", None, "high", "middle"], dtype=grades),
        "categorical": pl.Series(["b", "a", "b", "c"], dtype=pl.Categorical),
        "categorical with gaps": pl.Series(["b", None, "b", "a"], dtype=pl.Categorical),
        "date": pl.Series(DAYS),
        "datetime": pl.Series(MOMENTS),
        "datetime ms tz": pl.Series(MOMENTS).cast(pl.Datetime("ms")).dt.replace_time_zone("UTC"),
        "duration": pl.Series([dt.timedelta(1), None, dt.timedelta(2), dt.timedelta(0, 1)]),
        "time": pl.Series([dt.time(1), None, dt.time(23, 59), dt.time(0)]),
        "decimal": pl.Series([Decimal("1.10"), None, Decimal("2.20"), Decimal("0.01")]),
        "list": pl.Series([[1], [2, 3], [], None]),
        "struct": pl.Series([{"x": 1}, {"x": 2}, {"x": None}, {"x": 1}]),
        "binary": pl.Series([b"a", None, b"", b"b"]),
        "null": pl.Series([None] * 4),
    }


def pyarrow_columns() -> dict[str, Any]:
    return {
        "int64": pa.array(WIDE),
        "uint8": pa.array([1, None, 255, 3], pa.uint8()),
        "dictionary": pa.array(["b", None, "a", "b"]).dictionary_encode(),
        "dictionary uint8": pa.DictionaryArray.from_arrays(
            pa.array([0, None, 1, 0], pa.uint8()), pa.array(["b", "a"])
        ),
        "ordered": pa.DictionaryArray.from_arrays(
            pa.array([0, None, 2, 0]), pa.array(["lo", "mid", "hi"]), ordered=True
        ),
        "decimal128": pa.array([Decimal("1.10"), None, Decimal("2.20"), Decimal("0.01")]),
        "wide decimal": pa.array([Decimal(10**30 + i) for i in range(4)], pa.decimal128(38, 0)),
        "large_string": pa.array(["a", None, "", "ä"], pa.large_string()),
        "timestamp[s]": pa.array([0, None, -5, 9], pa.timestamp("s")),
        "timestamp[ns]": pa.array([0, None, 1, 10**18 + 1], pa.timestamp("ns")),
        "timestamp tz": pa.array([0, None, 1, 9], pa.timestamp("us", tz="Asia/Tokyo")),
        "date32": pa.array(DAYS, pa.date32()),
        "date64": pa.array(DAYS, pa.date64()),
        "time32": pa.array([0, None, 1, 86399], pa.time32("s")),
        "duration": pa.array([0, None, 1, 9], pa.duration("ms")),
        "bool": pa.array([True, None, False, True]),
        "null": pa.nulls(4),
        "half": pa.array(np.array([1, 2, 3, 4], dtype=np.float16)),
        "nan and null": pa.array([1.0, None, float("nan"), float("inf")]),
        "list": pa.array([[1], [2, 3], [], None]),
        "map": pa.array([[("a", 1)], [], None, []], pa.map_(pa.string(), pa.int64())),
        "binary": pa.array([b"a", None, b"", b"b"]),
    }


def make_pandas(columns: dict[str, Any]) -> Any:
    return pd.DataFrame(columns)


def make_polars(columns: dict[str, Any]) -> Any:
    return pl.DataFrame({k: pl.Series(k, v) for k, v in columns.items()})


def take(frame: Any, rows: list[int]) -> Any:
    if isinstance(frame, pd.DataFrame):
        return frame.iloc[rows].reset_index(drop=True)
    return frame[rows] if isinstance(frame, pl.DataFrame) else frame.take(rows)


def assert_equal(found: Any, expected: Any) -> None:
    assert type(found) is type(expected)
    if isinstance(found, pd.DataFrame):
        pd.testing.assert_frame_equal(found, expected, check_exact=True)
    elif isinstance(found, pl.DataFrame):
        pl.testing.assert_frame_equal(found, expected, check_exact=True)
    else:
        assert found.schema == expected.schema
        assert str(found.to_pylist()) == str(expected.to_pylist())  # NaN is not equal to NaN


MAKERS: dict[str, tuple[Callable[[dict[str, Any]], Any], Callable[[], dict[str, Any]]]] = {
    "pandas": (make_pandas, pandas_columns),
    "polars": (make_polars, polars_columns),
    "pyarrow": (pa.table, pyarrow_columns),
}
BYSTANDERS = [(kind, name) for kind, (_, columns) in MAKERS.items() for name in columns()]


@pytest.mark.parametrize(("kind", "name"), BYSTANDERS)
def test_a_bystander_column_goes_back_as_it_came(kind: str, name: str) -> None:
    make, columns = MAKERS[kind]
    frame = make({"before": ["p", "q", "p", "q"], "odd": columns()[name], "age": AGES})
    roles = {"before": "other", "odd": "other", "age": "quasi-identifier"}
    release = discreet.protect(frame, PAIRS, seed=5, roles=roles)
    rows = release.origin.tolist()
    assert rows != [0, 1, 2, 3], "choose a seed that moves the rows"
    ages = {0: 22, 1: 22, 2: 63, 3: 63}
    expected = take(make({"before": ["p", "q", "p", "q"], "odd": columns()[name],
                          "age": list(ages.values())}), rows)  # fmt: skip
    assert_equal(release.frame(), expected)


@pytest.mark.parametrize("kind", MAKERS)
def test_a_table_that_nothing_was_done_to_is_identical(kind: str) -> None:
    make, columns = MAKERS[kind]
    plain = {
        k: v for k, v in columns().items() if k in ("int64", "float32", "bool", "date32", "text")
    }
    frame = make(plain)
    assert_equal(to_native(from_native(frame)), frame)


def protected(frame: Any, kinds: Any = None) -> Any:
    """Microaggregate column `x` in pairs, rows in their order."""
    roles = {"x": "quasi-identifier"}
    return discreet.protect(frame, PAIRS, seed=1, shuffle=False, roles=roles, kinds=kinds).frame()


@pytest.mark.parametrize("dtype", ["int64", "int8", "uint8", "Int64", "UInt16", "int32[pyarrow]"])
def test_whole_means_stay_in_the_integer_type_of_pandas(dtype: str) -> None:
    frame = protected(pd.DataFrame({"x": pd.Series([1, 3, 50, 54], dtype=dtype)}))
    assert frame["x"].dtype == pd.Series([1], dtype=dtype).dtype
    assert frame["x"].tolist() == [2, 2, 52, 52]


@pytest.mark.parametrize(("dtype", "nullable"), [("int64", "Int64"), ("uint8", "UInt8")])
def test_codes_stay_whole_where_some_were_suppressed(dtype: str, nullable: str) -> None:
    frame = pd.DataFrame({"code": pd.Series([3, 4, 3, 7], dtype=dtype)})
    method = discreet.LocalSuppression(k=2)
    roles = {"code": "quasi-identifier"}
    kinds = {"code": "nominal"}
    back = discreet.protect(frame, method, seed=1, shuffle=False, roles=roles, kinds=kinds).frame()
    back = back["code"]
    assert str(back.dtype) == nullable
    assert back.fillna(0).tolist() == [3, 0, 3, 0]


@pytest.mark.parametrize("dtype", ["int64", "int8", "uint8", "Int64", "int32[pyarrow]"])
def test_means_with_a_fraction_become_floats(dtype: str) -> None:
    frame = protected(pd.DataFrame({"x": pd.Series([1, 2, 50, 54], dtype=dtype)}))
    assert frame["x"].dtype.kind == "f"
    assert frame["x"].tolist() == [1.5, 1.5, 52.0, 52.0]


@pytest.mark.parametrize("dtype", [pl.Int8, pl.UInt8, pl.Int64, pl.UInt64])
def test_integers_of_polars(dtype: Any) -> None:
    whole = protected(pl.DataFrame({"x": pl.Series([1, 3, 50, 54], dtype=dtype)}))
    assert whole.schema == {"x": dtype}
    assert whole["x"].to_list() == [2, 2, 52, 52]
    halves = protected(pl.DataFrame({"x": pl.Series([1, 2, 50, 54], dtype=dtype)}))
    assert halves.schema == {"x": pl.Float64}
    assert halves["x"].to_list() == [1.5, 1.5, 52.0, 52.0]


@pytest.mark.parametrize("make", [make_pandas, make_polars, pa.table], ids=list(MAKERS))
@pytest.mark.parametrize("values", [[-7.0, 300.0, 2.0, 3.0], [0.5, 1.0, 2.0, 255.0]])
def test_values_that_do_not_fit_the_type_are_not_cut(make: Any, values: list[float]) -> None:
    small = {
        "pandas": pd.Series([1, 2, 3, 4], dtype="uint8"),
        "polars": pl.Series([1, 2, 3, 4], dtype=pl.UInt8),
        "pyarrow": pa.array([1, 2, 3, 4], pa.uint8()),
    }
    kind = next(k for k, (m, _) in MAKERS.items() if m is make)
    data = from_native(make({"x": small[kind]}))
    changed = to_native(data.replace([data.column("x").with_values(np.array(values))]))
    found = changed["x"].to_pylist() if kind == "pyarrow" else changed["x"].to_list()
    assert found == values


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("tz", [None, "Europe/Berlin"])
def test_changed_moments_keep_their_unit_and_zone(unit: str, tz: str | None) -> None:
    # The means fall between two ticks; a nanosecond is finer than what can be computed with.
    tick = 1000 if unit == "ns" else 1
    moments = pa.array([0, tick, 1000 * tick, 1003 * tick], pa.timestamp(unit, tz=tz))
    table = protected(pa.table({"x": moments}))
    assert table.schema.field("x").type == pa.timestamp(unit, tz=tz)
    ticks = table["x"].cast(pa.int64()).to_pylist()
    assert ticks[0] == ticks[1]
    assert ticks[2] == ticks[3]
    assert abs(ticks[0] - 0.5 * tick) <= tick
    assert abs(ticks[2] - 1001.5 * tick) <= tick


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_changed_durations_keep_their_unit(unit: str) -> None:
    spans = pa.array([0, 1000, 1_000_000, 1_003_000], pa.duration(unit))
    table = protected(pa.table({"x": spans}))
    assert table.schema.field("x").type == pa.duration(unit)


def test_changed_moments_of_pandas_and_polars() -> None:
    days = [dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 1, 0, 0, 1)]
    seconds = pd.Series([*days, *[dt.datetime(2021, 1, 1)] * 2]).dt.as_unit("s")
    frame = protected(pd.DataFrame({"x": seconds}))
    assert frame["x"].dtype == seconds.dtype
    assert frame["x"][2] == pd.Timestamp("2021-01-01")
    zoned = protected(pd.DataFrame({"x": seconds.dt.tz_localize("Europe/Berlin").dt.as_unit("ns")}))
    assert str(zoned["x"].dtype) == "datetime64[ns, Europe/Berlin]"
    assert zoned["x"][0] == pd.Timestamp("2020-01-01 00:00:00.5", tz="Europe/Berlin")
    millis = pl.Series([0, 1, 1000, 1003]).cast(pl.Datetime("ms", "UTC"))
    assert protected(pl.DataFrame({"x": millis})).schema == {"x": pl.Datetime("ms", "UTC")}


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Berlin", "America/Sao_Paulo"])
def test_days_stored_as_moments_stay_midnights(unit: Any, zone: str | None) -> None:
    days = ["1966-03-03", "1966-03-06", "2018-11-02", "2018-11-06"]
    own = pd.Series(pd.to_datetime(days)).dt.tz_localize(zone).dt.as_unit(unit)
    frame = protected(pd.DataFrame({"x": own}))
    assert frame["x"].dtype == own.dtype
    # The means are 1966-03-04 12:00 and 2018-11-04 00:00; halves go to the even day, as those of
    # dates do. On that last day the clocks of São Paulo went from 0 to 1 at midnight.
    assert frame["x"].dt.strftime("%Y-%m-%d").tolist() == ["1966-03-05"] * 2 + ["2018-11-04"] * 2
    late = zone == "America/Sao_Paulo"
    assert frame["x"].dt.hour.tolist() == [0, 0, late, late]
    assert frame["x"].dt.floor("h").equals(frame["x"])


def test_moments_with_a_time_of_day_keep_theirs() -> None:
    days = ["1966-03-01 00:00", "1966-03-04 18:00", "2018-11-02 00:00", "2018-11-06 00:00"]
    own = pd.Series(pd.to_datetime(days))
    frame = protected(pd.DataFrame({"x": own}))
    assert frame["x"].tolist()[0] == pd.Timestamp("1966-03-02 21:00")


@pytest.mark.parametrize("kind", [pa.date32(), pa.date64()])
def test_changed_days_stay_days(kind: Any) -> None:
    days = pa.array([0, 2, 100, 104], pa.int32()).cast(pa.date32()).cast(kind)
    table = protected(pa.table({"x": days}))
    assert table.schema.field("x").type == kind
    assert table["x"].cast(pa.date32()).cast(pa.int32()).to_pylist() == [1, 1, 102, 102]


def test_changed_times_of_day_keep_their_type() -> None:
    table = protected(pa.table({"x": pa.array([0, 2, 100, 104], pa.time32("s"))}))
    assert table.schema.field("x").type == pa.time32("s")
    assert table["x"].cast(pa.int32()).to_pylist() == [1, 1, 102, 102]


def categorical(kind: str) -> Any:
    values = ["b", "b", "a", "a"]
    return {
        "pandas category": pd.DataFrame({"x": pd.Categorical(values, categories=["z", "b", "a"])}),
        "pandas ordered": pd.DataFrame(
            {"x": pd.Categorical(values, categories=["b", "z", "a"], ordered=True)}
        ),
        "pandas string": pd.DataFrame({"x": pd.Series(values, dtype="string")}),
        "pandas object": pd.DataFrame({"x": pd.Series(values, dtype=object)}),
        "pandas arrow dictionary": pd.DataFrame(
            {"x": pd.Series(values, dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string())))}
        ),
        "polars enum": pl.DataFrame({"x": pl.Series(values, dtype=pl.Enum(["b", "z", "a"]))}),
        "polars categorical": pl.DataFrame({"x": pl.Series(values, dtype=pl.Categorical)}),
        "polars text": pl.DataFrame({"x": values}),
        "pyarrow dictionary": pa.table({"x": pa.array(values).dictionary_encode()}),
        "pyarrow large": pa.table({"x": pa.array(values, pa.large_string())}),
    }[kind]


@pytest.mark.parametrize(
    "kind",
    ["pandas category", "pandas ordered", "pandas string", "pandas object",
     "pandas arrow dictionary", "polars enum", "polars categorical", "polars text",
     "pyarrow dictionary", "pyarrow large"],
)  # fmt: skip
def test_changed_categories_keep_their_type(kind: str) -> None:
    frame = categorical(kind)
    data = from_native(frame, roles={"x": "quasi-identifier"})
    b, a = (data.schema["x"].categories.index(c) for c in "ba")
    changed = to_native(data.replace([data.column("x").with_values(np.array([a, a, b, -1]))]))
    assert type(changed) is type(frame)
    found = changed["x"].to_pylist() if isinstance(changed, pa.Table) else changed["x"].to_list()
    assert found[:3] == ["a", "a", "b"]
    assert pd.isna(found[3])
    if isinstance(changed, pa.Table):
        assert changed.schema.field("x").type == frame.schema.field("x").type
    else:
        assert changed["x"].dtype == frame["x"].dtype


def test_booleans_with_gaps_that_are_changed() -> None:
    frame = pd.DataFrame({"x": pd.Series([True, None, False, True], dtype="boolean")})
    data = from_native(frame)
    assert data.schema["x"].categories == (False, True)
    changed = to_native(data.replace([data.column("x").with_values(np.array([0, 1, -1, 0]))]))
    expected = pd.DataFrame({"x": pd.Series([False, True, None, False], dtype="boolean")})
    pd.testing.assert_frame_equal(changed, expected)


@pytest.mark.parametrize("dtype", ["Int64", "Float64", "int64[pyarrow]", "double[pyarrow]"])
def test_numbers_with_gaps_that_are_changed_keep_their_type(dtype: str) -> None:
    frame = pd.DataFrame({"x": pd.Series([1, None, 3, 4], dtype=dtype)})
    data = from_native(frame)
    values = np.array([5, np.nan, np.nan, 7])
    changed = to_native(data.replace([data.column("x").with_values(values)]))
    expected = pd.DataFrame({"x": pd.Series([5, None, None, 7], dtype=dtype)})
    pd.testing.assert_frame_equal(changed, expected)


@pytest.mark.parametrize("given", [5, 2.5, True])
def test_a_kind_that_is_no_kind_is_refused_in_a_sentence(given: Any) -> None:
    with pytest.raises(UsageError, match="column 'x'"):
        from_native(pa.table({"x": [1]}), kinds={"x": given})


@pytest.mark.parametrize("method", [discreet.AdditiveNoise(columns=["x"]),
                                    discreet.Microaggregation(MDAV(k=2), columns=["x"])],
                         ids=["noise", "microaggregation"])  # fmt: skip
def test_infinite_values_of_a_bystander_cannot_be_treated(method: Any) -> None:
    frame = pa.table({"x": [1.0, 2.0, 3.0, float("inf")]})
    with pytest.raises(DataError, match="column 'x'"):
        discreet.protect(frame, method, roles={"x": "other"})


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a", "a"], "'a' occurs twice"),
        (["a", ""], "column 2 is called ''"),
        (["a", 5], "column 2 is called 5"),
        ([None, "a"], "column 1 is called None"),
        (["a", float("nan")], "column 2 is called nan"),
        ([("a", "b"), ("a", "c")], "column 1 is called"),
    ],
)
def test_names_that_are_not_names_are_refused(names: list[Any], message: str) -> None:
    frame = pd.DataFrame([[1, 2]])
    nested = isinstance(names[0], tuple)
    frame.columns = pd.MultiIndex.from_tuples(names) if nested else pd.Index(names, dtype=object)
    with pytest.raises(DataError, match=message):
        from_native(frame)


def test_names_used_twice_in_a_table_are_refused() -> None:
    with pytest.raises(DataError, match="'a' occurs twice"):
        from_native(pa.table([[1], [2]], names=["a", "a"]))


@pytest.mark.parametrize("kind", MAKERS)
def test_the_callers_frame_is_not_changed(kind: str) -> None:
    make, _ = MAKERS[kind]
    columns = {"x": [1.0, 3.0, 50.0, 54.0], "h": [7, 7, 8, 8], "t": ["a", "b", "a", "b"]}
    frame, copy = make(columns), make(columns)
    roles = {"x": "quasi-identifier", "h": "household", "t": "other"}
    release = discreet.protect(frame, PAIRS, seed=1, roles=roles)
    changed = release.frame()
    if kind == "pandas":
        changed.loc[:, "t"] = "z"
    assert_equal(frame, copy)


def test_a_pandas_index_is_not_released() -> None:
    frame = pd.DataFrame(
        {"x": [1, 3, 50, 54]}, index=pd.Index(["Ann", "Bob", "Cy", "Di"], name="who")
    )
    for shuffle in (False, True):
        released = discreet.protect(
            frame, PAIRS, seed=5, shuffle=shuffle, roles={"x": "quasi-identifier"}
        ).frame()
        assert released.index.equals(pd.RangeIndex(4))
        assert released.index.name is None
        assert sorted(released["x"]) == [2, 2, 52, 52]
    assert frame.index.tolist() == ["Ann", "Bob", "Cy", "Di"]


def test_an_index_with_repeats_does_not_multiply_rows() -> None:
    frame = pd.DataFrame({"x": [1, 3, 50, 54], "t": list("abcd")}, index=[0, 0, 1, 1])
    released = discreet.protect(
        frame, PAIRS, shuffle=False, roles={"x": "quasi-identifier", "t": "other"}
    ).frame()
    assert released["x"].tolist() == [2, 2, 52, 52]
    assert released["t"].tolist() == list("abcd")


@pytest.mark.parametrize("kind", MAKERS)
def test_columns_keep_their_order_and_identifiers_go(kind: str) -> None:
    make, _ = MAKERS[kind]
    frame = make({"z": ["a"] * 4, "id": list("wxyz"), "x": AGES, "a": [1.5] * 4})
    roles = {"z": "other", "id": "identifier", "x": "quasi-identifier", "a": "confidential"}
    released = discreet.protect(frame, PAIRS, roles=roles).frame()
    names = released.column_names if kind == "pyarrow" else list(released.columns)
    assert names == ["z", "x", "a"]


def test_no_rows_are_no_problem() -> None:
    columns = {"a": pd.Series([], dtype="int64"), "b": pd.Series([], dtype="str")}
    for frame in (pd.DataFrame(columns), pl.DataFrame(schema={"a": pl.Int64, "b": pl.String})):
        data = from_native(frame)
        assert len(data) == 0
        assert_equal(data.frame(), frame)


@pytest.mark.parametrize("kind", MAKERS)
def test_any_frame_becomes_a_table_for_a_file(kind: str) -> None:
    make, _ = MAKERS[kind]
    data: Microdata = from_native(make({"x": [1, 3], "t": ["a", "b"]}))
    changed = data.replace([data.column("x").with_values(np.array([2.0, 4.0]))])
    assert to_table(changed).to_pydict() == {"x": [2, 4], "t": ["a", "b"]}


def test_data_without_a_frame_become_a_table() -> None:
    data = from_native(pa.table({"x": [1.5, None], "t": ["a", None]}))
    bare = Microdata(list(data))
    assert bare.frame().to_pydict() == {"x": [1.5, None], "t": ["a", None]}


@pytest.mark.parametrize(
    "values",
    [
        pa.array([2**60, 2**60 + 1] * 2),
        pa.array([1, 2] * 2, pa.timestamp("ns")),
        pa.array([Decimal(10**30), Decimal(10**30 + 1)] * 2, pa.decimal128(38, 0)),
    ],
    ids=["wide integers", "nanoseconds", "wide decimals"],
)
def test_k_anonymity_is_measured_on_the_values_that_are_released(values: Any) -> None:
    """An untreated quasi-identifier goes out with all of its digits, so all of them count."""
    frame = pa.table({"age": [30, 30, 60, 60], "code": values})
    method = discreet.Microaggregation(MDAV(k=2), columns=["age"])
    roles = dict.fromkeys(["age", "code"], "quasi-identifier")
    with pytest.raises(DataError):  # refused when read, or when the claim is measured
        discreet.protect(frame, method, roles=roles, claims={"k-anonymity": 2})


@pytest.mark.parametrize(
    "values",
    [pa.array([2**60 + i for i in range(4)]), pa.array([0, 1, 2, 3], pa.timestamp("ns"))],
    ids=["wide integers", "nanoseconds"],
)
def test_values_too_fine_to_compute_with_are_refused(values: Any) -> None:
    """Differences too small for a float must not come back from the original column."""
    with pytest.raises(DataError, match="'x' holds numbers of more than 15 digits"):
        protected(pa.table({"x": values}))


def test_wide_household_numbers_keep_their_members() -> None:
    frame = pa.table({"x": AGES, "h": [2**60, 2**60 + 1, 2**60, 2**60 + 1]})
    released = discreet.protect(
        frame, PAIRS, shuffle=False, roles={"x": "quasi-identifier", "h": "household"}
    ).frame()
    numbers = released["h"].to_pylist()
    assert numbers[0] == numbers[2]
    assert numbers[1] == numbers[3]
    assert numbers[0] != numbers[1]


def test_numbers_that_nobody_can_change_are_not_copied() -> None:
    values = np.arange(1.0, 1001.0)
    table = pa.table({"age": values})
    column = from_native(table).column("age").values
    assert np.shares_memory(column, table["age"].chunk(0).to_numpy())
    assert not column.flags.writeable


@pytest.mark.parametrize(
    "made", [lambda v: {"age": v}, lambda v: pd.DataFrame({"age": v}, copy=False)]
)
def test_numbers_that_the_caller_can_change_are(made: Any) -> None:
    values = np.arange(1.0, 6.0)
    data = from_native(made(values))
    values[:] = 9
    assert data["age"].tolist() == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("name", ["*", "^.*$", "a|b", "col(age)"])
@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_name_that_is_an_expression_elsewhere_is_a_name(library: Any, name: str) -> None:
    frame = library({"age": [21, 47, 61, 35], name: [1, 2, 3, 4]})
    data = discreet.read(frame, roles={"age": "quasi-identifier", name: "identifier"})
    release = discreet.protect(data, "rounding", shuffle=False)
    assert list(getattr(release.frame(), "column_names", release.frame().columns)) == ["age"]
    kept = discreet.read(frame, roles={"age": "quasi-identifier"})
    released = discreet.protect(kept, "rounding", shuffle=False, allow=[name]).frame()
    assert list(released[name]) == list(frame[name])
    assert list(released["age"]) != list(frame["age"])


ARROW_DECIMAL = pd.ArrowDtype(pa.decimal128(10, 2))
PRICES = [Decimal("12.40"), Decimal("13.60"), Decimal("20.00"), None]


@pytest.mark.parametrize(
    "make",
    [
        lambda: pa.table({"price": pa.array(PRICES, pa.decimal128(10, 2))}),
        lambda: pa.table({"price": pa.array(PRICES, pa.decimal256(50, 2))}),
        lambda: pl.DataFrame({"price": pl.Series(PRICES, dtype=pl.Decimal(10, 2))}),
        lambda: pd.DataFrame({"price": pd.Series(PRICES, dtype=ARROW_DECIMAL)}),
        lambda: pd.DataFrame({"price": PRICES}),
    ],
    ids=["arrow", "wide", "polars", "pandas of arrow", "pandas of objects"],
)
def test_decimals_that_fit_stay_decimals(make: Callable[[], Any]) -> None:
    frame = make()
    data = discreet.read(frame, roles={"price": "quasi-identifier"})
    tenths = discreet.protect(data, discreet.Rounding(base=0.5), shuffle=False).frame()
    listed = tenths["price"].to_pylist() if isinstance(tenths, pa.Table) else tenths["price"]
    assert list(listed)[:3] == [Decimal("12.5"), Decimal("13.5"), Decimal("20")]
    assert all(isinstance(v, Decimal) for v in list(listed)[:3])
    thirds = discreet.protect(data, discreet.Rounding(base=1 / 3), shuffle=False).frame()
    assert not isinstance(next(iter(thirds["price"])), Decimal), "more digits than the type has"


def test_a_file_of_decimals_keeps_them_and_verifies(tmp_path: Path) -> None:
    prices = [Decimal(i) / 4 for i in range(40)]
    table = pa.table({"price": pa.array(prices, pa.decimal128(10, 2))})
    pq.write_table(table, tmp_path / "prices.parquet")
    data = discreet.read(tmp_path / "prices.parquet", roles={"price": "quasi-identifier"})
    place = discreet.protect(data, PAIRS, keep_decimals=True).write(tmp_path / "out")
    written = pq.read_table(place / "release.parquet")
    assert written.schema.field("price").type == pa.decimal128(10, 2)
    assert verify(place).holds


def test_metadata_of_a_table_do_not_come_back() -> None:
    field = pa.field("age", pa.int64(), metadata={"note": "asked by Dr Roe"})
    table = pa.table([[31, 47]], schema=pa.schema([field], metadata={"title": "his patients"}))
    back = from_native(table).frame()
    assert back.schema.metadata is None
    assert back.schema.field("age").metadata is None


@pytest.mark.parametrize("dtype", ["Int64", "int64[pyarrow]", "UInt64"])
def test_large_codes_of_pandas_stay_exact_beside_suppressed_ones(dtype: str) -> None:
    largest = 2**63 - 1
    codes_of_areas = [largest] * 5 + [largest - 1] * 5 + [7]
    frame = pd.DataFrame({"code": pd.Series(codes_of_areas, dtype=pandas_dtype(dtype))})
    data = from_native(frame, {"code": "quasi-identifier"}, {"code": "nominal"})
    codes = data["code"].copy()
    codes[-1] = -1
    released = to_native(data.replace([data.column("code").with_values(codes)]))
    assert str(released["code"].dtype) == dtype
    assert released["code"].tolist()[:10] == [largest] * 5 + [largest - 1] * 5
    assert pd.isna(released["code"].iloc[-1])
