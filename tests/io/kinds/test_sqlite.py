"""SQLite files: one table in, a file with that table out."""

from __future__ import annotations

import datetime
import sqlite3
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pytest

from discreet.errors import DataError, UsageError
from discreet.io.files import format_for, read_back, read_cells, read_table, write_table
from discreet.io.kinds.sqlite import SQLiteDetails

TABLE = pa.table(
    {
        'a "strange" name': [1, None],
        "income": [1.0, 2.5],
        "town": ["12", "x; drop table release"],
        "born": [datetime.date(1990, 12, 31), None],
        "seen": [datetime.datetime(2020, 1, 2, 3, 4, 5), None],
        "none": pa.array([None, None], pa.string()),
    }
)


def database(path: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(path)) as made, made:
        for statement in statements:
            made.execute(statement)
    return path


def test_a_table_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    format = format_for(".sqlite", table="persons")
    write_table(TABLE, path, format)
    file = read_table(path)
    assert file.table.to_pydict() == TABLE.to_pydict()
    assert file.format == format
    assert file.format.details == SQLiteDetails("persons")
    back = read_back(path, format, TABLE.schema)
    assert back.schema == TABLE.schema
    assert back.to_pydict() == TABLE.to_pydict()
    assert read_cells(path).column("born").to_pylist() == ["1990-12-31", None]
    write_table(TABLE, tmp_path / "y.sqlite", format)
    assert path.read_bytes() == (tmp_path / "y.sqlite").read_bytes()


def test_a_table_or_view_is_chosen(tmp_path: Path) -> None:
    path = database(
        tmp_path / "x.db",
        "create table persons (age integer, born date)",
        "insert into persons values (31, '1990-12-31')",
        "create view old as select * from persons where age > 60",
    )
    with pytest.raises(UsageError, match="has old, persons; name one"):
        read_table(path)
    with pytest.raises(UsageError, match="did you mean 'persons'"):
        read_table(path, table="person")
    born = datetime.date(1990, 12, 31)
    assert read_table(path, table="persons").table.to_pydict() == {"age": [31], "born": [born]}
    assert read_table(path, table="old", columns=["age"]).table.to_pydict() == {"age": []}


def test_reading_changes_nothing(tmp_path: Path) -> None:
    path = database(tmp_path / "x.db", "create table t (a)", "insert into t values (1)")
    before = path.read_bytes()
    read_table(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (["create table t (a)", "insert into t values (1), ('secret')"], "column 'a' of 'x.db'"),
        (["create table t (a)", "drop table t"], "must hold a table"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path: Path, statements: list[str], words: str) -> None:
    path = database(tmp_path / "x.db", *statements)
    with pytest.raises(DataError, match=words) as caught:
        read_table(path)
    assert "secret" not in str(caught.value)


def test_damage_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = database(tmp_path / "x.db", "create table people (age int)")
    path.write_bytes(path.read_bytes().replace(b"tablepeoplepeople", b"tablepe\xff\xfe\xfdepeople"))
    with pytest.raises(DataError, match="cannot be read as an SQLite file"):
        read_table(path)


@pytest.mark.parametrize("kept", [20, 5000, 12000])
def test_a_broken_file_is_refused(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "x.sqlite"
    write_table(pa.table({"x": list(range(5000))}), path, format_for(".sqlite"))
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(DataError, match="cannot be read as an SQLite file"):
        read_table(path)
    with pytest.raises(DataError, match="cannot be read as an SQLite file"):
        read_cells(path)


@pytest.mark.parametrize("column", [pa.array([[1]]), pa.array([2**64 - 1], pa.uint64())])
def test_what_sqlite_does_not_hold(tmp_path: Path, column: pa.Array) -> None:
    with pytest.raises(DataError, match="write Parquet"):
        write_table(pa.table({"c": column}), tmp_path / "x.sqlite", format_for(".sqlite"))
