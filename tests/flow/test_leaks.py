"""What must not get out, must not be claimed and must not be lost: each once went wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import discreet
from tests.command_line import Discreet

QI = "quasi-identifier"


def _visits(folder: Path) -> Path:
    """Two hundred patients with three visits each: no identifier is unique to a record."""
    rows = ["patient_id,surname,ssn,age,sex,diagnosis"]
    for visit in range(600):
        i = visit % 200
        rows.append(f"P{i:05d},Sur{i % 90},756-{i:04d},{20 + i % 60},{'FM'[i % 2]},d{visit % 5}")
    file = folder / "visits.csv"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return file


def test_identifiers_that_repeat_are_identifiers(tmp_path: Path) -> None:
    file = _visits(tmp_path)
    roles = {column.name: column.role.value for column in discreet.describe(file).columns}
    assert [n for n, role in roles.items() if role == "identifier"] == ["surname", "ssn"]
    # The number of a person with several records is released as a new one.
    assert roles["patient_id"] == "person"
    with pytest.raises(discreet.DataError, match="looks like a direct identifier"):
        discreet.protect(file, "microaggregation", roles={"age": QI, "sex": QI})


def test_a_name_of_something_else_is_no_identifier(tmp_path: Path) -> None:
    data = {"county_name": ["Ayle", "Bron"] * 50, "insurance": ["yes", "no"] * 50}
    roles = {column.name: column.role.value for column in discreet.describe(data).columns}
    assert "identifier" not in roles.values()


@pytest.mark.parametrize("other", ["Flu ", "fl\u200bu", "\uff46lu", "\u00a0FLU"])
def test_values_that_read_the_same_make_no_diversity(other: str) -> None:
    table = {"age": [1.0] * 10, "d": ["flu"] * 5 + [other] * 5}
    data = discreet.read(table, roles={"age": QI, "d": "confidential"})
    assert discreet.assess(data, data, ["l-diversity"]).risk["l-diversity"].value == 1


def test_what_a_plan_left_open_is_noted() -> None:
    rng = np.random.default_rng(1)
    table = {
        "age": rng.integers(20, 60, 60),
        "sex": ["f", "m"] * 30,
        "hiv": ["y", "n", "n"] * 20,
        "w": rng.uniform(1, 2, 60),
    }
    roles = {"age": QI, "sex": QI, "w": "weight"}
    method = discreet.Microaggregation(discreet.partition.MDAV(k=3), columns=["age"])
    notes = " / ".join(discreet.protect(table, method, roles=roles).notes)
    assert "without a role: hiv" in notes
    assert "no step changed: sex" in notes
    assert "an intruder who also knows w finds 100.0% of the records alone" in notes


def test_a_missing_header_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("Anna K,34,8001\nBo L,51,8002\nCy M,29,8003\n")
    data = discreet.read(tmp_path / "a.csv")
    assert data.source is not None
    assert any("header" in note for note in data.source.notes)


def test_other_broken_input(folder: Path, discreet_command: Discreet) -> None:
    (folder / "long").write_text("9" * 5000)
    assert discreet_command(
        "protect", "plan.yaml", "--dry-run", "--seed-file", "long"
    ).is_one_sentence()
    (folder / "deep.yaml").write_text("[" * 3000)
    assert discreet_command("protect", "deep.yaml", "--dry-run").is_one_sentence()
