"""`discreet describe`: what is said of a file, and the plan to start from."""

from __future__ import annotations

from pathlib import Path

from tests.command_line import Discreet, write_rows


def test_the_plan_for_them_runs(folder: Path, discreet_command: Discreet) -> None:
    rows = [f"{9007199254740993 + i},{20 + i % 30}" for i in range(60)]
    write_rows(folder, "card,age", rows)
    assert discreet_command("describe", "file.csv", "--out", "p.yaml").code == 0
    done = discreet_command("protect", "p.yaml", "--dry-run")
    assert done.code == 0, done.err


def test_without_a_quasi_identifier_the_way_on_is_said(
    folder: Path, discreet_command: Discreet
) -> None:
    write_rows(folder, "alpha,beta", [f"{i % 7},{i % 5}" for i in range(40)])
    shown = discreet_command("describe", "file.csv", "--out", "p.yaml")
    assert "No column seems to be known to others" in shown.out
    assert "quasi-identifier" in shown.out.split("No column seems")[1]


def test_one_record_is_one_record(folder: Path, discreet_command: Discreet) -> None:
    write_rows(folder, "age", ["30"])
    assert discreet_command("describe", "file.csv").out.startswith("1 record, 1 column\n")


def test_a_missing_file_is_compared_by_its_name_not_by_its_ending(
    folder: Path, discreet_command: Discreet
) -> None:
    assert "did you mean" not in discreet_command("describe", "nothere.csv").err
    assert "did you mean 'people.csv'" in discreet_command("describe", "poeple.csv").err
