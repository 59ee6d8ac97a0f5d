"""Compressed files: read, written with the same bytes each time, refused when incomplete."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pyarrow as pa
import pytest

from discreet.errors import DataError
from discreet.io import memory_guard
from discreet.io.files import format_for, read_cells, read_table, write_table
from discreet.io.packing import PACKINGS

TABLE = pa.table({"plz": ["01234", "99999"], "income": [1.5, None]})


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_packed_table_comes_back(tmp_path: Path, packing: str) -> None:
    first, second = tmp_path / f"x.csv{packing}", tmp_path / f"again/x.csv{packing}"
    second.parent.mkdir()
    format = format_for(f".csv{packing}")
    write_table(TABLE, first, format)
    back = read_table(first)
    assert back.table.to_pydict() == TABLE.to_pydict()
    assert back.format.details == format.details
    assert read_cells(first).column("income").to_pylist() == ["1.5", None]
    write_table(back.table, second, back.format)
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("kept", [0.3, 0.9])
def test_an_incomplete_file_is_refused(tmp_path: Path, packing: str, kept: float) -> None:
    path = tmp_path / f"x.csv{packing}"
    write_table(pa.table({"x": list(range(5000))}), path, format_for(f".csv{packing}"))
    whole = path.read_bytes()
    path.write_bytes(whole[: int(kept * len(whole))])
    with pytest.raises(DataError, match=r"is not a complete .* file; copy it again"):
        read_table(path)
    with pytest.raises(DataError, match="cannot be read"):
        read_cells(path)


@pytest.mark.parametrize("packing", PACKINGS)
def test_content_that_does_not_fit_into_memory_is_refused(
    tmp_path: Path, packing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"x.csv{packing}"
    write_table(pa.table({"x": [0] * 100_000}), path, format_for(f".csv{packing}"))
    monkeypatch.setattr(memory_guard, "available_memory", lambda: 100_000)
    assert path.stat().st_size < 2000
    with pytest.raises(DataError, match="of memory"):
        read_table(path)


def test_an_archive_packed_by_an_unknown_method_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "people.csv.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("people.csv", "age\n31\n")
    content = bytearray(file.read_bytes())
    for header, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        content[content.index(header) + place] = 97
    file.write_bytes(content)
    with pytest.raises(DataError, match=r"packed by a method that cannot be read here; unpack it"):
        read_table(file)


def test_an_archive_holds_one_file(tmp_path: Path) -> None:
    path = tmp_path / "x.csv.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", "a\n1\n")
        archive.writestr("__MACOSX/._a.csv", "attributes")
    assert read_table(path).table.to_pydict() == {"a": [1]}
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("b.csv", "a\n1\n")
    with pytest.raises(DataError, match=r"must hold one file, but .* holds 2"):
        read_table(path)
