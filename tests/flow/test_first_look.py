"""A newcomer's first look at a file: what is said must be true, and say what to do next."""

from __future__ import annotations

from pathlib import Path

import pytest

import discreet
from discreet import DataError
from discreet.microdata import Kind, Role
from tests.command_line import Discreet, write_rows


def test_a_quotation_mark_that_is_never_closed_swallows_no_records(folder: Path) -> None:
    rows = [f"{i},town {i}" for i in range(30)]
    rows[10] = '10,"town 10'
    with pytest.raises(DataError, match=r"quotation mark .* line 12 "):
        discreet.read(write_rows(folder, "age,town", rows))


@pytest.mark.parametrize("odd", ['5" pipe', 'a "b', '"a ""b"'])
def test_quotation_marks_in_a_value_are_no_mistake(folder: Path, odd: str) -> None:
    data = discreet.read(write_rows(folder, "x,y", ["1,a", f"2,{odd}", "3,b"]))
    assert len(data) == 3


def test_a_quoted_last_field_without_a_line_end_is_no_mistake(folder: Path) -> None:
    path = folder / "file.csv"
    path.write_text('x,y\n1,"a"\n2,5" pipe\n3,"b"', encoding="utf-8")
    assert len(discreet.read(path)) == 3


def test_numbers_of_more_than_15_digits_are_taken_for_codes(folder: Path) -> None:
    rows = [f"{9007199254740993 + i},{20 + i}" for i in range(40)]
    card, _ = discreet.describe(write_rows(folder, "card,age", rows)).columns
    assert card.distinct == 40
    assert card.kind is Kind.NOMINAL
    assert card.role is Role.IDENTIFIER
    assert "15 digits" in card.reason


def test_such_numbers_that_repeat_are_codes_but_name_nobody(folder: Path) -> None:
    rows = [f"{9007199254740993 + i % 2},{20 + i}" for i in range(60)]
    card, _ = discreet.describe(write_rows(folder, "card,age", rows)).columns
    assert (card.distinct, card.kind, card.role) == (2, Kind.NOMINAL, Role.CONFIDENTIAL)


def test_a_misspelt_column_in_a_plan_is_told_in_the_words_of_a_plan(
    folder: Path, discreet_command: Discreet
) -> None:
    plan = (folder / "plan.yaml").read_text(encoding="utf-8").replace("  age:", "  agee:")
    (folder / "plan.yaml").write_text(plan, encoding="utf-8")
    said = discreet_command("protect", "plan.yaml")
    assert said.code == 2
    assert "roles=" not in said.err
    assert "column 'agee', which is not in the data; did you mean 'age'?" in said.err


def test_a_weight_that_is_the_same_for_all_stays_a_number(folder: Path) -> None:
    rows = [f"{1 if i % 2 else 2},100,{20 + i % 30}" for i in range(60)]
    described = discreet.describe(write_rows(folder, "roof,sampling_weight,age", rows)).columns
    roof, weight, _ = described
    assert (weight.role, weight.kind) == (Role.WEIGHT, Kind.CONTINUOUS)
    assert "codes" not in weight.reason
    assert roof.reason.endswith("2 different whole numbers are treated as codes")


def test_a_single_whole_number_is_said_to_be_one(folder: Path) -> None:
    described = discreet.describe(write_rows(folder, "x", ["1"] * 30)).columns
    assert described[0].reason == "all values are equal; a single whole number is treated as a code"
