"""What is detected in a CSV file, which types its columns get, and which files are refused."""

from __future__ import annotations

import gzip
import math
from pathlib import Path
from typing import Any

import pytest

from discreet.errors import DataError, UsageError
from discreet.io.files import FileTable, read_table


def read(tmp_path: Path, content: bytes, name: str = "people.csv", **options: Any) -> FileTable:
    file = tmp_path / name
    file.write_bytes(content)
    return read_table(file, **options)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiter_is_found(tmp_path: Path, delimiter: str) -> None:
    lines = [["id", "name", "x"], ["1", "a b", "2.5"], ["2", '"q,;|\t"', "-1.5"]]
    content = "\n".join(delimiter.join(line) for line in lines).encode()
    found = read(tmp_path, content)
    assert found.table.to_pydict() == {
        "id": [1, 2],
        "name": ["a b", "q,;|\t"],
        "x": [2.5, -1.5],
    }
    assert found.format.details.delimiter == delimiter


@pytest.mark.parametrize(
    ("encoding", "reported"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("cp1252", "cp1252"),
        ("latin-1", "cp1252"),
    ],
)
def test_encoding_is_found(tmp_path: Path, encoding: str, reported: str) -> None:
    found = read(tmp_path, "straße,x\nGrün é,1\n".encode(encoding))
    assert found.table.to_pydict() == {"straße": ["Grün é"], "x": [1]}
    assert found.format.details.encoding == reported


def test_bytes_that_cp1252_lacks_are_latin_1(tmp_path: Path) -> None:
    found = read(tmp_path, b"a,b\n\xe9\x81,1\n")
    assert found.format.details.encoding == "latin-1"
    assert "latin-1" in found.notes[0]


def test_encoding_can_be_overruled(tmp_path: Path) -> None:
    found = read(tmp_path, "a,b\nŁódź,1\n".encode("cp1250"), encoding="cp1250")
    assert found.table.to_pydict()["a"] == ["Łódź"]


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


def test_quoted_newlines_and_quotes(tmp_path: Path) -> None:
    found = read(tmp_path, b'a,b\r\n"x\r\ny","say ""hi"""\r\n')
    assert found.table.to_pydict() == {"a": ["x\r\ny"], "b": ['say "hi"']}
    assert found.format.details.newline == "\r\n"


@pytest.mark.parametrize("content", [b"a,b\n", b"a,b", b"a,b\r\n\r\n"])
def test_header_alone_is_a_table_of_no_rows(tmp_path: Path, content: bytes) -> None:
    table = read(tmp_path, content).table
    assert table.column_names == ["a", "b"]
    assert table.num_rows == 0


def test_one_column_with_missing_values(tmp_path: Path) -> None:
    assert read(tmp_path, b"x\n1\n\n3\n").table.to_pydict() == {"x": [1, None, 3]}


@pytest.mark.parametrize("content", [b"\n\nx\n1\n2\n", b"\r\nx\r\n1\r\n2", b"x\n1\n2\n"])
def test_blank_lines_before_the_header(tmp_path: Path, content: bytes) -> None:
    assert read(tmp_path, content).table.to_pydict() == {"x": [1, 2]}


def test_chosen_columns_keep_the_order_of_the_file(tmp_path: Path) -> None:
    found = read(tmp_path, b"a,b,c\n1,2,3\n", columns=["c", "a"])
    assert found.table.to_pydict() == {"a": [1], "c": [3]}


def test_a_record_larger_than_a_block(tmp_path: Path) -> None:
    large = "x" * (1 << 25)
    found = read(tmp_path, f'a,b\n1,"{large}"\n2,y\n'.encode())
    assert found.table.column("b").to_pylist() == [large, "y"]


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
        (b"a,b,a\n1,2,3\n", ["'a'", "columns 1 and 3"]),
        (b"a,,c\n1,2,3\n", ["column 2 of 3"]),
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


def test_wrong_encoding_names_the_byte(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"not utf-8 text: byte 5 on line 2"):
        read(tmp_path, "a,b\nxé,1\n".encode("cp1252"), encoding="utf-8")
    with pytest.raises(DataError, match=r"not ascii text: byte 4 on line 2"):
        read(tmp_path, "a,b\né,1\n".encode(), encoding="ascii")


def test_damaged_gzip(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no complete gzip"):
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
