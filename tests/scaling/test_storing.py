"""What is stored is what is read into memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from discreet.errors import DataError, UsageError
from discreet.io.reading import read
from discreet.release.decimals import decimals_in
from discreet.scaling.engine import Engine
from discreet.scaling.source import large_file
from discreet.scaling.store import Store
from discreet.scaling.storing import stored
from tests.scaling.people import COLUMNS, written


def _stored(folder: Path, roles: dict[str, str], kinds: dict[str, object] | None = None) -> Store:
    return stored(
        large_file(folder / "people.parquet"),
        roles,
        kinds,  # type: ignore[arg-type]
        folder,
        Engine(),
        10_000_000,
    )


def test_it_is_the_table_in_memory(tmp_path: Path) -> None:
    written(tmp_path, "  - rounding")
    data = read(tmp_path / "people.parquet", COLUMNS)
    store = _stored(tmp_path, COLUMNS)
    assert "id" not in store.files
    for column in data.drop(["id"]):
        assert store.attributes[column.name] == column.attribute
        values = store.values(column.name, 0, len(store))
        assert np.array_equal(values, column.values, equal_nan=column.attribute.continuous)
        if column.attribute.continuous:
            assert store.decimals[column.name] == decimals_in(column)
    rows = np.array([3, 40_000, 69_999])
    assert np.array_equal(store.rows_of(["hours"], rows)[0], data["hours"][rows])


def test_categories_have_the_order_of_the_file_or_of_the_plan(tmp_path: Path) -> None:
    stage = pa.DictionaryArray.from_arrays(pa.array([1, 0, 1], pa.int8()), ["low", "high"])
    table = pa.table({"stage": stage, "grade": ["b", "a", "b"]})
    parquet.write_table(table, tmp_path / "people.parquet", row_group_size=2)
    kinds: dict[str, object] = {"grade": ["b", "a", "c"]}
    store = _stored(tmp_path, {"stage": "other"}, kinds)
    data = read(tmp_path / "people.parquet", {"stage": "other"}, kinds)  # type: ignore[arg-type]
    for name in ("stage", "grade"):
        assert store.attributes[name] == data.schema[name]
        assert store.values(name, 0, 3).tolist() == data[name].tolist()


def test_minus_zero_is_zero(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"x": [0.0, -0.0, 1.0]}), tmp_path / "people.parquet")
    store = _stored(tmp_path, {"x": "quasi-identifier"})
    assert not np.signbit(store.values("x", 0, 3)).any()
    assert store.changed == {"x"}


def test_what_cannot_be_stored_is_refused(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"x": [1, 2], "h": [1, 1]}), tmp_path / "people.parquet")
    with pytest.raises(DataError, match="one person within a household \\('x', 'h'\\)"):
        _stored(tmp_path, {"h": "household", "x": "person"})
    with pytest.raises(UsageError, match="did you mean"):
        _stored(tmp_path, {"hh": "other"})


@pytest.mark.parametrize(
    ("texts", "what"),
    [(["31.12.1990", "01.02.1980"], "dates"), (["1,234.50 €", "7.00 €"], "amounts")],
)
def test_dates_and_amounts_as_text_are_not_taken_for_categories(
    tmp_path: Path, texts: list[str], what: str
) -> None:
    table = pa.table({"x": texts, "job": ["cook", "31.12.1990"]})
    parquet.write_table(table, tmp_path / "people.parquet", row_group_size=1)
    assert read(tmp_path / "people.parquet").schema["x"].continuous
    roles = {"x": "quasi-identifier", "job": "quasi-identifier"}
    with pytest.raises(DataError, match=f"'x' holds {what} as text .* in memory only"):
        _stored(tmp_path, roles)
    assert _stored(tmp_path, roles, {"x": "nominal"}).attributes["x"].categories
    assert _stored(tmp_path, {**roles, "x": "other"}).attributes["x"].categories


def test_lists_are_compared_as_in_memory(tmp_path: Path) -> None:
    table = pa.table({"visits": pa.array([[2, 1], [], None, [2, 1]]), "x": [1.0, 2.0, 3.0, 4.0]})
    parquet.write_table(table, tmp_path / "people.parquet", row_group_size=2)
    store = _stored(tmp_path, {"visits": "other"})
    data = read(tmp_path / "people.parquet", {"visits": "other"})
    assert store.attributes["visits"] == data.schema["visits"]
    assert store.values("visits", 0, 4).tolist() == data["visits"].tolist() == [0, 1, -1, 0]
    with pytest.raises(DataError, match=r"'visits' holds .*which cannot be measured"):
        _stored(tmp_path, {"visits": "quasi-identifier"})
