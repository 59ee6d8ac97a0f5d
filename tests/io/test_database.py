"""A table of a PostgreSQL server, from the address to the release."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

import discreet
from discreet.cli.main import run
from discreet.errors import DataError, UsageError
from discreet.io.database import is_address, read_database
from discreet.release.plan_file import parse_plan_text

BORN = datetime.date(1990, 12, 31)


@pytest.fixture(scope="module")
def persons(postgres: str) -> str:
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(postgres, autocommit=True) as connection, connection.cursor() as cursor:
        cursor.execute("create sequence counter")
        cursor.execute("create schema survey")
        cursor.execute(
            'create table survey.persons (age integer, "Full name" text, income numeric(10, 2), '
            "born date, seen timestamp, married boolean, long numeric)"
        )
        cursor.execute(
            "insert into survey.persons values (31, 'x', 1500.50, '1990-12-31', "
            "'2020-01-02 03:04:05', true, 12345678901234567890), (40, null, null, null, null, "
            "false, null)"
        )
        cursor.execute(
            "create table people as select 20 + i % 40 as age, 1000.5 + i as income "
            "from generate_series(1, 60) as i"
        )
    return postgres


def test_a_table_is_read_with_its_types(persons: str) -> None:
    file = read_database(persons, options={"table": "survey.persons"})
    assert file.table.to_pydict() == {
        "age": [31, 40],
        "Full name": ["x", None],
        "income": [1500.5, None],
        "born": [BORN, None],
        "seen": [datetime.datetime(2020, 1, 2, 3, 4, 5), None],
        "married": [True, False],
        "long": ["12345678901234567890", None],
    }
    assert file.notes == (
        "PostgreSQL, postgres, table 'survey.persons'",
        "numbers of more than 15 digits, kept as text, in: long",
    )
    assert not file.table.schema.metadata


def test_a_query_and_chosen_columns(persons: str) -> None:
    query = "select age, born from survey.persons where age < 40; "
    read = read_database(persons, ["born"], {"query": query})
    assert read.table.to_pydict() == {"born": [BORN]}
    with pytest.raises(UsageError, match="no column 'bron'; did you mean 'born'"):
        read_database(persons, ["bron"], {"query": query})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"table": "nobody"}, "there is no such table"),
        ({"query": "select no from people"}, "there is no such column"),
        ({"query": "select 1 from people; drop table people"}, "not valid SQL"),
        ({"query": "delete from people returning age"}, "not valid SQL"),
        ({"query": "select nextval('counter')"}, "would change the database"),
        ({"query": "select 'secret'::integer as x"}, "SQLSTATE 22P02"),
    ],
)
def test_what_cannot_be_read(persons: str, options: dict[str, str], words: str) -> None:
    with pytest.raises(DataError, match=words) as caught:
        read_database(persons, options=options)
    assert "secret" not in str(caught.value)


def test_a_server_that_does_not_answer(persons: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="'study' cannot be reached"):
        read_database(f"postgresql:///study?host={tmp_path}", options={"table": "t"})
    with pytest.raises(DataError, match='database "study" does not exist'):
        read_database(persons.replace("/postgres", "/study"), options={"table": "t"})


@pytest.mark.parametrize(
    "address",
    ["postgresql://me:secret@localhost/x", "postgres://localhost/x?user=me&password=secret"],
)
def test_a_password_is_refused_and_not_repeated(
    address: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    plan = tmp_path / "plan.yaml"
    assert run(["describe", address, "--table", "persons", "--out", str(plan)]) == 2
    told = capsys.readouterr()
    assert "PGPASSWORD" in told.err
    assert "secret" not in told.err + told.out
    assert not plan.exists()


@pytest.mark.parametrize("options", [{}, {"table": "a", "query": "select 1"}, {"sheet": "a"}])
def test_one_table_or_one_query(options: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="table"):
        read_database("postgresql://localhost/x", options=options)


def test_addresses() -> None:
    assert is_address("postgres://localhost/x")
    assert not is_address("postgresql")
    assert not is_address(Path("postgresql://localhost/x"))


def test_from_the_address_to_the_release(
    persons: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "plan.yaml"
    assert run(["describe", persons, "--table", "people", "--out", str(plan)]) == 0
    assert "age" in capsys.readouterr().out
    assert parse_plan_text(plan.read_text()).content["data"]["file"] == persons
    assert run(["protect", str(plan), "--out", str(tmp_path / "out")]) == 0
    released = discreet.read(tmp_path / "out" / "release.parquet")
    assert len(released) == 60
    assert run(["verify", str(tmp_path / "out")]) == 0
