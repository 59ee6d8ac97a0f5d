"""Stata files of every version keep labels and tagged missing values."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import polars as pl
import pyreadstat
import pytest

from discreet.io.files import read_table, write_table
from tests.io.survey_files import LABELS, VALUES, frame, only


@pytest.mark.parametrize("version", [8, 10, 12, 13, 14, 15])
def test_no_time_of_writing_in_any_stata_file(version: int, tmp_path: Path) -> None:
    pyreadstat.write_dta(frame(), str(tmp_path / "old.dta"), version=version)
    read = read_table(tmp_path / "old.dta")
    assert read.format.details.version == version
    write_table(read.table, tmp_path / "new.dta", read.format)
    _, head = pyreadstat.read_dta(str(tmp_path / "new.dta"), metadataonly=True)
    assert head.creation_time == datetime.datetime(1970, 1, 1)


def test_stata(tmp_path: Path) -> None:
    pyreadstat.write_dta(
        frame(),
        str(tmp_path / "x.dta"),
        version=12,
        file_label="A survey",
        column_labels={"sex": "Sex of the person"},
        variable_value_labels={"sex": LABELS["sex"]},
    )
    found = read_table(tmp_path / "x.dta")
    assert found.table.to_pydict() == VALUES
    assert found.format.value_labels == {"sex": LABELS["sex"]}
    write_table(found.table, tmp_path / "out.dta", found.format)
    assert (tmp_path / "out.dta").read_bytes()[0] == 115
    again = read_table(tmp_path / "out.dta")
    assert again.table.equals(found.table)
    assert again.format == found.format


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_stata_tagged_missing_values(
    tmp_path: Path, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = pl.Series([1.0, "a", None, 2.5], dtype=pl.Object)
    labels: dict[str, Any] = {"x": {1: "one", "a": "refused"}}
    pyreadstat.write_dta(
        pl.DataFrame({"x": values}),
        str(tmp_path / "x.dta"),
        missing_user_values={"x": ["a"]},
        variable_value_labels=labels,
    )
    found = read_table(tmp_path / "x.dta")
    assert found.table.to_pydict() == {"x": [1.0, None, None, 2.5]}
    assert any("tagged missing" in note for note in found.notes)
    only(library, monkeypatch)
    write_table(found.table, tmp_path / "out.dta", found.format)
    again = read_table(tmp_path / "out.dta")
    assert again.table.equals(found.table)
    assert again.format.value_labels == labels
