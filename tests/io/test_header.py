"""Headers as people have them: titles above, names missing or repeated."""

from __future__ import annotations

from pathlib import Path

import pytest

import discreet
from discreet.io.header import ends_in_total, given_names, rows_of_title

HEADER = ["age", "sex", "town", "pay"]
RECORDS = [["31", "f", "Ayle", "9"], ["47", "m", "Bron", "8"]]


@pytest.mark.parametrize(
    ("names", "given"),
    [
        (["a", "b"], ["a", "b"]),
        (["", "b"], ["column 1", "b"]),
        (["a", "a", "a"], ["a", "a (2)", "a (3)"]),
        (["a", "a", "a (2)"], ["a", "a (3)", "a (2)"]),
        (["column 2", ""], ["column 2", "column 2 (2)"]),
    ],
)
def test_every_column_gets_a_name_of_its_own(names: list[str], given: list[str]) -> None:
    found, notes = given_names(names)
    assert found == given
    assert bool(notes) is (names != given)


def test_many_columns_of_one_name_are_named_at_once() -> None:
    """With a search from 2 on for each, as many as these would take an hour."""
    found, _ = given_names(["a"] * 5_000)
    assert found == ["a", *(f"a ({number})" for number in range(2, 5_001))]


@pytest.mark.parametrize(
    ("above", "rows"),
    [
        ([], 0),
        ([["Staff 2023", "", "", ""]], 1),
        ([["Staff"], [], ["as of", "2023"]], 3),
        ([["Staff", "by", "town", ""]], 0),
    ],
)
def test_titles_stand_above_the_header(above: list[list[str]], rows: int) -> None:
    assert rows_of_title([*above, HEADER, *RECORDS]) == rows


def test_a_header_that_is_mostly_empty_is_no_title() -> None:
    assert rows_of_title([["id", "", "", ""], ["1", "2", "3", "4"], ["5", "6", "7", "8"]]) == 0


def test_a_row_of_sums_is_seen_and_a_gap_is_not() -> None:
    rows: list[list[object]] = [[i, "a", 2, 3] for i in range(12)]
    assert ends_in_total([*rows, ["Sum", "", 24, ""]])
    assert not ends_in_total([*rows, ["13", "a", 2, ""]])


def test_a_csv_file_with_a_title_and_an_index_without_a_name(tmp_path: Path) -> None:
    path = tmp_path / "staff.csv"
    path.write_text("Staff;;;;\n\n;age;town;pay;pay\n0;31;A;1,5;2\n1;47;B;2,5;3\n")
    data = discreet.read(path)
    assert data.schema.names == ("column 1", "age", "town", "pay", "pay (2)")
    assert data["pay"].tolist() == [1.5, 2.5]
    assert data.source is not None
    assert any("not read: 2" in note for note in data.source.notes)


def test_a_line_of_another_length_is_named_by_its_place_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "staff.csv"
    path.write_text("Staff\nage;town;pay;sex\n31;A;1;f\n47;B\n")
    with pytest.raises(discreet.DataError, match="line 4 has 2"):
        discreet.read(path)


def test_a_header_is_no_title_because_values_have_commas(tmp_path: Path) -> None:
    path = tmp_path / "pay.csv"
    path.write_text("a;b;c\n" + "x1,y;p,q;r,s\n" * 5)
    assert discreet.read(path).schema.names == ("a", "b", "c")


def test_values_in_place_of_names_are_told_by_their_place() -> None:
    found, notes = given_names(["Quellbrunn", "31", "Quellbrunn"])
    assert found == ["Quellbrunn", "31", "Quellbrunn (2)"]
    assert notes[0].endswith("were renamed: column 3")
