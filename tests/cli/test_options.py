"""Options that overrule what is detected about a CSV file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import Discreet, write_rows


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(write_rows(tmp_path, "size|pay", [f"1,{i:03d}|{i}" for i in range(40)]))


def test_what_is_given_is_taken_instead_of_what_is_found(
    file: str, discreet_command: Discreet
) -> None:
    assert discreet_command("describe", file).out.startswith("40 records, 2 columns")
    overruled = discreet_command("describe", file, "--delimiter", ";")
    assert overruled.out.startswith("40 records, 1 column\n")


@pytest.mark.parametrize(
    ("option", "value"), [("--delimiter", "ab"), ("--encoding", "klingon"), ("--decimal", "x")]
)
def test_what_cannot_be_meant_is_refused(
    file: str, discreet_command: Discreet, option: str, value: str
) -> None:
    outcome = discreet_command("describe", file, option, value)
    assert outcome.code == 2
    assert outcome.is_one_sentence()
    assert option.removeprefix("--") in outcome.err
