"""Excel files: sheets in, one sheet out, and nothing that runs."""

from __future__ import annotations

import datetime
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pytest

from discreet.errors import DataError, UsageError
from discreet.io.files import format_for, read_back, read_cells, read_table, write_table
from discreet.io.kinds.excel import ExcelDetails

TABLE = pa.table(
    {
        "id": [1, 2, None],
        "income": [1500.5, None, -99.0],
        "town": ["=1+1", "#N/A", None],
        "born": [datetime.date(1980, 2, 29), None, datetime.date(2001, 1, 1)],
        "seen": [datetime.datetime(2020, 1, 2, 3, 4, 5), None, None],
        "married": [True, None, False],
        "last": ["a", "b", "c"],
    }
)


def workbook(path: Path, *sheets: tuple[str, list[list[Any]]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_a_table_comes_back(tmp_path: Path) -> None:
    format = format_for("xlsx", sheet="people")
    write_table(TABLE, tmp_path / "x.xlsx", format)
    read = read_table(tmp_path / "x.xlsx")
    assert read.table.to_pydict() == TABLE.to_pydict()
    assert read.format == format
    assert read.format.details == ExcelDetails("people")
    assert read_back(tmp_path / "x.xlsx", format, TABLE.schema).schema == TABLE.schema
    cells = read_cells(tmp_path / "x.xlsx", sheet="people")
    assert cells.column("town").to_pylist() == ["=1+1", "#N/A", None]
    assert cells.column("income").to_pylist() == [1500.5, None, -99.0]


def test_a_text_is_no_formula_in_the_file(tmp_path: Path) -> None:
    write_table(TABLE, tmp_path / "x.xlsx", format_for("xlsx"))
    content = zipfile.ZipFile(tmp_path / "x.xlsx").read("xl/worksheets/sheet1.xml")
    assert b"=1+1" in content
    assert b"<f>" not in content


def test_the_same_table_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.xlsx", "b.xlsx"):
        write_table(TABLE, tmp_path / name, format_for("xlsx"))
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()
    assert [file.name for file in sorted(tmp_path.iterdir())] == ["a.xlsx", "b.xlsx"]


def test_missing_values_are_written_as_they_came(tmp_path: Path) -> None:
    path = workbook(tmp_path / "x.xlsx", ("a", [["x", "t"], [1.5, "NA"], ["NA", "b"]]))
    read = read_table(path)
    assert read.table.to_pydict() == {"x": [1.5, None], "t": ["NA", "b"]}
    assert "missing values written 'NA' in: x" in read.notes
    write_table(read.table, path, read.format)
    assert read_cells(path).to_pydict() == {"x": ["1.5", "NA"], "t": ["NA", "b"]}
    assert read_table(path).table.to_pydict() == read.table.to_pydict()


def test_a_sheet_is_chosen(tmp_path: Path) -> None:
    path = workbook(tmp_path / "x.xlsx", ("one", [["a"], [1]]), ("two", [["b"], [2]]), ("no", []))
    assert read_table(path).table.to_pydict() == {"a": [1]}
    assert read_table(path, sheet="two").table.to_pydict() == {"b": [2]}
    assert "sheets that were not read: one, no" in read_table(path, sheet="two").notes
    with pytest.raises(UsageError, match="did you mean 'two'"):
        read_table(path, sheet="tow")
    with pytest.raises(DataError, match=r"sheet 'no' of .* is empty"):
        read_table(path, sheet="no")


def test_chosen_columns(tmp_path: Path) -> None:
    path = workbook(tmp_path / "x.xlsx", ("one", [["a", "b"], [1, 2]]))
    assert read_table(path, columns=["b"]).table.to_pydict() == {"b": [2]}


def test_a_title_and_missing_names_are_told(tmp_path: Path) -> None:
    header = ["id", "pay", "pay", None, "town"]
    rows: list[list[Any]] = [
        ["Staff 2023"],
        [],
        header,
        *([[1, 2, 3, 4, "A"]] * 12),
        ["Sum", 24, None, None, None],
    ]
    file = read_table(workbook(tmp_path / "x.xlsx", ("one", rows)))
    assert file.table.column_names == ["id", "pay", "pay (2)", "column 4", "town"]
    told = "\n".join(file.notes)
    assert "pay (2), column 4" in told
    assert "not read: 2" in told
    assert "total" in told


@pytest.mark.parametrize("share", [0.0, 0.5, 0.95])
def test_a_broken_file_is_refused(tmp_path: Path, share: float) -> None:
    path = tmp_path / "x.xlsx"
    write_table(TABLE, path, format_for("xlsx"))
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))] or b"no Excel file at all")
    with pytest.raises(DataError, match="cannot be read as an Excel file"):
        read_table(path)
    with pytest.raises(DataError, match="cannot be read by openpyxl"):
        read_cells(path)


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (pa.array([2**53 + 1]), "15 digits"),
        (pa.array([float("inf")]), "infinite"),
        (pa.array(["a\x01"]), "control characters"),
        (pa.array(["x" * 40_000]), "32,767"),
        (pa.array([datetime.date(1850, 1, 1)]), "before March 1900"),
        (pa.array([datetime.datetime(2020, 1, 1)], pa.timestamp("us", "UTC")), "time zone"),
        (pa.array([[1]]), "list"),
    ],
)
def test_what_a_sheet_does_not_hold(tmp_path: Path, column: pa.Array, words: str) -> None:
    with pytest.raises(DataError, match=f"{words}.*column 'c'"):
        write_table(pa.table({"c": column}), tmp_path / "x.xlsx", format_for("xlsx"))


def test_too_many_records(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="1,048,575 records"):
        write_table(pa.table({"c": [0] * 1_048_576}), tmp_path / "x.xlsx", format_for("xlsx"))


@pytest.mark.parametrize("missing", [{}, {"x": "NA"}])
def test_a_last_record_without_values_is_kept(tmp_path: Path, missing: dict[str, str]) -> None:
    table = pa.table({"x": [1.5, None, None, None], "t": ["a", None, "</row>", None]})
    format = format_for("xlsx")
    format = replace(format, details=replace(format.details, missing=missing))
    write_table(table, tmp_path / "x.xlsx", format)
    assert read_table(tmp_path / "x.xlsx").table.to_pydict() == table.to_pydict()
    assert read_cells(tmp_path / "x.xlsx").num_rows == 4


def test_too_little_memory_is_no_broken_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise MemoryError

    write_table(TABLE, tmp_path / "x.xlsx", format_for("xlsx"))
    monkeypatch.setattr(openpyxl, "load_workbook", fail)
    with pytest.raises(MemoryError):
        read_cells(tmp_path / "x.xlsx")
