"""Formats of files: found by their suffix, made for a release."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import UsageError
from discreet.io.files import FileFormat, format_for
from discreet.io.formats import check_options, kind_of_path, known_kinds


@pytest.mark.parametrize("kind", ["csv", "parquet", "sav", "por", "dta", "xpt", "sas7bdat"])
def test_kinds_are_found_by_their_files(kind: str) -> None:
    assert known_kinds()[kind].name == kind


@pytest.mark.parametrize(
    ("asked", "suffix"),
    [
        ("csv", ".csv"),
        (".tsv", ".tsv"),
        ("parquet", ".parquet"),
        (".sav", ".sav"),
        (".zsav", ".zsav"),
        ("por", ".sav"),
        ("dta", ".dta"),
        ("xpt", ".xpt"),
        ("sas7bdat", ".xpt"),
    ],
)
def test_format_for(asked: str, suffix: str) -> None:
    assert format_for(asked).suffix == suffix


def test_format_for_refuses() -> None:
    with pytest.raises(UsageError, match=r"did you mean '\.parquet'"):
        format_for("parket")
    with pytest.raises(UsageError, match="no options"):
        format_for("parquet", delimiter=";")


def test_only_formats_that_can_be_written_are_offered() -> None:
    with pytest.raises(UsageError, match="must be one of") as error:
        format_for("docx")
    assert ".sav" in str(error.value)
    assert ".por" not in str(error.value)
    assert ".sas7bdat" not in str(error.value)


def test_default_format() -> None:
    assert FileFormat.default().details.delimiter == ","
    assert format_for("tsv").details.delimiter == "\t"


def test_a_name_that_says_too_little_is_answered_with_one_that_says_enough() -> None:
    with pytest.raises(UsageError, match=r"as in people\.csv\.zip"):
        kind_of_path(Path("people.zip"))
    with pytest.raises(UsageError, match=r"'layout' was given, which is for .* \.fwf"):
        check_options(kind_of_path(Path("people.txt"))[0], {"layout": "people.layout.csv"})
