"""SPSS, Stata and SAS files keep labels, measures, formats and missing values that still fit."""

from __future__ import annotations

import sys
from pathlib import Path

import pyarrow as pa
import pyreadstat
import pytest

from discreet.errors import DataError, UsageError
from discreet.io.files import format_for, read_table, write_table
from tests.io.survey_files import make_sav, only


@pytest.mark.parametrize("library", ["polars", "pandas"])
@pytest.mark.parametrize("suffix", [".sav", ".dta", ".xpt"])
def test_either_library_writes_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str, suffix: str
) -> None:
    make_sav(tmp_path / "x.sav")
    table = read_table(tmp_path / "x.sav").table
    only(library, monkeypatch)
    write_table(table, tmp_path / f"y{suffix}", format_for(suffix))
    assert read_table(tmp_path / f"y{suffix}").table.to_pydict() == table.to_pydict()


@pytest.mark.parametrize("suffix", [".sav", ".dta", ".xpt"])
def test_columns_are_chosen(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"x{suffix}"
    table = pa.table({"aa": [1, 2], "bb": ["x", None], "cc": [0.5, None]})
    write_table(table, file, format_for(suffix))
    found = read_table(file, columns=["cc", "aa"])
    assert found.table.to_pydict() == {"aa": [1, 2], "cc": [0.5, None]}
    with pytest.raises(UsageError, match="no column 'dd'"):
        read_table(file, columns=["dd"])
    with pytest.raises(UsageError, match="did you mean 'encoding'"):
        read_table(file, encodin="cp1252")


@pytest.mark.parametrize("suffix", [".sav", ".dta", ".xpt"])
def test_no_rows(tmp_path: Path, suffix: str) -> None:
    table = pa.table({"x": pa.array([], pa.float64()), "t": pa.array([], pa.string())})
    write_table(table, tmp_path / f"x{suffix}", format_for(suffix))
    found = read_table(tmp_path / f"x{suffix}")
    assert (found.table.column_names, found.table.num_rows) == (["x", "t"], 0)


def test_a_place_that_cannot_be_written_to(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be written \\(No such file"):
        write_table(pa.table({"x": [1]}), tmp_path / "no" / "x.sav", format_for("sav"))


@pytest.mark.parametrize("suffix", [".sav", ".zsav", ".por", ".dta", ".xpt", ".sas7bdat"])
@pytest.mark.parametrize("content", [b"a,b\n1,2\n", b"\0" * 3000, b"<stata_dta><header>"])
def test_what_is_no_such_file(tmp_path: Path, suffix: str, content: bytes) -> None:
    (tmp_path / f"x{suffix}").write_bytes(content)
    with pytest.raises(DataError, match="cannot be read in the S") as caught:
        read_table(tmp_path / f"x{suffix}")
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_cut_files(tmp_path: Path) -> None:
    make_sav(tmp_path / "x.sav")
    (tmp_path / "cut.sav").write_bytes((tmp_path / "x.sav").read_bytes()[:-40])
    with pytest.raises(DataError, match="expected number of rows"):
        read_table(tmp_path / "cut.sav")


def test_without_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_sav(tmp_path / "x.sav")
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    with pytest.raises(UsageError, match=r"pip install 'discreet\[stat\]'"):
        read_table(tmp_path / "x.sav")


def test_without_a_data_frame_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_sav(tmp_path / "x.sav")
    only("neither", monkeypatch)
    found = read_table(tmp_path / "x.sav")
    assert found.table.num_rows == 3
    with pytest.raises(UsageError, match="needs Polars or pandas"):
        write_table(found.table, tmp_path / "y.sav", found.format)


def test_too_little_memory_is_no_broken_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    path = tmp_path / "x.dta"
    path.write_bytes(b"any")
    monkeypatch.setattr(pyreadstat, "read_dta", fail)
    with pytest.raises(MemoryError):
        read_table(path)
