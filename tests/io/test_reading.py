"""Reading: a release is read as its original was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import polars.testing
import pyarrow as pa
import pytest

import discreet
from discreet import DataError, UsageError
from discreet.io.reading import like_original

QI = "quasi-identifier"


def test_categories_that_read_the_same_are_the_same() -> None:
    data = discreet.read({"g": ["1", "2", "2", None]}, roles={"g": QI}, kinds={"g": ["2", "1"]})
    table = like_original(data, pd.DataFrame({"g": pd.Series([2, 2, 1, None], dtype="Int64")}))
    assert table.schema == data.schema
    assert table["g"].tolist() == [0, 0, 1, -1]


def test_a_recoded_column_keeps_its_new_scale() -> None:
    data = discreet.read({"age": [21, 40], "t": ["a", "b"]}, roles={"age": QI, "t": QI})
    table = like_original(data, pa.table({"age": ["20-39", "40-59"], "t": ["a|b", "a|b"]}))
    assert table.schema["age"].categories == ("20-39", "40-59")
    assert table.schema["t"].categories == ("a|b",)
    assert table.quasi_identifiers == ("age", "t")


def test_a_mapping_of_mixed_values_is_refused_without_quoting_them() -> None:
    with pytest.raises(DataError, match="column 'name' mixes several") as error:
        discreet.read({"name": [1, "Smith"]})
    assert "Smith" not in str(error.value)


@pytest.mark.parametrize("columns", [{"a": [1, 2], "b": [1]}, {"a": 5}, {1: [1]}])
def test_a_mapping_that_is_no_table_is_refused(columns: Any) -> None:
    with pytest.raises(DataError):
        discreet.read(columns)


@pytest.mark.parametrize(
    "thing", [5, None, [1, 2], pd.Series([1]), pl.Series([1]), np.ones((2, 2))]
)
def test_what_is_no_frame_is_refused(thing: Any) -> None:
    with pytest.raises(UsageError, match="data must be a frame of pandas, polars or pyarrow"):
        discreet.read(thing)


def test_a_lazy_frame_is_refused() -> None:
    with pytest.raises(UsageError, match="collect it first"):
        discreet.read(pl.DataFrame({"a": [1]}).lazy())


def test_roles_of_columns_that_are_not_there() -> None:
    with pytest.raises(
        UsageError, match=r"list of roles names column 'agee', .*did you mean 'age'"
    ):
        discreet.read({"age": [1]}, roles={"agee": "other"})
    with pytest.raises(UsageError, match="the list of kinds names column 'sex'"):
        discreet.read({"age": [1]}, kinds={"sex": "nominal"})


def test_the_cells_of_some_records_are_enough_to_look_at_data(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text("age,town\n" + "".join(f"{20 + i},{'AB'[i % 2]}\n" for i in range(9)))
    whole, lean = discreet.read(file), discreet.read(file, cells=3)
    assert lean.source is not None
    assert lean.source.frame.to_native().to_pydict() == {"age": [20, 24, 28], "town": ["A"] * 3}
    assert lean.schema == whole.schema
    assert all((lean[name] == whole[name]).all() for name in whole.schema.names)
    with pytest.raises(UsageError, match="can be explored, not released"):
        lean.frame()
    with pytest.raises(UsageError, match="number of records"):
        discreet.read(file, cells=-1)
    assert len(discreet.describe(file, cells=0).columns) == 2


@pytest.mark.parametrize("suffix", ["csv", "tsv", "xlsx"])
@pytest.mark.parametrize("asked", [["town"], ["town", "grade"], ["Quellbrun", "grade"]])
def test_a_record_in_place_of_the_header_is_not_quoted(
    tmp_path: Path, suffix: str, asked: list[str]
) -> None:
    records = pl.DataFrame(
        {"town": ["Quellbrunn", "Ayle", "Quellbrunn"], "grade": ["low", "high", "mid"]}
    )
    path = tmp_path / f"people.{suffix}"
    if suffix == "xlsx":
        records.to_pandas().to_excel(path, header=False, index=False)
    else:
        records.write_csv(path, include_header=False, separator="\t" if suffix == "tsv" else ",")
    for given in (
        {"roles": dict.fromkeys(asked, "quasi-identifier")},
        {"kinds": dict.fromkeys(asked, "nominal")},
        {"roles": dict.fromkeys(asked, "other"), "missing": {asked[0]: ["NA"]}},
    ):
        with pytest.raises(UsageError, match="first line") as told:
            discreet.read(path, **given)
        assert "Quellbrunn" not in str(told.value)
        assert "low" not in str(told.value)


def test_a_released_file_without_a_header_is_not_quoted() -> None:
    original = discreet.read({"town": ["Ayle", "Bron"], "pay": [1, 2]})
    with pytest.raises(UsageError, match="a column, number 1 of 2, that the original") as told:
        like_original(original, pa.table({"Quellbrunn": ["Ayle"], "1": [2]}))
    assert "Quellbrunn" not in str(told.value)
    with pytest.raises(UsageError, match="column 'wage' that the original does not have"):
        like_original(original, pa.table({"town": ["Ayle"], "wage": [2]}))
