"""Dates and amounts that typed files keep as text."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from discreet import read
from discreet.io.files import read_back, read_table, write_table
from discreet.io.formats import FileTable, format_for
from discreet.io.text_columns import as_texts, text_schema, with_forms

TEXTS = {
    "born": ["31.12.1990", "01.02.1991", None],
    "seen": ["12/31/2020", "1/2/2021", "2/28/2021"],
    "at": ["2020-01-05T10:22:33Z", "2020-01-06T11:00:00Z", None],
    "month": ["2020-01", "2020-02", "2020-03"],
    "week": ["2020-W01", "2020-W52", "2020-W53"],
    "short": ["31.12.90", "01.02.29", "05.05.31"],
    "pay": ["1.234,50 €", "7,00 €", "12,25 €"],
    "share": ["12.5%", "0.0%", "100.0%"],
    "code": ["007", "012", "100"],
    "number": ["1", "2", "3"],
    "place": ["Ayle", "31.12.1990", "Bron"],
    "unsure": ["31.12.1990", "unknown", "01.01.1980"],
}


@pytest.mark.parametrize("suffix", [".xlsx", ".jsonl", ".parquet", ".feather", ".sqlite"])
def test_texts_that_are_dates_or_amounts_are_typed_and_written_as_they_stood(
    suffix: str, tmp_path: Path
) -> None:
    file = tmp_path / f"people{suffix}"
    texts = pa.table(TEXTS)
    write_table(texts, file, format_for(suffix))
    found = read_table(file)
    types = {item.name: str(item.type) for item in found.table.schema}
    days = dict.fromkeys(("born", "seen", "month", "week", "short"), "date32[day]")
    assert types == {
        **days,
        "at": "timestamp[s]",
        **dict.fromkeys(("pay", "share"), "double"),
        **dict.fromkeys(("code", "number", "place", "unsure"), "string"),
    }
    assert any("1930 to 2029 in: short" in note for note in found.notes)
    again = tmp_path / f"release{suffix}"
    write_table(found.table, again, found.format)
    assert read_back(again, found.format, found.table.schema).equals(found.table)
    assert read_table(again).table.equals(found.table)
    assert as_texts(found.table, found.format).equals(texts)


def test_a_code_among_dates_is_missing_where_the_plan_says_so(tmp_path: Path) -> None:
    file = tmp_path / "people.parquet"
    write_table(pa.table(TEXTS), file, format_for(".parquet"))
    data = read(file, missing={"unsure": ["unknown"]})
    assert data.schema["unsure"].continuous
    assert data.schema["born"].continuous


def test_a_column_that_became_labels_is_written_as_it_is() -> None:
    file = with_forms(FileTable(pa.table(TEXTS), format_for(".parquet")))
    place = file.table.column_names.index("born")
    recoded = file.table.set_column(place, "born", pa.array(["1990", "1991", None]))
    assert as_texts(recoded, file.format).column("born").to_pylist() == ["1990", "1991", None]
    assert str(text_schema(recoded.schema, file.format).field("pay").type) == "string"


def test_columns_that_a_file_describes_itself_are_left_alone() -> None:
    table = pa.table({"month": ["2020-01", "2020-02"]})
    labelled = format_for(".parquet")
    stated = type(labelled)("spss", ".sav", kinds={"month": "nominal"})
    assert with_forms(FileTable(table, stated)).table.equals(table)


def test_bytes_that_are_no_text_are_left_for_the_reader_to_refuse() -> None:
    offsets = pa.py_buffer(b"\0\0\0\0\2\0\0\0")
    damaged = pa.Array.from_buffers(pa.string(), 1, [None, offsets, pa.py_buffer(b"\xff\xfe")])
    file = with_forms(FileTable(pa.table({"x": damaged}), format_for(".parquet")))
    assert not file.format.forms
