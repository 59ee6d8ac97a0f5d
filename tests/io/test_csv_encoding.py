"""The encoding of a CSV file is found, or taken as it is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from discreet.errors import DataError
from discreet.io.csv_encoding import to_utf8
from discreet.io.files import FileTable, read_table


def read(tmp_path: Path, content: bytes, name: str = "people.csv", **options: Any) -> FileTable:
    file = tmp_path / name
    file.write_bytes(content)
    return read_table(file, **options)


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


def test_wrong_encoding_names_the_byte(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"not utf-8 text: byte 5 on line 2"):
        read(tmp_path, "a,b\nxé,1\n".encode("cp1252"), encoding="utf-8")
    with pytest.raises(DataError, match=r"not ascii text: byte 4 on line 2"):
        read(tmp_path, "a,b\né,1\n".encode(), encoding="ascii")


@pytest.mark.parametrize("before", range(3))
def test_letters_across_the_ends_of_pieces(monkeypatch: pytest.MonkeyPatch, before: int) -> None:
    monkeypatch.setattr("discreet.io.csv_encoding._CHUNK", 4)
    text = "a" * before + "€bcdefghij"
    content, encoding = to_utf8(pa.py_buffer(text.encode()), None, Path("x.csv"))
    assert (content.to_pybytes().decode(), encoding) == (text, "utf-8")
    # The rest of the letter is missing, and what follows is plain.
    cut = b"abc\xe2" + b"d" * 8
    assert to_utf8(pa.py_buffer(cut), None, Path("x.csv"))[1] == "cp1252"
