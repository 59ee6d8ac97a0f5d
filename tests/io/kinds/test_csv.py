"""What is detected in a CSV file, which types its columns get, and which files are refused."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.errors import DataError, UsageError
from discreet.io.files import FileTable, read_table


def read(tmp_path: Path, content: bytes, name: str = "people.csv", **options: Any) -> FileTable:
    file = tmp_path / name
    file.write_bytes(content)
    return read_table(file, **options)


@pytest.mark.parametrize("content", [b"a,b\n", b"a,b", b"a,b\r\n\r\n"])
def test_header_alone_is_a_table_of_no_rows(tmp_path: Path, content: bytes) -> None:
    table = read(tmp_path, content).table
    assert table.column_names == ["a", "b"]
    assert table.num_rows == 0


def test_chosen_columns_keep_the_order_of_the_file(tmp_path: Path) -> None:
    found = read(tmp_path, b"a,b,c\n1,2,3\n", columns=["c", "a"])
    assert found.table.to_pydict() == {"a": [1], "c": [3]}


def test_a_record_larger_than_a_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.io.kinds.csv._BLOCK", 1 << 17)
    large = "x" * (1 << 20)  # larger than the second block that is tried, too
    found = read(tmp_path, f'a,b\n1,"{large}"\n2,y\n'.encode())
    assert found.table.column("b").to_pylist() == [large, "y"]


@pytest.mark.parametrize("quoted", [False, True])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("width", [1, 2])
def test_blocks_end_anywhere_with_and_without_quotation_marks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: int, end: str, quoted: bool
) -> None:
    wide = "x" * 61
    rows = [[*("" if i % 7 == 3 else f"{i} {wide}",), *["y"] * (width - 1)] for i in range(60)]
    mark = '"' if quoted else ""
    if quoted:
        rows[5][0] = "a\nline"
    lines = ["a,b"[: 2 * width - 1], *(",".join(f"{mark}{c}{mark}" for c in row) for row in rows)]
    content = end.join((*lines, "")).encode()
    expected = [row[0] or None for row in rows]
    for block in range(257, 300, 3):
        monkeypatch.setattr("discreet.io.kinds.csv._BLOCK", block)
        assert read(tmp_path, content).table.column("a").to_pylist() == expected


@pytest.mark.parametrize("name", ["x.csv.gz", "x.tsv.gz"])
def test_compressed(tmp_path: Path, name: str) -> None:
    found = read(tmp_path, gzip.compress(b"a\tb\n1\t2\n"), name=name)
    assert found.table.to_pydict() == {"a": [1], "b": [2]}
    assert found.format.suffix == name[1:]


@pytest.mark.parametrize("name", ["x.tsv", "x.txt", "X.CSV"])
def test_relatives_of_csv(tmp_path: Path, name: str) -> None:
    found = read(tmp_path, b"a\tb\n1\t2\n", name=name)
    assert found.table.to_pydict() == {"a": [1], "b": [2]}
    assert found.format.suffix == name[1:].lower()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ["is empty"]),
        (b"\n\n", ["no text"]),
        (b"a,b\n1,2\n1,2,3\n", ["line 3 has 3", "header has 2"]),
        (b'a,b\n"x\ny",2\n1\n', ["line 4 has 1", "header has 2"]),
        (b'a,b\n1,2\n"open,3\n4,5\n', ["line 3"]),
        (b"a,b\n1,\0\n", ["NUL", "byte 6 on line 2"]),
        ("a,b\n1,2\n".encode("utf-16-le"), ["NUL", "utf-16-le"]),
        ("a,b\nGrün é ß,1\n".encode() + b"\xff,2\n", ["byte 18 on line 3", "encoding="]),
        (b"\xef\xbb\xbfa,b\n\xff,2\n", ["byte 7 on line 2"]),
    ],
)
def test_unusable_files(tmp_path: Path, content: bytes, words: str) -> None:
    with pytest.raises(DataError) as caught:
        read(tmp_path, content)
    for word in words:
        assert word in str(caught.value)
    assert caught.value.__cause__ is None
    assert "\n" not in str(caught.value)


def test_no_value_of_a_record_is_quoted(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read(tmp_path, b"a,b\nsecret,1,7531\n")
    assert "secret" not in str(caught.value)
    assert "7531" not in str(caught.value)


def test_damaged_gzip(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not a complete gzip"):
        read(tmp_path, gzip.compress(b"a,b\n1,2\n" * 100)[:-12], name="x.csv.gz")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"delimeter": ";"}, "did you mean 'delimiter'"),
        ({"delimiter": "::"}, "one character"),
        ({"decimal": ";"}, "'.' or ','"),
        ({"encoding": "uft-8"}, "did you mean 'utf-8'"),
        ({"encoding": "base64"}, "one that Python knows"),
        ({"columns": ["incme"]}, "did you mean 'income'"),
        ({"columns": "income"}, "list of names"),
        ({"columns": []}, "at least one column"),
    ],
)
def test_wrong_options(tmp_path: Path, options: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, b"id,income\n1,2\n", **options)
    assert words in str(caught.value)


@pytest.mark.parametrize("content", [b"a;b\n1;2\n1;2;3\n", b'a;b\n1;2\n"1;2\n'])
def test_a_separator_line_is_counted(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(b"sep=;\n" + content)
    with pytest.raises(DataError, match="the record on line 4 "):
        read_table(path)


def test_a_line_end_inside_a_value_stays_whole_wherever_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from discreet.io.kinds import csv

    monkeypatch.setattr(csv, "_BLOCK", 64)
    for padding in range(18):
        rows = [f"{'x' * padding},1", *['"Ayle\r\nNorth",2'] * 12]
        path = tmp_path / "places.csv"
        path.write_bytes("\r\n".join(["place,count", *rows, ""]).encode())
        place = discreet.read(path).schema["place"]
        assert set(place.categories) - {"x" * padding} == {"Ayle\r\nNorth"}


def test_records_of_several_lines_are_those_of_the_standard_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from csv import reader

    from discreet.io.kinds import csv

    # The start of the file shows nothing: only the number of records tells that some have two
    # lines, where Arrow would drop the first of them without an error.
    monkeypatch.setattr(csv, "_BLOCK", 64)
    monkeypatch.setattr(csv, "_START", 8)
    rng = np.random.default_rng(4)
    path = tmp_path / "notes.csv"
    for round in range(150):
        end = ("\n", "\r\n", "\r")[round % 3]
        values = ["plain", '5" pipe', '"in marks"', *['"two\nlines"', '"a,\r""b"'] * (round % 2)]
        rows = [f"{i},{rng.choice(values)},x" for i in range(int(rng.integers(1, 30)))]
        text = end.join(['number,"note",x', *rows]) + end * int(rng.integers(0, 2))
        path.write_bytes(text.encode())
        with path.open(newline="") as file:
            expected = list(reader(file))[1:]
        table = read_table(path).table
        assert table.column("note").to_pylist() == [record[1] for record in expected]
        assert table.column("number").to_pylist() == [int(record[0]) for record in expected]
    for padding in range(64):
        places = ["x" * (padding + 1), *["Ayle"] * 9, "Ayle\nNorth", *["Ayle"] * 9]
        path.write_text("place\n" + "".join(f'"{place}"\n' for place in places))
        assert read_table(path).table.column("place").to_pylist() == places
