"""A table of a PostgreSQL server, copied to Parquet in batches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from discreet.errors import DataError
from discreet.io import table_copy
from discreet.io.database import read_database
from discreet.io.table_copy import copy_table

FAT = "repeat('x', 1000) as filler from generate_series(1, 40000) as i"
"""Records that take more than one batch."""


def test_the_copy_has_the_records_of_the_table_in_batches(postgres: str, tmp_path: Path) -> None:
    options = {
        "query": "select i as age, i % 3 = 0 as married, date '1990-01-01' + i % 900 as born, "
        "case when i % 7 > 0 then round(i / 8.0, 3) end as income, array[i] as visits, "
        f"{FAT} order by i;"
    }
    copied = copy_table(postgres, options, tmp_path / "copy.parquet")
    assert parquet.read_metadata(tmp_path / "copy.parquet").num_row_groups > 1
    read = read_database(postgres, options=options)
    assert copied.notes == read.notes == ("PostgreSQL, postgres, a query",)
    assert copied.numbers == ("income",)
    table = parquet.read_table(tmp_path / "copy.parquet")
    assert table.schema.field("income").type == pa.string()
    assert table.cast(read.table.schema).equals(read.table)


@pytest.mark.parametrize("row", [1, 40_000])
def test_one_long_number_keeps_the_column_as_text(postgres: str, tmp_path: Path, row: int) -> None:
    long = f"case when i = {row} then 1234567890.123456 else i end"
    options = {"query": f"select {long}::numeric as long, 0.5 as short, {FAT}"}
    copied = copy_table(postgres, options, tmp_path / "copy.parquet")
    assert parquet.read_metadata(tmp_path / "copy.parquet").num_row_groups > 1
    assert copied.numbers == ("short",)
    assert copied.notes == read_database(postgres, options=options).notes
    assert copied.notes[1] == "numbers of more than 15 digits, kept as text, in: long"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (f"select ('secret' || i)::integer as pay, {FAT}", "the server refuses one of them"),
        (f"select 1 / (39999 - i) as pay, {FAT}", "the server refuses one of them"),
        (f"select nextval('copies'), {FAT}", "the server refuses one of them"),
        (f"select no, {FAT}", "there is no such column"),
        (f"select make_interval(days => i) as stay, {FAT}", "no type for column 'stay'"),
        (f"select i as a, i as a, {FAT}", "'a'"),
    ],
)
def test_what_cannot_be_copied(postgres: str, tmp_path: Path, query: str, words: str) -> None:
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(postgres, autocommit=True) as connection, connection.cursor() as cursor:
        cursor.execute("create sequence if not exists copies")
    with pytest.raises(DataError, match=words) as caught:
        copy_table(postgres, {"query": query}, tmp_path / "copy.parquet")
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_connection_that_ends_is_told_without_the_words_of_the_server() -> None:
    class Broken:
        def read_next_batch(self) -> Any:
            raise OSError("the server closed the connection after the record 'secret'")

    with pytest.raises(DataError, match=r"database 'study': .* the connection was lost") as caught:
        next(table_copy._batches(Broken(), "postgresql://localhost/study"))
    assert "secret" not in str(caught.value)
