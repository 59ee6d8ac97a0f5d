"""`discreet compare` on the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.command_line import Discreet


@pytest.mark.usefixtures("trials_in_process")
def test_a_table_of_all_settings_and_files_is_written(
    folder: Path, discreet_command: Discreet
) -> None:
    text = (folder / "people.csv").read_text()
    (folder / "others.csv").write_text(text.replace(",A,", ",C,"))
    (folder / "candidates.yaml").write_text(
        "- microaggregation: {partition: {mdav: {k: {try: [3, 5]}}}}\n"
    )
    said = discreet_command(
        "compare", "plan.yaml", "--data", "people.csv", "--data", "others.csv",
        "--candidates", "candidates.yaml", "--measure", "sse-sst", "--out", "table", "--json",
    )  # fmt: skip
    assert said.code == 0, said.err
    rows = json.loads(said.out)["result"]["rows"]
    assert {(row["file"], row["mdav.k"]) for row in rows} == {
        (file, k) for file in ("people", "others") for k in (3, 5)
    }
    with (folder / "table" / "comparison.csv").open() as file:
        written = list(csv.DictReader(file))
    assert [row["mdav.k"] for row in written] == ["3", "5", "3", "5"]
    assert all(float(row["mean"]) > 0 for row in written)
    assert not (folder / "table" / "comparison.csv").stat().st_mode & 0o077


@pytest.mark.usefixtures("trials_in_process")
def test_without_candidates_the_steps_of_the_plan_are_run(
    folder: Path, discreet_command: Discreet
) -> None:
    said = discreet_command("compare", "plan.yaml", "--measure", "k-anonymity", "--seeds", "2")
    assert said.code == 0, said.err
    assert "microaggregation" in said.out
    assert "Written to comparison/comparison.csv (private)" in said.out
