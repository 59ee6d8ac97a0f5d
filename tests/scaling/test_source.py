"""Files and folders in chunks."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

from discreet.errors import DataError
from discreet.scaling.source import files_of, large_file


def _folder(tmp_path: Path, count: int = 3) -> Path:
    folder = tmp_path / "people"
    folder.mkdir()
    for number in range(count):
        table = pa.table({"age": [number, 10 + number], "sex": ["f", "m"]})
        parquet.write_table(table, folder / f"{number}.parquet")
    return folder


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    (folder / "_SUCCESS").write_text("")
    file = large_file(folder)
    assert file.rows == 6
    assert [t["age"].to_pylist() for _, t in file.tables()] == [[0, 10, 1, 11, 2, 12]]
    assert [(at, t["age"].to_pylist()) for at, t in file.tables(["age"], 1, 4)] == [
        (1, [10, 1, 11])
    ]


def test_files_of_other_types_are_refused(tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    parquet.write_table(pa.table({"age": ["1"], "sex": ["f"]}), folder / "9.parquet")
    with pytest.raises(DataError, match=r"'9\.parquet' differs from '0\.parquet'"):
        large_file(folder)
    (folder / "notes.csv").write_text("a\n1\n")
    with pytest.raises(DataError, match="files of several formats"):
        files_of(folder)
    (folder / "9.parquet").write_text("no parquet")
    (folder / "notes.csv").unlink()
    with pytest.raises(DataError, match=r"'9\.parquet' is not a complete Parquet file"):
        large_file(folder)


def test_a_folder_of_csv_is_copied(tmp_path: Path) -> None:
    folder = tmp_path / "people"
    folder.mkdir()
    for number in range(2):
        csv.write_csv(pa.table({"age": [number], "sex": ["f"]}), folder / f"{number}.csv")
    work = tmp_path / "work"
    work.mkdir()
    file = large_file(folder, {}, work)
    assert [t.to_pydict() for _, t in file.tables()] == [{"age": [0, 1], "sex": ["f", "f"]}]
    with pytest.raises(DataError, match="needs a working folder"):
        large_file(folder)


def test_a_table_of_duckdb_is_copied(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "people.duckdb")) as database:
        database.execute("create table people as select range as age from range(5)").fetchall()
    file = large_file(tmp_path / "people.duckdb", {"table": "people"}, tmp_path)
    assert [t["age"].to_pylist() for _, t in file.tables()] == [[0, 1, 2, 3, 4]]


def test_codes_for_missing_values_are_read_as_missing(tmp_path: Path) -> None:
    table = pa.table({"pay": [5, -9, 7], "job": ["cook", "refused", "none"]})
    parquet.write_table(table, tmp_path / "people.parquet", row_group_size=2)
    file = large_file(tmp_path / "people.parquet", missing={"pay": [-9], "*": ["refused"]})
    [(_, read)] = file.tables()
    assert read.to_pydict() == {"pay": [5, None, 7], "job": ["cook", None, "none"]}
    assert file.notes == ("codes for missing values are read as missing in: all columns",)
    folder = tmp_path / "people"
    folder.mkdir()
    csv.write_csv(table, folder / "0.csv")
    copied = large_file(folder, {}, tmp_path, {"pay": [-9], "job": ["refused", "none"]})
    assert next(copied.tables())[1].to_pydict() == {
        "pay": [5, None, 7],
        "job": ["cook", None, None],
    }
    coded = table.set_column(1, "job", table["job"].dictionary_encode())
    parquet.write_table(coded, tmp_path / "people.parquet")
    with pytest.raises(DataError, match="but 'job' is one of categories; state them by column"):
        large_file(tmp_path / "people.parquet", missing={"*": [-9]})
