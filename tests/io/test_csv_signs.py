"""Signs are counted as one byte after the other shows them, wherever a file is divided."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import DataError
from discreet.io import csv_signs
from discreet.io.csv_signs import Signs, read_with_signs, signs_of


def one_by_one(content: bytes) -> Signs:
    quotes, lines, returns = (content.count(sign) for sign in (b'"', b"\n", b"\r"))
    return Signs(quotes, lines, returns, all(0 < byte < 128 for byte in content))


@given(st.binary(max_size=40), st.integers(1, 7), st.integers(1, 7))
def test_signs_are_those_of_each_byte(content: bytes, part: int, cached: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_signs, "_PART", part)
        patch.setattr(csv_signs, "_CACHED", cached)
        assert signs_of(pa.py_buffer(content)) == one_by_one(content)


def test_a_file_of_several_parts_is_read_whole(tmp_path: Path) -> None:
    content = b'a,b\r\n"1",2\n' * 900_000
    path = tmp_path / "large.csv"
    path.write_bytes(content)
    data, signs = read_with_signs(path)
    assert data.to_pybytes() == content
    assert signs == one_by_one(content)


def test_an_empty_file_has_no_signs(tmp_path: Path) -> None:
    path = tmp_path / "empty.csv"
    path.write_bytes(b"")
    data, signs = read_with_signs(path)
    assert data.size == 0
    assert signs == Signs(0, 0, 0, True)


def test_a_file_that_becomes_shorter_meanwhile_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "short.csv"
    path.write_bytes(b"a,b\n1,2\n")
    parts = csv_signs._parts

    def shortened(size: int) -> list[slice]:
        path.write_bytes(b"a,b\n")
        return parts(size)

    monkeypatch.setattr(csv_signs, "_parts", shortened)
    with pytest.raises(DataError, match="became shorter while it was read"):
        read_with_signs(path)
