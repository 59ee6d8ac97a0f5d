"""SPSS, Stata and SAS files keep labels, measures, formats and missing values that still fit."""

from __future__ import annotations

import datetime
import importlib
import sys
from pathlib import Path
from typing import Any, Literal

import polars as pl
import pyarrow as pa
import pyreadstat
import pytest

from discreet.errors import DataError, UsageError
from discreet.io.files import FileFormat, format_for, read_table, write_table

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


@pytest.mark.parametrize("suffix", [".sav", ".zsav", ".xpt", ".dta"])
def test_no_time_of_writing(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    write_table(pa.table({"age": [31, 47]}), path, format_for(suffix))
    read = {".sav": "read_sav", ".zsav": "read_sav", ".xpt": "read_xport", ".dta": "read_dta"}
    _, head = getattr(pyreadstat, read[suffix])(str(path), metadataonly=True)
    assert head.creation_time == datetime.datetime(1970, 1, 1)
    assert datetime.datetime.now(datetime.UTC).strftime("%H:%M").encode() not in path.read_bytes()


@pytest.mark.parametrize("version", [8, 10, 12, 13, 14, 15])
def test_no_time_of_writing_in_any_stata_file(version: int, tmp_path: Path) -> None:
    pyreadstat.write_dta(frame(), str(tmp_path / "old.dta"), version=version)
    read = read_table(tmp_path / "old.dta")
    assert read.format.details.version == version
    write_table(read.table, tmp_path / "new.dta", read.format)
    _, head = pyreadstat.read_dta(str(tmp_path / "new.dta"), metadataonly=True)
    assert head.creation_time == datetime.datetime(1970, 1, 1)


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


def test_portable_goes_out_as_sav(tmp_path: Path) -> None:
    pyreadstat.write_por(frame().drop("at"), str(tmp_path / "x.por"), file_label="A survey")
    found = read_table(tmp_path / "x.por")
    assert found.format.suffix == ".sav"
    assert found.table.column_names == ["ID", "SEX", "INCOME", "REGION", "BORN", "SEEN"]
    write_table(found.table, tmp_path / "out.sav", found.format)
    assert read_table(tmp_path / "out.sav").table.equals(found.table)


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


@pytest.mark.parametrize("library", ["polars", "pandas"])
@pytest.mark.parametrize("suffix", [".sav", ".dta", ".xpt"])
def test_either_library_writes_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str, suffix: str
) -> None:
    make_sav(tmp_path / "x.sav")
    table = read_table(tmp_path / "x.sav").table
    only(library, monkeypatch)
    write_table(table, tmp_path / f"y{suffix}", format_for(suffix))
    assert read_table(tmp_path / f"y{suffix}").table.to_pydict() == table.to_pydict()


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


def test_a_value_moved_into_a_missing_range_is_not_lost(tmp_path: Path) -> None:
    make_sav(tmp_path / "x.sav")
    found = read_table(tmp_path / "x.sav")
    released = pa.table({"income": [91234.5, 1.0]})
    write_table(released, tmp_path / "out.sav", found.format)
    assert read_table(tmp_path / "out.sav").table.equals(released)


@pytest.mark.parametrize("suffix", [".sav", ".dta", ".xpt"])
def test_columns_are_chosen(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"x{suffix}"
    table = pa.table({"aa": [1, 2], "bb": ["x", None], "cc": [0.5, None]})
    write_table(table, file, format_for(suffix))
    found = read_table(file, columns=["cc", "aa"])
    assert found.table.to_pydict() == {"aa": [1, 2], "cc": [0.5, None]}
    with pytest.raises(UsageError, match="no column 'dd'"):
        read_table(file, columns=["dd"])
    with pytest.raises(UsageError, match="did you mean 'encoding'"):
        read_table(file, encodin="cp1252")


@pytest.mark.parametrize("suffix", [".sav", ".dta", ".xpt"])
@pytest.mark.parametrize(
    ("column", "values"),
    [
        (pa.array([True, None, False]), [1, None, 0]),
        (pa.array(["a", "b", "a"]).dictionary_encode(), ["a", "b", "a"]),
        (pa.array([1, 2**40, None]), [1, 2**40, None]),
        (pa.array([1.5, float("nan"), None]), [1.5, None, None]),
        (pa.array(["", "é🂡", None]), [None, "é🂡", None]),
        (pa.nulls(3), [None] * 3),
        (pa.array([None] * 3, pa.string()), [None] * 3),
        (pa.array([0.5, 1.5, None], pa.float32()), [0.5, 1.5, None]),
        (pa.array([datetime.datetime(2020, 1, 2)] * 3, pa.timestamp("ns")), None),
    ],
)
def test_types(tmp_path: Path, suffix: str, column: pa.Array, values: list[Any]) -> None:
    file = tmp_path / f"x{suffix}"
    write_table(pa.table({"x": column}), file, format_for(suffix))
    expected = [datetime.datetime(2020, 1, 2)] * 3 if values is None else values
    assert read_table(file).table.column("x").to_pylist() == expected


@pytest.mark.parametrize("suffix", [".sav", ".dta", ".xpt"])
def test_no_rows(tmp_path: Path, suffix: str) -> None:
    table = pa.table({"x": pa.array([], pa.float64()), "t": pa.array([], pa.string())})
    write_table(table, tmp_path / f"x{suffix}", format_for(suffix))
    found = read_table(tmp_path / f"x{suffix}")
    assert (found.table.column_names, found.table.num_rows) == (["x", "t"], 0)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (pa.table({"x": [2**60]}), "2 to the power 53"),
        (pa.table({"x": [[1]]}), "is of type list"),
        (pa.table({"two words": [1]}), "contains a space"),
        (pa.table({"x": ["a\0b"]}), "NUL character"),
        (pa.table({}), "has none"),
    ],
)
def test_what_they_cannot_hold(tmp_path: Path, table: pa.Table, words: str) -> None:
    with pytest.raises(DataError) as caught:
        write_table(table, tmp_path / "x.sav", format_for("sav"))
    assert words in str(caught.value)


def test_numbers_beyond_sas_transport(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="up to 7e75"):
        write_table(pa.table({"x": [1e80]}), tmp_path / "x.xpt", format_for("xpt"))


def test_a_place_that_cannot_be_written_to(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be written \\(No such file"):
        write_table(pa.table({"x": [1]}), tmp_path / "no" / "x.sav", format_for("sav"))


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


@pytest.mark.parametrize("suffix", [".sav", ".zsav", ".por", ".dta", ".xpt", ".sas7bdat"])
@pytest.mark.parametrize("content", [b"a,b\n1,2\n", b"\0" * 3000, b"<stata_dta><header>"])
def test_what_is_no_such_file(tmp_path: Path, suffix: str, content: bytes) -> None:
    (tmp_path / f"x{suffix}").write_bytes(content)
    with pytest.raises(DataError, match="cannot be read in the S") as caught:
        read_table(tmp_path / f"x{suffix}")
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_cut_files(tmp_path: Path) -> None:
    make_sav(tmp_path / "x.sav")
    (tmp_path / "cut.sav").write_bytes((tmp_path / "x.sav").read_bytes()[:-40])
    with pytest.raises(DataError, match="expected number of rows"):
        read_table(tmp_path / "cut.sav")


def test_without_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_sav(tmp_path / "x.sav")
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    with pytest.raises(UsageError, match=r"pip install 'discreet\[stat\]'"):
        read_table(tmp_path / "x.sav")


def test_without_a_data_frame_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_sav(tmp_path / "x.sav")
    only("neither", monkeypatch)
    found = read_table(tmp_path / "x.sav")
    assert found.table.num_rows == 3
    with pytest.raises(UsageError, match="needs Polars or pandas"):
        write_table(found.table, tmp_path / "y.sav", found.format)


def test_a_format_from_elsewhere_has_no_dictionary() -> None:
    assert format_for("sav") == FileFormat(
        kind="sav", suffix=".sav", details=format_for("dta").details
    )
