"""What a spreadsheet would run is written so that it shows it, and reads back as it was."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import DataError, UsageError
from discreet.io.files import format_for, read_back, read_cells, read_table, write_table
from discreet.io.formats import FileFormat
from discreet.io.spreadsheet import as_written, is_run, runs, safely_written, shown, shown_cells

SAFE = format_for(".csv", spreadsheet_safe=True)

HOSTILE = [
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    " \t=1",
    "\x0b=1",
    "\uff1d1+1",
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://x","y")',
    "-3.5\n",
    "-3.5.1",
    "+49 30 1",
    "-",
    "=",
]
HARMLESS = ["-3.5", "+5", "-3,5", "-.5", "-1e-5", " -3", "-inf", "a=b", "2-1", "", "(1)", "#x"]
MARKED = ["'=1+1", "''=1+1", "'", "'tis", "' =1"]

texts = st.lists(
    st.one_of(
        st.text(st.sampled_from("'=+-@\t\r\n ,;\"1.eainf\uff1d\x0b\x0c"), max_size=6),
        st.sampled_from(HOSTILE + HARMLESS + MARKED),
    ),
    min_size=1,
    max_size=8,
)


@pytest.mark.parametrize("text", HOSTILE)
def test_what_would_be_run_gets_an_apostrophe(text: str) -> None:
    assert runs(text)
    assert shown(text) == "'" + text


@pytest.mark.parametrize("text", HARMLESS)
def test_what_would_not_stays_as_it_is(text: str) -> None:
    assert not runs(text)
    assert shown(text) == text


@pytest.mark.parametrize("text", MARKED)
def test_an_apostrophe_that_was_there_gets_one_more(text: str) -> None:
    assert shown(text) == "'" + text


@settings(deadline=None)
@given(texts)
def test_columns_and_names_follow_the_same_rule(values: list[str]) -> None:
    cells = shown_cells(pa.array(values, pa.large_string()))
    assert cells.to_pylist() == [shown(value) for value in values]
    assert as_written(pa.chunked_array([cells])).to_pylist() == values
    assert not any(runs(cell) for cell in cells.to_pylist())


@settings(deadline=None)
@given(texts)
def test_two_texts_never_become_one(values: list[str]) -> None:
    assert len({shown(value) for value in values}) == len(set(values))


@settings(deadline=None)
@given(texts)
def test_both_roads_read_back_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, values: list[str]
) -> None:
    file = tmp_path_factory.mktemp("safe") / "x.csv"
    table = pa.table({"=t": values, "'t": ["a"] * len(values), "x": [-3.5] * len(values)})
    write_table(table, file, SAFE)
    expected = [value or None for value in values]
    assert read_back(file, SAFE, table.schema).to_pydict()["=t"] == expected
    cells = read_cells(file, spreadsheet_safe=True)
    assert cells.column_names == table.column_names
    assert cells.to_pydict()["=t"] == expected
    assert cells.to_pydict()["x"] == ["-3.5"] * len(values)


def test_a_file_is_read_again_by_the_option(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    write_table(pa.table({"=t": ["=1", "'=1"], "x": [-1, 2]}), file, SAFE)
    assert file.read_text() == "'=t,x\n'=1,-1\n''=1,2\n"
    found = read_table(file, spreadsheet_safe="yes")
    assert found.table.to_pydict() == {"=t": ["=1", "'=1"], "x": [-1, 2]}
    assert found.format.details.spreadsheet_safe
    assert read_table(file, columns=["=t"], spreadsheet_safe=True).table.column_names == ["=t"]


@pytest.mark.parametrize("cell", ["=1", "'x", "'-3.5", "-x", "\t1"])
def test_the_second_road_refuses_a_cell_that_was_not_written_so(tmp_path: Path, cell: str) -> None:
    file = tmp_path / "x.csv"
    file.write_text(f"t\n{cell}\n")
    with pytest.raises(DataError, match="column 't' has a cell with a leading apostrophe too"):
        read_cells(file, spreadsheet_safe=True)


def test_names_that_only_an_apostrophe_tells_apart_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("'=t,=t\n1,2\n")
    with pytest.raises(DataError, match="differ only by a leading apostrophe"):
        read_table(file, spreadsheet_safe=True)


def test_the_option_is_yes_or_no(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=re.escape("yes or no, but 1 was given")):
        format_for(".csv", spreadsheet_safe=1)


def test_only_csv_files_are_run() -> None:
    parquet = format_for(".parquet")
    assert safely_written(parquet) is parquet
    assert not is_run(parquet)
    assert is_run(FileFormat.default())
    assert not is_run(safely_written(FileFormat.default()))


def test_old_dates_are_no_subtraction(tmp_path: Path) -> None:
    import datetime

    file = tmp_path / "x.csv"
    day = (datetime.date(1, 1, 1) - datetime.date(1970, 1, 1)).days - 400
    table = pa.table({"d": pa.array([day], pa.date32())})
    write_table(table, file, SAFE)
    assert not any(runs(line) for line in file.read_text().splitlines())
    assert read_cells(file, spreadsheet_safe=True).to_pydict()["d"][0].startswith(("-", "0"))
