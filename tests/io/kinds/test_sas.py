"""SAS transport files, and the numbers that they cannot hold."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyreadstat
import pytest

from discreet.errors import DataError
from discreet.io.files import format_for, read_table, write_table
from tests.io.survey_files import VALUES, frame


@pytest.mark.parametrize("version", [5, 8])
def test_sas_transport(tmp_path: Path, version: Literal[5, 8]) -> None:
    pyreadstat.write_xport(
        frame(),
        str(tmp_path / "x.xpt"),
        column_labels={"sex": "Sex of the person"},
        table_name="SURVEY",
        file_format_version=version,
    )
    found = read_table(tmp_path / "x.xpt")
    assert found.table.to_pydict() == VALUES
    write_table(found.table, tmp_path / "out.xpt", found.format)
    again = read_table(tmp_path / "out.xpt")
    assert again.table.equals(found.table)
    assert again.format == found.format
    assert again.format.details.version == version
    assert again.format.details.table_name == "SURVEY"


def test_numbers_beyond_sas_transport(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="up to 7e75"):
        write_table(pa.table({"x": [1e80]}), tmp_path / "x.xpt", format_for("xpt"))
