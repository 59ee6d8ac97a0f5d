"""The fields of a CSV file as they stand."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from pyarrow import parquet

from discreet.errors import DataError
from discreet.io import csv_cells as cells_of_csv
from discreet.io.csv_cells import csv_cells, csv_cells_as_parquet


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


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_cells_on_the_disk_are_those_in_memory(
    tmp_path: Path, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cells_of_csv, "_BLOCK", 200)
    lines = "".join(f'{i};"größe\n{i}";\'=1+{i}\n' for i in range(300))
    file, options = (
        tmp_path / "x.csv",
        {"delimiter": ";", "encoding": encoding, "spreadsheet_safe": True},
    )
    file.write_bytes(f"sep=;\nn;t;'=f\n{lines}".encode(encoding))
    rows = csv_cells_as_parquet(file, options, tmp_path / "cells.parquet")
    found = parquet.read_table(tmp_path / "cells.parquet")
    assert rows == 300
    assert found.to_pylist() == csv_cells(file, options).to_pylist()
    assert found.column_names == ["n", "t", "=f"]


def test_a_damaged_file_is_named_when_it_is_copied(tmp_path: Path) -> None:
    file = tmp_path / "broken.csv"
    file.write_bytes(b"a,b\n1,2\n3\n")
    with pytest.raises(DataError, match=r"'broken\.csv' cannot be read"):
        csv_cells_as_parquet(file, {}, tmp_path / "cells.parquet")
