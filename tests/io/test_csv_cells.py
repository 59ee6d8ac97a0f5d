"""The fields of a CSV file as they stand."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from discreet.errors import DataError
from discreet.io.csv_cells import csv_cells


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_fields_are_texts_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "x.csv"
    file.write_bytes('größe;"a;b"\n1,50;"x\ny"\n-0;\n'.encode(encoding))
    cells = csv_cells(file, {"delimiter": ";", "encoding": encoding})
    assert cells.to_pydict() == {"größe": ["1,50", "-0"], "a;b": ["x\ny", None]}


def test_packed_files_and_single_columns(tmp_path: Path) -> None:
    packed = tmp_path / "x.csv.gz"
    packed.write_bytes(gzip.compress(b"x\n1.0\n\n1\n" + b"2\n" * 100_000))
    cells = csv_cells(packed, {}).column("x").to_pylist()
    assert cells[:3] == ["1.0", None, "1"]
    assert len(cells) == 100_003


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n3\n", b"a,b\n\xff\xfe,1\n"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "broken.csv"
    file.write_bytes(content)
    with pytest.raises(DataError, match=r"'broken\.csv' cannot be read"):
        csv_cells(file, {})
