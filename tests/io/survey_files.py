"""A small survey as SPSS, Stata and SAS keep it."""

from __future__ import annotations

import datetime
import importlib
from pathlib import Path
from typing import Any

import polars as pl
import pyreadstat
import pytest

LABELS: dict[str, Any] = {"sex": {1: "man", 2: "woman"}, "region": {"N": "north", "S": "south"}}


def frame() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "id": pl.Series([1, 2, 3], dtype=pl.Int32),
            "sex": pl.Series([1, 2, None], dtype=pl.Int32),
            "income": [1500.5, None, -99.0],
            "region": ["N", "S", None],
            "born": [datetime.date(1980, 2, 29), None, datetime.date(2001, 1, 1)],
            "seen": [datetime.datetime(2020, 1, 2, 3, 4, 5), None, None],
            "at": [datetime.time(3, 4, 5), None, None],
        }
    )


VALUES = {
    "id": [1, 2, 3],
    "sex": [1, 2, None],
    "income": [1500.5, None, -99.0],
    "region": ["N", "S", None],
    "born": [datetime.date(1980, 2, 29), None, datetime.date(2001, 1, 1)],
    "seen": [datetime.datetime(2020, 1, 2, 3, 4, 5), None, None],
    "at": [datetime.time(3, 4, 5), None, None],
}


def make_sav(path: Path, compress: bool = False) -> None:
    pyreadstat.write_sav(
        frame(),
        str(path),
        file_label="A survey",
        column_labels={"sex": "Sex of the person", "income": "Income, euro"},
        variable_value_labels=LABELS,
        variable_measure={"sex": "nominal", "income": "scale", "region": "ordinal"},
        variable_format={"id": "F5.0", "income": "F10.3"},
        variable_display_width={"income": 12},
        missing_ranges={"income": [-99, {"lo": 90000, "hi": 99999}], "sex": [9]},
        note="made by hand",
        compress=compress,
    )


def only(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make as if the other library was not installed."""
    absent = {"polars": "pandas", "pandas": "polars"}.get(library)
    names = {absent} if absent else {"polars", "pandas"}
    real = importlib.import_module

    def find(name: str, package: str | None = None) -> object:
        if name in names:
            raise ImportError(name)
        return real(name, package)

    monkeypatch.setattr(importlib, "import_module", find)
