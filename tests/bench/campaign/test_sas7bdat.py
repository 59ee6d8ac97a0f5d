"""The data set that the campaign makes is one for both readers of the format."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyreadstat

from bench.campaign.sas7bdat import sas7bdat

COLUMNS: dict[str, list[float] | list[str]] = {"age": [20.0, 21.5], "town": ["Ziegelau", "Au"]}


def test_pandas_and_readstat_read_it(tmp_path: Path) -> None:
    path = tmp_path / "people.sas7bdat"
    path.write_bytes(sas7bdat(COLUMNS))
    for frame in (pd.read_sas(path, encoding="utf-8"), pyreadstat.read_sas7bdat(str(path))[0]):
        assert {str(name): frame[name].tolist() for name in frame} == COLUMNS
