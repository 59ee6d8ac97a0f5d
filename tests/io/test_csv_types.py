"""The types of the columns of a CSV file."""

from __future__ import annotations

import math
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


def test_thousands_between_commas_stay_text(tmp_path: Path) -> None:
    found = read(tmp_path, b'x,y\n"1,234",a\n"12,345",b\n')
    assert found.table.column("x").to_pylist() == ["1,234", "12,345"]


def test_three_digits_throughout_are_mentioned(tmp_path: Path) -> None:
    found = read(tmp_path, b"x;y\n1.234;a\n12.345;b\n")
    assert any("three digits" in note for note in found.notes)
    again = read(tmp_path, b"x;y\n1.234;a\n12.345;b\n", decimal=",")
    assert again.table.column("x").to_pylist() == ["1.234", "12.345"]


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
        (["31.12.2020", "01.01.2021"], "string", None),
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
