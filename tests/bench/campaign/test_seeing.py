"""What a reader can tell apart, the checker tells apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest

from bench.campaign.counting import COUNTED
from bench.campaign.seeing import seen_file, seen_frame
from bench.campaign.values import nan_with

NUMBERS = [{"name": "q", "role": "quasi-identifier", "kind": "continuous"}]
WORDS = [{"name": "q", "role": "quasi-identifier", "kind": "nominal"}]
PLAIN = {"delimiter": ",", "encoding": "utf-8", "decimal": "."}


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"q": [0.0, -0.0]}),
        pd.DataFrame({"q": pd.Series([1, "1"], dtype=object)}),
        pd.DataFrame({"q": pd.Series([1, 1.0], dtype=object)}),
        pl.DataFrame({"q": [0.0, -0.0]}),
        pa.table({"q": pa.array([float("nan"), None])}),
        pa.table({"q": pa.array([nan_with(1), nan_with(2)])}),
        pa.table({"q": pa.array([2**53, 2**53 + 1])}),
        pa.table({"q": pa.array([0, 1], pa.timestamp("ns"))}),
    ],
)
def test_what_differs_is_told_apart(frame: Any) -> None:
    assert COUNTED["k-anonymity"](seen_frame(frame, NUMBERS)) == 1


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"q": ["a", "a"]}, index=[7, 8]),
        pa.table({"q": pa.array(["a", "a"]).dictionary_encode()}),
        pl.DataFrame({"q": ["a", "a"]}, schema={"q": pl.Categorical}),
    ],
)
def test_what_is_alike_is_not(frame: Any) -> None:
    assert COUNTED["k-anonymity"](seen_frame(frame, WORDS)) == 2


def test_cells_of_csv_are_their_text(tmp_path: Path) -> None:
    (tmp_path / "release.csv").write_text('q\n-0\n0\n"x\ny"\n\n')
    seen = seen_file(tmp_path / "release.csv", PLAIN, WORDS)
    assert seen["q"].cells == ["-0", "0", "x\ny", ""]
    assert seen["q"].values == ["-0", "0", "x\ny", None]


def test_a_blank_in_a_statistical_file_is_missing(tmp_path: Path) -> None:
    pyreadstat.write_sav(pd.DataFrame({"q": ["a", ""]}), str(tmp_path / "release.sav"))
    seen = seen_file(tmp_path / "release.sav", {}, WORDS)
    assert seen["q"].values == ["a", None]


def test_parquet(tmp_path: Path) -> None:
    pq.write_table(pa.table({"q": [0.0, -0.0, None]}), tmp_path / "release.parquet")
    seen = seen_file(tmp_path / "release.parquet", {}, NUMBERS)
    assert len(set(seen["q"].cells)) == 3
    assert list(seen["q"].values) == [0.0, 0.0, None]


def test_apostrophes_of_a_spreadsheet_safe_file_are_taken_off(tmp_path: Path) -> None:
    file = tmp_path / "release.csv"
    reading = {"delimiter": ",", "encoding": "utf-8", "decimal": ".", "spreadsheet_safe": True}
    columns = [{"name": "=t", "role": "other", "kind": "nominal"}]
    file.write_text("'=t\n'=1\n''=1\n-3.5\n")
    assert list(seen_file(file, reading, columns)["=t"].cells) == ["=1", "'=1", "-3.5"]
    file.write_text("'=t\n=1\n")
    with pytest.raises(ValueError, match="would run a cell"):
        seen_file(file, reading, columns)
