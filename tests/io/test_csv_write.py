"""A table written as CSV comes back as it was, in the dialect it had."""

from __future__ import annotations

import datetime
import decimal
import math
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import DataError
from discreet.io.csv_dialect import CsvDialect
from discreet.io.csv_write import write_csv, write_csv_in_turn
from discreet.io.files import FileFormat, format_for, read_table, write_table
from discreet.io.formats import kind_named


def csv_format(**options: Any) -> FileFormat:
    dialect = CsvDialect(**options)
    suffix = f".csv{dialect.packing}"
    return FileFormat(kind="csv", suffix=suffix, details=dialect)


def again(table: pa.Table, format: FileFormat) -> pa.Table:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "table" + format.suffix)
        write_table(table, file, format)
        return read_table(file, **kind_named(format.kind).options_of(format)).table


texts = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8
)
awkward = st.sampled_from(
    ["007", "NA", "a;b", "a,b", 'q"q', '"', "\n", "\r", "x\r\ny", " ", "\ufeff", "ß", "🂡", "'"]
)
# The empty text is left out: in a CSV file it is the missing value. A word in the first place
# keeps a column text, as "12" alone would rightly come back as a number.
text_columns = st.lists(st.none() | texts | awkward, max_size=6).map(lambda cells: ["word", *cells])
integer_columns = st.lists(st.none() | st.integers(-(2**63), 2**63 - 1), max_size=6).map(
    lambda cells: [0, *cells]
)
float_columns = st.lists(st.none() | st.floats(allow_nan=False), max_size=6).map(
    lambda cells: [-0.0, *cells]
)
date_columns = st.lists(st.none() | st.dates(), max_size=6).map(
    lambda cells: [datetime.date(2020, 2, 29), *cells]
)


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    names = draw(
        st.lists(texts.filter(lambda name: name.strip() != ""), min_size=1, max_size=4, unique=True)
    )
    columns = {}
    for name in names:
        kind = draw(st.sampled_from(["text", "integer", "float", "date"]))
        cells, type = {
            "text": (text_columns, pa.string()),
            "integer": (integer_columns, pa.int64()),
            "float": (float_columns, pa.float64()),
            "date": (date_columns, pa.date32()),
        }[kind]
        columns[name] = pa.array(draw(cells), type)
    rows = min(len(column) for column in columns.values())
    return pa.table({name: column.slice(0, rows) for name, column in columns.items()})


dialects = st.builds(
    csv_format,
    delimiter=st.sampled_from([",", ";", "\t", "|"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    decimal=st.sampled_from([".", ","]),
    newline=st.sampled_from(["\n", "\r\n"]),
    packing=st.sampled_from(["", ".gz", ".zst", ".zip"]),
    separator_line=st.booleans(),
)


@settings(max_examples=150, deadline=None)
@given(tables(), dialects)
def test_any_table_comes_back_the_same(table: pa.Table, format: FileFormat) -> None:
    back = again(table, format)
    assert back.schema.equals(table.schema)
    # repr tells -0.0 from 0.0
    assert repr(back.to_pydict()) == repr(table.to_pydict())


@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize(
    "values",
    [[1.0, 2.0], [0.1, 1e300], [5e-324, None], [1e16, 123456789012345680.0], [math.inf, 1.0]],
)
def test_floats_stay_floats(values: list[Any], decimal: str) -> None:
    back = again(pa.table({"x": values, "t": ["a", "b"]}), csv_format(decimal=decimal))
    assert back.column("x").type == pa.float64()
    assert back.column("x").to_pylist() == values


def test_what_csv_cannot_tell_apart(tmp_path: Path) -> None:
    table = pa.table({"text": ["", None, "a"], "x": [math.nan, None, 1.5]})
    assert again(table, FileFormat.default()).to_pydict() == {
        "text": [None, None, "a"],
        "x": [None, None, 1.5],
    }


def test_the_dialect_of_the_file_is_kept(tmp_path: Path) -> None:
    content = "id;plz;x;land\r\n1;01234;1,5;NA\r\n2;99999;NA;Österreich\r\n".encode("cp1252")
    (tmp_path / "in.csv").write_bytes(content)
    found = read_table(tmp_path / "in.csv")
    write_table(found.table, tmp_path / "out.csv", found.format)
    assert (tmp_path / "out.csv").read_bytes() == content


def test_a_dropped_column_and_a_new_type(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes(b"id,x,n\n1,NA,5\n2,7,6\n")
    found = read_table(tmp_path / "in.csv")
    table = pa.table({"x": [None, 7.5], "n": ["[0, 5]", None]})
    write_table(table, tmp_path / "out.csv", found.format)
    assert (tmp_path / "out.csv").read_text() == 'x,n\nNA,"[0, 5]"\n7.5,\n'


@pytest.mark.parametrize(
    ("column", "lines"),
    [
        (pa.array([True, None]), ["true", ""]),
        (pa.array(["a", "b"]).dictionary_encode(), ["a", "b"]),
        (pa.array([decimal.Decimal("1.50"), None]), ["1.50", ""]),
        (
            pa.array([datetime.datetime(2020, 1, 2, 3, 4, 5)] * 2),
            ["2020-01-02 03:04:05.000000"] * 2,
        ),
        (pa.array([datetime.time(3, 4, 5), None]), ["03:04:05.000000", ""]),
        (pa.array([2**64 - 1, 1], pa.uint64()), ["18446744073709551615", "1"]),
        (pa.array([0.1, None], pa.float32()), ["0.1", ""]),
        (pa.nulls(2), ["", ""]),
        (pa.array(["a", "b"], pa.large_string()), ["a", "b"]),
    ],
)
def test_other_types(tmp_path: Path, column: pa.Array, lines: list[str]) -> None:
    write_table(pa.table({"x": column}), tmp_path / "x.csv", FileFormat.default())
    assert (tmp_path / "x.csv").read_text().split("\n")[1:3] == lines


@pytest.mark.parametrize("values", [[[1]], [{"a": 1}], [b"x"], [datetime.timedelta(1)]])
def test_types_without_csv_form(tmp_path: Path, values: list[Any]) -> None:
    with pytest.raises(DataError, match="column 'x' is of type"):
        write_table(pa.table({"x": values}), tmp_path / "x.csv", FileFormat.default())


def test_a_character_the_encoding_lacks(tmp_path: Path) -> None:
    table = pa.table({"a": ["x"], "b": ["secret ≥ 5"]})
    with pytest.raises(DataError, match="column 'b'") as caught:
        write_table(table, tmp_path / "x.csv", csv_format(encoding="cp1252"))
    assert "secret" not in str(caught.value)


def test_a_nul_character(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="column 'x' has one"):
        write_table(pa.table({"x": ["a\0b"]}), tmp_path / "x.csv", FileFormat.default())


def test_no_rows(tmp_path: Path) -> None:
    table = pa.table({"a": pa.array([], pa.string()), "b": pa.array([], pa.float64())})
    write_table(table, tmp_path / "x.csv", FileFormat.default())
    assert read_table(tmp_path / "x.csv").table.column_names == ["a", "b"]


def test_the_same_table_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.csv.gz", "two.csv.gz"):
        write_table(pa.table({"a": [1]}), tmp_path / name, format_for(".csv.gz"))
    assert (tmp_path / "one.csv.gz").read_bytes() == (tmp_path / "two.csv.gz").read_bytes()


def test_a_place_that_cannot_be_written_to(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be written"):
        write_table(pa.table({"a": [1]}), tmp_path / "no" / "x.csv", FileFormat.default())


def test_large_tables_take_little_time(tmp_path: Path) -> None:
    rows = 100_000
    random = np.random.default_rng(1)
    columns: dict[str, np.ndarray] = {f"x{number}": random.normal(size=rows) for number in range(4)}
    columns |= {f"n{number}": random.integers(0, 1000, rows) for number in range(3)}
    columns |= {f"t{number}": random.choice(["a", "b;c", "d"], rows) for number in range(3)}
    table = pa.table(columns)
    format = replace(FileFormat.default(), details=CsvDialect(delimiter=";", decimal=","))
    start = time.perf_counter()
    write_table(table, tmp_path / "x.csv", format)
    back = read_table(tmp_path / "x.csv").table
    assert time.perf_counter() - start < 5
    assert back.equals(table.cast(back.schema))


@pytest.mark.parametrize("size", [1, 2, 7])
def test_pieces_give_the_bytes_of_the_whole(tmp_path: Path, size: int) -> None:
    table = pa.table(
        {
            "whole": [1.0, 2.0, None, 4.0, 5.0, 6.0, 7.0],
            "last": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.5],
            "word": pa.array(["a", 'b"', "c,d", "", None, "e", "f"]).dictionary_encode(),
        }
    )
    dialect = CsvDialect(encoding="utf-16")
    write_csv(table, tmp_path / "whole.csv", dialect)

    def pieces(names: Any) -> Any:
        return (table.select(names).slice(at, size) for at in range(0, 7, size))

    write_csv_in_turn(pieces, table.schema, tmp_path / "pieces.csv", dialect)
    assert (tmp_path / "pieces.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
