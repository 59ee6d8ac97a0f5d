"""Fixed-width files, cut by the layout beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import DataError, UsageError
from discreet.io.files import read_cells, read_table, write_table

LAYOUT = "name,start,end\nplz,1,5\nage,6,8\nincome,10,15\n"
LINES = "01234 21 1500,5\r\n99999 40\r\n00001100   99,0\r\n".replace("40\r", "40       \r")


@pytest.fixture
def people(tmp_path: Path) -> Path:
    (tmp_path / "people.layout.csv").write_text(LAYOUT)
    file = tmp_path / "people.dat"
    file.write_bytes(LINES.encode())
    return file


VALUES = {"plz": ["01234", "99999", "00001"], "age": [21, 40, 100], "income": [1500.5, None, 99.0]}


def test_lines_are_cut(people: Path) -> None:
    file = read_table(people)
    assert file.table.to_pydict() == VALUES
    assert read_table(people, columns=["age"]).table.to_pydict() == {"age": [21, 40, 100]}
    assert read_cells(people).to_pydict() == VALUES


def test_it_is_released_as_csv_in_its_own_signs(people: Path) -> None:
    file = read_table(people)
    assert file.format.suffix == ".csv"
    out = people.with_name("out.csv")
    write_table(file.table, out, file.format)
    assert out.read_text() == "plz;age;income\n01234;21;1500,5\n99999;40;\n00001;100;99\n"


def test_letters_of_more_than_one_byte(people: Path) -> None:
    people.write_bytes("Köln  21 1500,5\n".encode())
    assert read_table(people).table.to_pydict() == {
        "plz": ["Köln"],
        "age": [21],
        "income": [1500.5],
    }


def test_another_layout(people: Path) -> None:
    people.with_name("other.csv").write_text("name,start,end\nland,1,2\n")
    assert read_table(people, layout="other.csv").table.column_names == ["land"]


def test_a_layout_is_needed(people: Path) -> None:
    people.with_name("people.layout.csv").unlink()
    with pytest.raises(UsageError, match=r"no 'people.layout.csv' beside 'people.dat'"):
        read_table(people)


def test_a_short_line_is_refused(people: Path) -> None:
    people.write_bytes(b"01234 21 1500,5\n99999\n")
    with pytest.raises(DataError, match=r"line 2 of 'people.dat' is shorter"):
        read_table(people)


def test_what_is_no_text_is_refused(people: Path) -> None:
    people.write_bytes(bytes(range(256)))
    with pytest.raises(DataError):
        read_table(people)
