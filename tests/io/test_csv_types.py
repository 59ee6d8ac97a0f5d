"""The types of the columns of a CSV file."""

from __future__ import annotations

import math
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from discreet.io.files import FileTable, read_table


def read(tmp_path: Path, content: bytes, name: str = "people.csv", **options: Any) -> FileTable:
    file = tmp_path / name
    file.write_bytes(content)
    return read_table(file, **options)


@pytest.mark.parametrize(
    ("content", "decimal", "values"),
    [
        (b"x;y\n1,5;a\n2,25;b\n", ",", [1.5, 2.25]),
        (b"x;y\n1.5;a\n2.25;b\n", ".", [1.5, 2.25]),
        (b'x,y\n"1,5",a\n"2,25",b\n', ",", [1.5, 2.25]),
        (b"x\n1,5\n2,25\n", ",", [1.5, 2.25]),
        (b"x;y\n1,5;1.10\n2,25;3.20\n", ",", [1.5, 2.25]),
        (b"x;y\n-,5;a\n1,5e3;b\n", ",", [-0.5, 1500.0]),
    ],
)
def test_decimal_sign_is_found(
    tmp_path: Path, content: bytes, decimal: str, values: list[Any]
) -> None:
    found = read(tmp_path, content)
    assert found.format.details.decimal == decimal
    assert found.table.column("x").to_pylist() == values


def test_thousands_between_commas_are_numbers(tmp_path: Path) -> None:
    found = read(tmp_path, b'x,y\n"1,234",a\n"12,345",b\n')
    assert found.table.column("x").to_pylist() == [1234, 12345]


def test_three_digits_throughout_are_mentioned(tmp_path: Path) -> None:
    found = read(tmp_path, b"x;y\n1.234;a\n12.345;b\n")
    assert any("three digits" in note for note in found.notes)
    again = read(tmp_path, b"x;y\n1.234;a\n12.345;b\n", decimal=",")
    assert again.table.column("x").to_pylist() == [1234, 12345]


@pytest.mark.parametrize(
    ("cells", "type", "values"),
    [
        (["1", "0", "-5"], "int64", [1, 0, -5]),
        (["9223372036854775807", "-9223372036854775808"], "int64", [2**63 - 1, -(2**63)]),
        (["9223372036854775808", "1"], "string", None),
        (["12345678901234567890", "1.5"], "string", None),
        (["01234", "99999"], "string", None),
        (["007.5", "1.5"], "string", None),
        (["+5", "1"], "string", None),
        (["-0", "1"], "double", [-0.0, 1.0]),
        ([" 1", "2"], "string", None),
        (["0x1F", "2"], "string", None),
        (["1_000", "2"], "string", None),
        (["1.5", "2", "", "-3e-5"], "double", [1.5, 2.0, None, -3e-5]),
        (["12E4", "55E1"], "string", None),
        (["1.", "2."], "string", None),
        (["1", "two"], "string", None),
        (["true", "false"], "string", None),
        (["TRUE", "FALSE"], "string", None),
        (["2020-01-31", "1999-12-01"], "date32[day]", None),
        (["2020-02-30", "1999-12-01"], "string", None),
        (["31.12.2020", "01.01.2021"], "date32[day]", [date(2020, 12, 31), date(2021, 1, 1)]),
        (["31.12.2020", "01.13.2021"], "string", None),
        (["20201231", "19990101"], "int64", None),
        (["$5.00", "$1200.00"], "double", [5.0, 1200.0]),
        (["ABC 12", "ABC 13"], "string", None),
        (["12%", "7.5%"], "double", [12.0, 7.5]),
        (["01.02.1990 14:05", "NA"], "timestamp[s]", [datetime(1990, 2, 1, 14, 5), None]),
        (["inf", "-inf", "1.5"], "double", [math.inf, -math.inf, 1.5]),
        (["1", "NA", "N/A", "null", "NULL", ".", "NaN", ""], "int64", [1, *[None] * 7]),
        (["1.5", "."], "double", [1.5, None]),
        (["NA", "DE", ""], "string", ["NA", "DE", None]),
        ([".", "x"], "string", [".", "x"]),
        (["-999", "5"], "int64", [-999, 5]),
        (["NA", "NA"], "string", [None, None]),
        (["", ""], "string", [None, None]),
    ],
)
def test_column_types(tmp_path: Path, cells: list[str], type: str, values: list[Any]) -> None:
    content = "x,y\n" + "".join(f"{cell},a\n" for cell in cells)
    column = read(tmp_path, content.encode()).table.column("x")
    assert str(column.type) == type
    if values is not None:
        assert repr(column.to_pylist()) == repr(values)
    elif type == "string":
        assert column.to_pylist() == cells


def test_a_word_far_down_keeps_the_column_text(tmp_path: Path) -> None:
    cells = [str(number) for number in range(3000)] + ["many"]
    found = read(tmp_path, ("x,y\n" + "".join(f"{cell},1\n" for cell in cells)).encode())
    assert found.table.column("x").to_pylist() == cells


def test_leading_zeros_and_tokens_are_noted(tmp_path: Path) -> None:
    found = read(tmp_path, b"plz;n\n01234;NA\n99999;7\n")
    assert "kept as text because of leading zeros: plz" in found.notes
    assert "missing values written 'NA' in: n" in found.notes
    assert found.format.details.missing == {"n": "NA"}


def test_eight_digits_are_dates_where_all_of_many_are(tmp_path: Path) -> None:
    days = "".join(f"201{i % 10}0{1 + i % 9}1{i % 9},a\n" for i in range(30))
    column = read(tmp_path, f"x,y\n{days}".encode()).table.column("x")
    assert str(column.type) == "date32[day]"
    codes = read(tmp_path, f"x,y\n{days}20130231,a\n".encode()).table.column("x")
    assert str(codes.type) == "int64"


def test_one_column_tells_whether_the_month_stands_first(tmp_path: Path) -> None:
    found = read(tmp_path, b"x,y\n01/02/1990,12/31/1990\n")
    assert found.table.column("x").to_pylist() == [date(1990, 1, 2)]
    assert found.format.details.dates == "month-first"


def test_dates_that_nothing_tells_are_mentioned_and_can_be_stated(tmp_path: Path) -> None:
    content = b"x,y\n01/02/1990,a\n"
    found = read(tmp_path, content)
    assert found.table.column("x").to_pylist() == [date(1990, 2, 1)]
    assert any("day read before month" in note for note in found.notes)
    stated = read(tmp_path, content, dates="month-first")
    assert stated.table.column("x").to_pylist() == [date(1990, 1, 2)]
    assert not any("day read before month" in note for note in stated.notes)


def test_the_century_of_short_years_is_stated(tmp_path: Path) -> None:
    found = read(tmp_path, b"x;y\n31.12.29;a\n31.12.30;b\n")
    assert found.table.column("x").to_pylist() == [date(2029, 12, 31), date(1930, 12, 31)]
    assert "two-digit years are read as 1930 to 2029 in: x" in found.notes
