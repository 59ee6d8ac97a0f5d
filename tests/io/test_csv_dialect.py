"""The dialect of a CSV file is found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from discreet.io.files import FileFormat, FileTable, read_cells, read_table, write_table


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


def test_quoted_newlines_and_quotes(tmp_path: Path) -> None:
    found = read(tmp_path, b'a,b\r\n"x\r\ny","say ""hi"""\r\n')
    assert found.table.to_pydict() == {"a": ["x\r\ny"], "b": ['say "hi"']}
    assert found.format.details.newline == "\r\n"


def test_one_column_with_missing_values(tmp_path: Path) -> None:
    assert read(tmp_path, b"x\n1\n\n3\n").table.to_pydict() == {"x": [1, None, 3]}


@pytest.mark.parametrize("content", [b"\n\nx\n1\n2\n", b"\r\nx\r\n1\r\n2", b"x\n1\n2\n"])
def test_blank_lines_before_the_header(tmp_path: Path, content: bytes) -> None:
    assert read(tmp_path, content).table.to_pydict() == {"x": [1, 2]}


def test_a_first_line_states_the_delimiter(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(b"SEP=;\r\na;b\r\n1,5;2\r\n")
    file = read_table(path)
    assert file.table.to_pydict() == {"a": [1.5], "b": [2]}
    assert read_cells(path, delimiter=";").to_pydict() == {"a": ["1,5"], "b": ["2"]}
    write_table(file.table, path, file.format)
    assert path.read_bytes() == b"sep=;\r\na;b\r\n1,5;2\r\n"


def test_a_column_may_be_called_like_that_line(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    table = pa.table({"sep=;": [1, 2]})
    write_table(table, path, FileFormat.default())
    assert read_table(path).table.to_pydict() == table.to_pydict()
    assert read_cells(path).column_names == ["sep=;"]
