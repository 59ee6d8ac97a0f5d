"""The dictionary of a file follows what became of its columns."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from discreet.io.files import FileFormat, format_for, read_table, write_table
from tests.io.survey_files import LABELS, make_sav


def test_dropped_and_changed_columns(tmp_path: Path) -> None:
    make_sav(tmp_path / "x.sav")
    found = read_table(tmp_path / "x.sav")
    released = pa.table(
        {
            "sex": [1.25, 2.0, None],
            "income": ["0-1000", None, "1000-"],
            "born": [1980, 2000, None],
            "region": pa.array(["N", None, "a longer text than before"]),
        }
    )
    write_table(released, tmp_path / "out.sav", found.format)
    again = read_table(tmp_path / "out.sav")
    assert again.table.to_pydict() == released.to_pydict()
    assert again.format.value_labels == {
        "sex": {2.0: "woman"},
        "region": {"N": LABELS["region"]["N"]},
    }, "labels of values that no record has would tell of them"
    assert set(again.format.variable_labels) == {"sex", "income"}
    assert set(again.format.details.ranges) == {"sex"}


def test_a_format_from_elsewhere_has_no_dictionary() -> None:
    assert format_for("sav") == FileFormat(
        kind="sav", suffix=".sav", details=format_for("dta").details
    )
