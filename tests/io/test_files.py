"""Finding the file and its format: what is refused before a file is opened."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from discreet.errors import DataError, UsageError
from discreet.io.files import read_table


def test_a_missing_file_names_the_nearest_one(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("a\n1\n")
    with pytest.raises(DataError, match=r"did you mean 'people\.csv'"):
        read_table(tmp_path / "poeple.csv")
    with pytest.raises(DataError, match="nor does its directory"):
        read_table(tmp_path / "no" / "people.csv")


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is a directory"):
        read_table(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.csv")
    with pytest.raises(DataError, match="a pipe or a device"):
        read_table(tmp_path / "x.csv")


def test_no_permission_to_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.csv").write_text("a\n1\n")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(DataError, match="may not be read"):
        read_table(tmp_path / "x.csv")


@pytest.mark.parametrize(
    ("name", "words"),
    [("x.parqet", "did you mean '.parquet'"), ("x", "no suffix"), ("x.docx", "'.docx'")],
)
def test_unknown_suffix(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / name).write_text("a\n1\n")
    with pytest.raises(UsageError) as caught:
        read_table(tmp_path / name)
    assert words in str(caught.value)
    assert ".csv" in str(caught.value)


def test_importing_is_cheap() -> None:
    code = (
        "import sys, discreet.io.files, discreet.io.atomic;"
        "from discreet.io.formats import known_kinds; known_kinds();"
        "optional = {'pyreadstat', 'pandas', 'polars', 'duckdb', 'openpyxl', 'pyreadr'};"
        "heavy = ({'pyarrow'} | optional) & set(sys.modules);"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
