"""Parquet files keep their types and metadata, and lose what no longer holds."""

from __future__ import annotations

import datetime
import decimal
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discreet.errors import DataError, UsageError
from discreet.io.files import format_for, read_table, write_table
from discreet.io.kinds.parquet import _needed


def everything() -> pa.Table:
    colours = pa.DictionaryArray.from_arrays([0, 1, None], ["red", "blue"])
    sizes = pa.DictionaryArray.from_arrays([1, 0, None], ["small", "large"], ordered=True)
    arrays = [
        pa.array([1, 2, None], pa.int16()),
        pa.array([0.1, None, -0.0]),
        pa.array([0.5, None, 1.5], pa.float32()),
        pa.array(["a", "", None]),
        pa.array(["a", None, "b"], pa.large_string()),
        colours,
        sizes,
        pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("-2.25")]),
        pa.array([datetime.datetime(2020, 1, 2), None, None], pa.timestamp("us", "UTC")),
        pa.array([datetime.date(2020, 1, 2), None, None]),
        pa.array([True, None, False]),
        pa.array([[1], None, []], pa.list_(pa.int64())),
    ]
    names = [f"c{number}" for number in range(len(arrays))]
    fields = [
        pa.field(name, array.type, metadata={"unit": "euro"} if name == "c1" else None)
        for name, array in zip(names, arrays, strict=True)
    ]
    return pa.table(arrays, schema=pa.schema(fields, metadata={"source": "survey"}))


def test_types_are_kept_and_metadata_are_not(tmp_path: Path) -> None:
    pq.write_table(everything(), tmp_path / "in.parquet", compression="zstd")
    found = read_table(tmp_path / "in.parquet")
    write_table(found.table, tmp_path / "out.parquet", found.format)
    back = pq.read_table(tmp_path / "out.parquet")
    assert back.equals(everything())
    assert not back.schema.metadata
    assert not any(field.metadata for field in back.schema)
    assert pq.read_metadata(tmp_path / "out.parquet").row_group(0).column(0).compression == "ZSTD"
    assert any("will not have: source" in note for note in found.notes)


def test_views_of_text_are_read_as_text(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": pa.array(["a", None], pa.string_view())}), tmp_path / "v.parquet")
    found = read_table(tmp_path / "v.parquet").table
    assert not pa.types.is_string_view(found.schema.field("x").type)
    assert found.to_pydict() == {"x": ["a", None]}


def test_what_pandas_noted_is_dropped(tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": [1, 2]}, index=pd.Index([7, 9]))
    frame.to_parquet(tmp_path / "in.parquet")
    found = read_table(tmp_path / "in.parquet")
    assert b"pandas" not in (found.table.schema.metadata or {})
    assert any("numbers the records" in note for note in found.notes)
    write_table(found.table.select(["x"]), tmp_path / "out.parquet", found.format)
    assert pd.read_parquet(tmp_path / "out.parquet").index.tolist() == [0, 1]


def test_categories_that_no_record_has_are_not_released(tmp_path: Path) -> None:
    indices = pa.chunked_array([pa.array([2, None], pa.int32()), pa.array([0, 2], pa.int32())])
    words = pa.array(["low", "rare disease", "high"])
    chunks = [pa.DictionaryArray.from_arrays(chunk, words) for chunk in indices.chunks]
    table = pa.table({"x": pa.chunked_array(chunks)})
    write_table(table, tmp_path / "x.parquet", format_for("parquet"))
    assert b"rare disease" not in (tmp_path / "x.parquet").read_bytes()
    back = pq.read_table(tmp_path / "x.parquet").column("x").combine_chunks()
    assert back.to_pylist() == ["high", None, "low", "high"]
    assert back.dictionary.to_pylist() == ["low", "high"]


@pytest.mark.parametrize("rows", [0, 3])
def test_columns_and_no_rows(tmp_path: Path, rows: int) -> None:
    pq.write_table(everything().slice(0, rows), tmp_path / "x.parquet")
    found = read_table(tmp_path / "x.parquet", columns=["c5", "c0"])
    assert found.table.column_names == ["c0", "c5"]
    assert found.table.num_rows == rows
    write_table(found.table, tmp_path / "y.parquet", found.format)
    assert pq.read_table(tmp_path / "y.parquet").num_rows == rows


def test_unknown_column_and_option(tmp_path: Path) -> None:
    pq.write_table(everything(), tmp_path / "x.parquet")
    with pytest.raises(UsageError, match="no column 'c99'"):
        read_table(tmp_path / "x.parquet", columns=["c99"])
    with pytest.raises(UsageError, match="the option 'delimiter'"):
        read_table(tmp_path / "x.parquet", delimiter=",")


def test_damaged_files(tmp_path: Path) -> None:
    pq.write_table(everything(), tmp_path / "x.parquet")
    whole = (tmp_path / "x.parquet").read_bytes()
    middle = bytearray(whole)
    middle[4:60] = b"\xff" * 56
    for content in (whole[:-20], whole[:50], b"a,b\n1,2\n", bytes(middle)):
        (tmp_path / "x.parquet").write_bytes(content)
        with pytest.raises(DataError, match="not a complete Parquet file"):
            read_table(tmp_path / "x.parquet")


def test_repeated_names(tmp_path: Path) -> None:
    pq.write_table(pa.table([[1], [2]], names=["a", "a"]), tmp_path / "x.parquet")
    with pytest.raises(DataError, match="'a' twice"):
        read_table(tmp_path / "x.parquet")


def test_memory_is_estimated_without_asking_the_columns() -> None:
    groups = [
        SimpleNamespace(num_rows=1_000, num_columns=4, total_byte_size=size) for size in (1, 10**6)
    ]
    metadata = SimpleNamespace(num_row_groups=2, row_group=groups.__getitem__)
    assert _needed(metadata, ["a", "b"]) == 1_000 * 2 * 16 + 10**6 // 2
