"""No file tells when it was written."""

from __future__ import annotations

import datetime
from pathlib import Path

import pyarrow as pa
import pyreadstat
import pytest

from discreet.io.files import format_for, write_table


@pytest.mark.parametrize("suffix", [".sav", ".zsav", ".xpt", ".dta"])
def test_no_time_of_writing(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    write_table(pa.table({"age": [31, 47]}), path, format_for(suffix))
    read = {".sav": "read_sav", ".zsav": "read_sav", ".xpt": "read_xport", ".dta": "read_dta"}
    _, head = getattr(pyreadstat, read[suffix])(str(path), metadataonly=True)
    assert head.creation_time == datetime.datetime(1970, 1, 1)
    assert datetime.datetime.now(datetime.UTC).strftime("%H:%M").encode() not in path.read_bytes()
