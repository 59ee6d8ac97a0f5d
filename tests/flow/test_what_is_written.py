"""Claims are counted on what is written and handed out, not on what is held in memory."""

from __future__ import annotations

import csv
import datetime as dt
import json
import struct
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import discreet
from discreet.errors import DataError

QI, CONFIDENTIAL = "quasi-identifier", "confidential"
ODD_NAN = struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000123))[0]


def told(value: Any) -> str:
    """Return what an attentive reader sees of a value: its type and every bit of it."""
    if isinstance(value, float | np.floating):
        return f"{type(value).__name__} {np.asarray(value).tobytes().hex()}"
    return f"{type(value).__name__} {value!r}"


def _stored(column: Any) -> Any:
    """Return an Arrow column with moments as the numbers that are stored; Python rounds them."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    kind = column.type
    if pa.types.is_temporal(kind) and not pa.types.is_interval(kind):
        return column.cast(pa.int32() if kind.bit_width == 32 else pa.int64())
    return column


def k_of_frame(frame: Any, names: list[str]) -> int:
    """Return the k-anonymity of a frame, without any help of discreet."""
    if isinstance(frame, pa.Table):
        columns = [_stored(frame.column(name)).to_pylist() for name in names]
    elif isinstance(frame, pl.DataFrame):
        columns = [_stored(frame.get_column(name).to_arrow()).to_pylist() for name in names]
    else:
        columns = [list(frame[name].array) for name in names]
    rows = zip(*([told(value) for value in column] for column in columns), strict=True)
    return min(Counter(rows).values())


def k_of_file(path: Path, names: list[str]) -> int:
    """Return the k-anonymity of a CSV or Parquet file, without any help of discreet."""
    if path.suffix == ".parquet":
        return k_of_frame(pq.read_table(path), names)
    with path.open(newline="") as file:
        return min(Counter(tuple(row[n] for n in names) for row in csv.DictReader(file)).values())


def measured(release: discreet.Release, measure: str = "k-anonymity") -> float:
    return next(claim.measured for claim in release.claims if claim.measure == measure) or 0.0


def written(release: discreet.Release, folder: Path, format: str | None = None) -> Path:
    """Write a release with the one figure that is counted again here, which is quicker."""
    assert release.original is not None
    counted = discreet.assess(release.original, release, ["k-anonymity"])
    return release.write(folder / "out", format=format, assessment=counted)


def manifest(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "manifest.json").read_text()))


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_negative_zero_is_zero(make: Any, format: str, tmp_path: Path) -> None:
    frame = make({"q": [-3.5] + [3.5] * 10 + [30.5] * 5, "s": ["a"] + ["b"] * 10 + ["a"] * 5})
    release = discreet.protect(
        frame,
        {"rounding": {"base": 10}},
        roles={"q": QI, "s": CONFIDENTIAL},
        claims={"k-anonymity": 2},
    )
    assert measured(release) == 5
    assert k_of_frame(release.frame(), ["q"]) == 5
    out = written(release, tmp_path, format)
    assert k_of_file(out / f"release.{format}", ["q"]) == 5
    assert manifest(out)["claims"][0]["measured"] == 5


WIDE = {
    "int64": pa.array([2**53, 2**53 + 1], pa.int64()),
    "negative": pa.array([-(2**53), -(2**53) - 1], pa.int64()),
    "uint64": pa.array([2**64 - 1, 2**64 - 2], pa.uint64()),
    "least": pa.array([-(2**63), -(2**63) + 1], pa.int64()),
    "category": pa.array([10**17, 10**17 + 1]).dictionary_encode(),
    "decimal": pa.array([Decimal("1.0000000000000000001"), Decimal(1)], pa.decimal128(30, 20)),
    "decimal category": pa.array([Decimal(10**20), Decimal(10**20 + 1)]).dictionary_encode(),
    "decimal256": pa.array([Decimal(10**40), Decimal(10**40 + 1)], pa.decimal256(50, 0)),
    "decimal64": pa.array([Decimal(10**17), Decimal(10**17 + 1)], pa.decimal64(18, 0)),
    "nanoseconds": pa.array([1, 2], pa.timestamp("ns")),
    "far moments": pa.array([2**62, 2**62 + 1], pa.timestamp("us")),
    "durations": pa.array([1, 2], pa.duration("ns")),
    "times of day": pa.array([1, 2], pa.time64("ns")),
}


@pytest.mark.parametrize("role", [QI, CONFIDENTIAL])
@pytest.mark.parametrize("name", list(WIDE))
def test_numbers_that_a_float_does_not_hold_are_refused(name: str, role: str) -> None:
    with pytest.raises(DataError, match="column 'x' holds numbers of more than 15 digits"):
        discreet.read(pa.table({"x": WIDE[name]}), roles={"x": role}, kinds={"x": "continuous"})


@pytest.mark.parametrize("name", list(WIDE))
def test_as_categories_they_are_told_apart(name: str, tmp_path: Path) -> None:
    values = WIDE[name].take(pa.array([0, 0, 0, 1, 1, 1]))
    table = pa.table({"q": [1.0] * 6, "x": values, "y": [1, 2, 3, 4, 5, 6]})
    data = discreet.read(
        table,
        roles={"q": QI, "x": CONFIDENTIAL, "y": QI},
        kinds={"x": "nominal"},
    )
    release = discreet.protect(
        data, {"rounding": {"base": 100, "columns": ["y"]}}, claims={"l-diversity": 2}
    )
    assert measured(release, "l-diversity") == 2
    written(release, tmp_path, "parquet")


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("sign", [1, -1])
def test_wide_integers_in_files(suffix: str, sign: int, tmp_path: Path) -> None:
    file = tmp_path / f"data.{suffix}"
    table = pa.table({"q": [sign * 2**53] * 10 + [sign * (2**53 + 1)]})
    if suffix == "csv":
        file.write_text("q\n" + "\n".join(map(str, table.column("q").to_pylist())) + "\n")
    else:
        pq.write_table(table, file)
    with pytest.raises(DataError, match="more than 15 digits"):
        discreet.read(file, roles={"q": QI})


def test_confidential_neighbours_beyond_the_floats_are_not_close() -> None:
    frame = {"q": [1] * 4 + [2] * 4, "s": [10**17] * 4 + [10**17 + 1] * 4}
    with pytest.raises(DataError, match="column 's'"):
        discreet.read(frame, roles={"q": QI, "s": CONFIDENTIAL})


BERLIN, TOKYO = ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Tokyo")
MIXED: dict[str, list[Any]] = {
    "number and text": [1, "1"],
    "whole and decimal": [1, 1.0],
    "truth and number": [True, 1],
    "truth and text": [True, "True"],
    "decimal and text": [Decimal("1.0"), "1.00"],
    "decimals of two scales": [Decimal("1.0"), Decimal("1.00")],
    "date and moment": [dt.date(2020, 1, 1), dt.datetime(2020, 1, 1)],
    "two zones": [
        dt.datetime(2020, 1, 1, 1, tzinfo=BERLIN),
        dt.datetime(2020, 1, 1, 9, tzinfo=TOKYO),
    ],
    "moment with and without zone": [
        dt.datetime(2020, 1, 1),
        dt.datetime(2020, 1, 1, tzinfo=dt.UTC),
    ],
    "text and bytes": ["a", b"a"],
    "text and its bytes in text": ["b'a'", b"a"],
    "kinds of missing": [None, float("nan")],
    "pandas missing": [None, pd.NA],
    "missing moment": [pd.NaT, None],
    "zeros": [0.0, -0.0],
    "nan payloads": [float("nan"), ODD_NAN],
    "widths": [np.float32(1.0), np.float64(1.0)],
    "numpy text": ["a", np.str_("a")],
    "stamp": [dt.datetime(2020, 1, 1), pd.Timestamp("2020-01-01")],
    "unicode": ["\u00e9", "e\u0301"],
    "blanks": ["a", "a "],
    "case": ["a", "A"],
    "empty and missing": ["", None],
}


@pytest.mark.parametrize("name", list(MIXED))
@pytest.mark.parametrize("kind", ["object", "category"])
def test_columns_of_python_objects(name: str, kind: str, tmp_path: Path) -> None:
    common, rare = MIXED[name]
    column = pd.Series([common] * 10 + [rare] + ["other"] * 10, dtype=object)
    frame = pd.DataFrame({"x": pd.Series(column, dtype=kind), "y": range(21)})
    try:
        release = discreet.protect(
            frame,
            {"rounding": {"base": 100, "columns": ["y"]}},
            roles={"x": QI, "y": QI},
            kinds={"x": "nominal"},
            claims={"k-anonymity": 1},
        )
    except DataError as error:
        refused = str(error)
    else:
        refused = ""
    if refused:
        assert "column 'x'" in refused
        return
    assert k_of_frame(release.frame(), ["x", "y"]) == measured(release)
    out = written(release, tmp_path)
    assert k_of_file(out / "release.csv", ["x", "y"]) == manifest(out)["claims"][0]["measured"]


WRITTEN_TWO_WAYS = [
    pa.array([0.0, -0.0, 1.0]),
    pa.array([0.0, -0.0, 1.0], pa.float32()),
    pa.array(np.array([0.0, -0.0, 1.0], np.float16)),
    pa.array([float("nan"), ODD_NAN, 1.0]),
    pa.array([float("nan"), None, 1.0], from_pandas=False),
    pa.array([0.0, -0.0, 1.0]).dictionary_encode(),
    pa.array([float("nan"), ODD_NAN, 1.0]).dictionary_encode(),
    pa.DictionaryArray.from_arrays(pa.array([0, None, 1]), pa.array([None, "a"])),
    pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(["a", "a", "b"])),
    pa.array(["", None, "a"]),
    pa.array(["", None, "a"], pa.string_view()),
    pa.array(["\u00e9", "e\u0301", "e"], pa.large_string()),
    pa.array([0, 1, 5], pa.time64("ns")),
    pa.array([0, 1, 5], pa.date64()),
    pa.array([0, 1, 5], pa.timestamp("ns", "UTC")),
    pa.array([0, 1, 5], pa.duration("ns")),
    pa.array([b"a", b"A", b"b"]),
    pa.array([(1, 0, 0), (0, 30, 0), (1, 1, 1)], pa.month_day_nano_interval()),
]


def frame_of(values: pa.Array, make: Any) -> Any:
    """Return a frame with ten records of the first value, one of the second, ten of the third."""
    parts = [values.slice(0, 1)] * 10 + [values.slice(1, 1)] + [values.slice(2)] * 10
    table = pa.table({"x": pa.chunked_array(parts).combine_chunks(), "y": list(range(21))})
    if make is pa.table:
        return table
    return pl.from_arrow(table) if make is pl.DataFrame else table.to_pandas()


def frames() -> Iterator[Any]:
    """Yield each library with the values that it has a type for."""
    for values in WRITTEN_TWO_WAYS:
        for make in (pa.table, pl.DataFrame, pd.DataFrame):
            with suppress(Exception):
                frame_of(values, make)
                yield pytest.param(values, make, id=f"{make.__module__}-{values.type}")


@pytest.mark.parametrize(("values", "make"), list(frames()))
@pytest.mark.parametrize("kind", [None, "nominal"])
def test_values_that_are_written_in_two_ways(
    values: pa.Array, make: Any, kind: str | None, tmp_path: Path
) -> None:
    try:
        release = discreet.protect(
            frame_of(values, make),
            {"rounding": {"base": 100, "columns": ["y"]}},
            roles={"x": QI, "y": QI},
            kinds={"x": kind} if kind else None,
            claims={"k-anonymity": 1},
        )
    except DataError as error:
        refused = str(error)
    else:
        refused = ""
    if refused:
        assert "column 'x'" in refused
        return
    assert k_of_frame(release.frame(), ["x", "y"]) == measured(release)
    if pa.types.is_interval(values.type):
        with pytest.raises(DataError, match="parquet file cannot hold column 'x'"):
            written(release, tmp_path, "parquet")
        return
    out = written(release, tmp_path, "parquet")
    assert k_of_file(out / "release.parquet", ["x", "y"]) == measured(release)


def test_the_manifest_says_what_the_file_has(tmp_path: Path) -> None:
    table = pa.table({"q": [1] * 6 + [2] * 6, "s": ["", None, "a"] * 4})
    release = discreet.protect(
        table,
        {"rounding": {"base": 1}},
        roles={"q": QI, "s": CONFIDENTIAL},
        claims={"l-diversity": 2},
    )
    out = release.write(tmp_path / "out", format="csv")
    stated = manifest(out)
    claim = stated["claims"][-1]
    assert (claim["measure"], claim["bound"], claim["measured"]) == ("l-diversity", 2, 2)
    scores = {score["measure"]: score["after"] for score in stated["scores"]}
    assert scores["l-diversity"] == 2
    page = (out / "report-public.html").read_text()
    assert "3 measured" not in page


@pytest.mark.parametrize("target", [pa.float32(), pa.float16(), pa.date32(), pa.timestamp("s")])
def test_what_is_rounded_on_its_way_out_is_measured_rounded(
    target: pa.DataType, tmp_path: Path
) -> None:
    rng = np.random.default_rng(5)
    days = pa.array(rng.integers(10, 60, 200) * 1.0)
    table = pa.table(
        {
            "q": [1] * 100 + [2] * 100,
            "s": days.cast(pa.int32()).cast(target)
            if pa.types.is_date(target)
            else days.cast(pa.int64()).cast(target)
            if pa.types.is_timestamp(target)
            else days.cast(target),
        }
    )
    data = discreet.read(table, roles={"q": QI, "s": CONFIDENTIAL})
    release = discreet.protect(
        data,
        {"additive-noise": {"alpha": 0.5, "columns": ["s"]}},
        claims={"l-diversity": 1},
        seed=3,
    )
    frame = release.frame()
    held = discreet.read(frame, roles={"q": QI, "s": CONFIDENTIAL})
    assert len(np.unique(held["s"])) == len(np.unique(release.data["s"]))
    assert np.array_equal(np.sort(held["s"]), np.sort(release.data["s"]))


@pytest.mark.parametrize("role", ["confidential", "other", "weight"])
@pytest.mark.parametrize("values", [[0.0, -0.0, 1.0], [1.5, float("nan"), ODD_NAN]])
def test_no_sign_of_a_zero_or_nan_tells_records_apart(
    role: str, values: list[float], tmp_path: Path
) -> None:
    table = pa.table({"q": [1, 2, 3] * 4, "s": pa.array(values * 4, from_pandas=False)})
    release = discreet.protect(
        table, {"rounding": {"base": 5, "columns": ["q"]}}, roles={"q": QI, "s": role}, allow=["s"]
    )
    forms = {told(value) for value in release.frame().column("s").to_pylist()}
    assert len(forms) == 2
    out = written(release, tmp_path, "parquet")
    stored = pq.read_table(out / "release.parquet").column("s").to_pylist()
    assert {told(value) for value in stored} == forms
