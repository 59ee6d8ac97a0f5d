"""SPSS files keep labels, measures, formats and missing ranges."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow as pa
import pyreadstat
import pytest

from discreet.io.files import read_table, write_table
from tests.io.survey_files import LABELS, VALUES, frame, make_sav


@pytest.mark.parametrize("suffix", [".sav", ".zsav"])
def test_spss(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"x{suffix}"
    make_sav(file, compress=suffix == ".zsav")
    found = read_table(file)
    expected = VALUES | {"income": [1500.5, None, None]}
    assert found.table.to_pydict() == expected
    assert found.table.schema.field("sex").type == pa.int64()
    assert found.format.suffix == suffix
    assert found.format.kinds == {"sex": "nominal", "income": "continuous", "region": "ordinal"}
    assert found.format.variable_labels["sex"] == "Sex of the person"
    assert found.format.value_labels == LABELS
    assert any("user-defined missing" in note for note in found.notes)
    assert any("not carried over" in note for note in found.notes)

    out = tmp_path / f"out{suffix}"
    write_table(found.table, out, found.format)
    again = read_table(out)
    assert again.table.equals(found.table)
    assert again.format == found.format
    _, before = pyreadstat.read_sav(str(file), user_missing=True)
    _, after = pyreadstat.read_sav(str(out), user_missing=True)
    for fact in (
        "column_labels",
        "variable_value_labels",
        "original_variable_types",
        "missing_ranges",
        "variable_measure",
        "variable_display_width",
    ):
        assert getattr(after, fact) == getattr(before, fact), fact
    assert out.read_bytes()[:4] == (b"$FL3" if suffix == ".zsav" else b"$FL2")


def test_portable_goes_out_as_sav(tmp_path: Path) -> None:
    pyreadstat.write_por(frame().drop("at"), str(tmp_path / "x.por"), file_label="A survey")
    found = read_table(tmp_path / "x.por")
    assert found.format.suffix == ".sav"
    assert found.table.column_names == ["ID", "SEX", "INCOME", "REGION", "BORN", "SEEN"]
    write_table(found.table, tmp_path / "out.sav", found.format)
    assert read_table(tmp_path / "out.sav").table.equals(found.table)


def test_a_value_moved_into_a_missing_range_is_not_lost(tmp_path: Path) -> None:
    make_sav(tmp_path / "x.sav")
    found = read_table(tmp_path / "x.sav")
    released = pa.table({"income": [91234.5, 1.0]})
    write_table(released, tmp_path / "out.sav", found.format)
    assert read_table(tmp_path / "out.sav").table.equals(released)


def test_open_ended_missing_ranges(tmp_path: Path) -> None:
    pyreadstat.write_sav(
        pl.DataFrame({"x": [1.0, -5.0]}),
        str(tmp_path / "x.sav"),
        missing_ranges={"x": [{"lo": float("-inf"), "hi": 0}]},
    )
    found = read_table(tmp_path / "x.sav")
    assert found.table.to_pydict() == {"x": [1.0, None]}
    write_table(found.table, tmp_path / "y.sav", found.format)
    assert read_table(tmp_path / "y.sav").format == found.format
