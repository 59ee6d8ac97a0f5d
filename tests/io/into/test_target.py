"""A new table of a database: kept whole with what was released, or not there at all."""

from __future__ import annotations

import datetime
import sqlite3
from pathlib import Path

import pyarrow as pa
import pytest

from discreet.errors import DataError, UsageError
from discreet.io.into.target import TableTarget, chosen_target, same_records, table_target

RECORDS = pa.table(
    {
        "age": pa.array([31, None, 31], pa.int8()),
        "places": pa.array([1, 2, None], pa.uint32()),
        "income": [1500.25, float("nan"), None],
        "Full name": pa.array(["a 'b\"", "", None]),
        "region": pa.array(["north", "south", "north"]).dictionary_encode(),
        "married": [True, None, False],
        "born": [datetime.date(1990, 12, 31), None, datetime.date(1850, 1, 1)],
        "seen": pa.array([datetime.datetime(2020, 1, 2, 3, 4, 5), None, None], pa.timestamp("s")),
        "nothing": pa.nulls(3),
    }
)


@pytest.fixture(params=["postgresql", "sqlite", "duckdb"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> TableTarget:
    if request.param == "postgresql":
        address = request.getfixturevalue("postgres")
    else:
        address = tmp_path / f"study.{request.param}"
    return table_target(address, f"Released {request.node.name}"[:60])


def refuse(stored: pa.Table) -> None:
    raise DataError("this is not what was to be written")


def keep(stored: pa.Table) -> None:
    assert same_records(RECORDS, stored)


def test_a_table_is_kept_as_it_was_given(target: TableTarget) -> None:
    target.refuse_existing()
    target.write(RECORDS, keep)
    assert same_records(RECORDS, target.read())
    with pytest.raises(DataError, match="already has"):
        target.refuse_existing()
    with pytest.raises(DataError, match="already has"):
        target.write(RECORDS, keep)
    assert same_records(RECORDS, target.read())
    target.drop()
    target.refuse_existing()
    with pytest.raises(DataError, match=r"has no table|does not exist"):
        target.read()


def test_what_the_check_refuses_leaves_nothing(target: TableTarget, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not what was to be written"):
        target.write(RECORDS, refuse)
    assert list(tmp_path.iterdir()) == []
    target.refuse_existing()
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(DataError):
        target.read()


def test_other_tables_of_the_file_stay(tmp_path: Path) -> None:
    place = tmp_path / "study.db"
    with sqlite3.connect(place) as database:
        database.execute("create table patients as select 1 as id")
    database.close()
    with pytest.raises(DataError, match="not what was to be written"):
        table_target(place, "released").write(RECORDS, refuse)
    table_target(place, "released").write(RECORDS, keep)
    assert table_target(place, "patients").read().to_pydict() == {"id": [1]}


def test_a_schema_that_is_not_there(postgres: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="has no schema 'nowhere'"):
        table_target(postgres, "nowhere.persons").write(RECORDS, keep)
    with pytest.raises(DataError, match="its schema is there"):
        table_target(tmp_path / "x.duckdb", "nowhere.persons").write(RECORDS, keep)
    assert list(tmp_path.iterdir()) == []


def test_values_that_a_system_does_not_hold(postgres: str) -> None:
    for kind, value in (("uint64", 2**63), ("string", "a\0b")):
        table = pa.table({"code": pa.array([value], kind)})
        with pytest.raises(DataError, match=r"column 'code' goes beyond|cannot store"):
            table_target(postgres, f"beyond {kind}").write(table, keep)
        table_target(postgres, f"beyond {kind}").refuse_existing()


def test_files_that_are_no_databases(tmp_path: Path) -> None:
    for suffix in ("db", "duckdb"):
        place = tmp_path / f"text.{suffix}"
        place.write_text("no database" * 1000)
        with pytest.raises(DataError, match="cannot be written into"):
            table_target(place, "x").write(RECORDS, keep)
        assert place.read_text() == "no database" * 1000


def test_a_database_and_a_name_belong_together(tmp_path: Path) -> None:
    assert chosen_target(None, None) is None
    for given in ((tmp_path / "x.db", None), (None, "x")):
        with pytest.raises(UsageError, match="are given together"):
            chosen_target(*given)
    with pytest.raises(UsageError, match="needs a name"):
        table_target(tmp_path / "x.db", "")
    with pytest.raises(UsageError, match="without the password"):
        table_target("postgresql://me:secret@localhost/x", "x")


def test_records_are_compared_whatever_their_order() -> None:
    assert same_records(RECORDS, RECORDS.take([2, 0, 1]))
    assert not same_records(RECORDS, RECORDS.take([2, 0, 0]))
    assert not same_records(RECORDS, RECORDS.slice(1))
    assert not same_records(RECORDS, RECORDS.drop_columns(["age"]))
