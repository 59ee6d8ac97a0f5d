"""Files of R: data frames are read, and released as CSV."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyreadr
import pytest

from discreet.errors import DataError, UsageError
from discreet.io.files import read_table
from discreet.io.kinds.r import RData

FRAME = pd.DataFrame(
    {"age": pd.Series([31, 47], dtype="int32"), "income": [1.5, None], "town": ["Ayle", None]}
)
VALUES = {"age": [31, 47], "income": [1.5, None], "town": ["Ayle", None]}


@pytest.mark.parametrize("compress", [None, "gzip"])
def test_rds(tmp_path: Path, compress: str | None) -> None:
    path = tmp_path / "x.rds"
    pyreadr.write_rds(str(path), FRAME, compress=compress)
    file = read_table(path)
    assert file.table.to_pydict() == VALUES
    assert file.format.suffix == RData.release_suffix == ".csv"
    assert read_table(path, columns=["age"]).table.column_names == ["age"]


@pytest.mark.parametrize("name", ["x.RData", "x.rda"])
def test_rdata(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    pyreadr.write_rdata(str(path), FRAME, df_name="persons")
    file = read_table(path)
    assert file.table.to_pydict() == VALUES
    assert file.notes == ("R, data frame 'persons'",)
    with pytest.raises(UsageError, match="has the tables persons"):
        read_table(path, table="visits")


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_a_broken_file_is_refused(tmp_path: Path, share: float) -> None:
    path = tmp_path / "x.rds"
    pyreadr.write_rds(str(path), FRAME)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))] or b"no file of R at all")
    with pytest.raises(DataError, match="cannot be read as an R file"):
        read_table(path)


def test_too_little_memory_is_no_broken_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    path = tmp_path / "x.rds"
    path.write_bytes(b"any")
    monkeypatch.setattr(pyreadr, "read_r", fail)
    with pytest.raises(MemoryError):
        read_table(path)
