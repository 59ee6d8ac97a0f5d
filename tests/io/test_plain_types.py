"""Types that not all of Arrow knows are read as those that it does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import discreet
from discreet.errors import DataError
from discreet.io.plain_types import plain_table

COLUMNS = {
    "text": pa.array(["a", None, "b", "a"], pa.string_view()),
    "bytes": pa.array([b"a", None, b"b", b"a"], pa.binary_view()),
    "runs": pc.run_end_encode(pa.array([1, 1, 2, 2])),
    "runs of text": pc.run_end_encode(pa.array(["a", "a", "b", "b"])),
    "category": pa.DictionaryArray.from_arrays(
        pa.array([1, 0, None, 1]), pa.array(["a", "b"], pa.string_view())
    ),
    "list": pa.array([["a"], None, [], ["b"]], pa.list_(pa.string_view())),
    "list of two": pa.array([["a", "b"]] * 4, pa.list_(pa.string_view(), 2)),
    "map": pa.array([[("a", 1)], None, [], []], pa.map_(pa.string_view(), pa.int64())),
    "record": pa.array([{"a": "x"}] * 4, pa.struct([("a", pa.string_view())])),
    "plain": pa.array([1, 2, 3, 4]),
}


@pytest.mark.parametrize("name", list(COLUMNS))
def test_values_stay_and_rows_can_be_chosen(name: str, tmp_path: Path) -> None:
    table = pa.table({"x": COLUMNS[name], "age": [1.0, 2.0, 3.0, 4.0]})
    assert plain_table(table).column("x").to_pylist() == COLUMNS[name].to_pylist()
    release = discreet.protect(
        table, {"rounding": {"base": 10}}, roles={"x": "other", "age": "quasi-identifier"}
    )
    values = release.frame().column("x").to_pylist()
    assert values == [COLUMNS[name].to_pylist()[i] for i in release.origin]
    release.write(tmp_path / "out", format="parquet")
    assert pq.read_table(tmp_path / "out" / "release.parquet").column("x").to_pylist() == values


@pytest.mark.parametrize("kind", [pa.string_view(), pa.list_(pa.string_view())])
def test_columns_of_arrow_in_pandas(kind: pa.DataType) -> None:
    values = ["a", None, "b"] if kind == pa.string_view() else [["a"], None, ["b"]]
    column = pd.Series(pd.array(pa.array(values, kind), dtype=pd.ArrowDtype(kind)))
    release = discreet.protect(
        pd.DataFrame({"x": column, "age": [1.0, 2.0, 3.0]}),
        {"rounding": {"base": 10}},
        roles={"x": "other", "age": "quasi-identifier"},
    )
    texts = pa.array(release.frame()["x"]).to_pylist()
    assert texts == [values[row] for row in release.origin]


def test_a_type_that_cannot_be_converted_is_named() -> None:
    views = pa.array([["a"], None], pa.list_view(pa.string_view()))
    with pytest.raises(DataError, match="column 'x' is of type list_view"):
        discreet.read(pa.table({"x": views}))


def test_sparse_columns_are_read_as_the_numbers_that_they_hold() -> None:
    frame = pd.DataFrame({"visits": pd.arrays.SparseArray([0, 0, 14, 26]), "age": [1, 2, 3, 4]})
    data = discreet.read(frame, roles={"visits": "quasi-identifier"})
    assert data.schema["visits"].continuous
    released = discreet.protect(data, discreet.Rounding(base=10, columns=["visits"]), shuffle=False)
    assert released.frame()["visits"].tolist() == [0, 0, 10, 30]


@pytest.mark.parametrize(("largest", "kind"), [(2**100, "nominal"), (41, "continuous")])
def test_numbers_of_128_bits_are_numbers_where_64_hold_them(largest: int, kind: str) -> None:
    frame = pl.DataFrame({"x": pl.Series([21, None, largest], dtype=pl.Int128)})
    assert discreet.read(frame).schema["x"].kind.value == kind


@pytest.mark.parametrize("form", ["batch", "reader"])
def test_a_batch_of_records_is_read_as_a_table(form: str) -> None:
    batch: Any = pa.RecordBatch.from_pydict({"age": [21, 22, 41]})
    given = batch if form == "batch" else pa.RecordBatchReader.from_batches(batch.schema, [batch])
    data = discreet.read(given, roles={"age": "quasi-identifier"})
    assert data["age"].tolist() == [21, 22, 41]
    assert isinstance(data.frame(), pa.Table)


def test_the_attributes_of_a_data_frame_do_not_come_back() -> None:
    """As with the metadata of an Arrow schema: they may say where the records come from."""
    frame = pd.DataFrame({"x": [1, 2]})
    frame.attrs["query"] = "select * from patients"
    assert discreet.read(frame).frame().attrs == {}
    assert frame.attrs == {"query": "select * from patients"}
