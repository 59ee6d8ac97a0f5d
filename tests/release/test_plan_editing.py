"""Plans edited and saved from Python are those that a file would hold."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import discreet
from discreet import DataError, Plan, UsageError

TEXT = """\
data: {file: people.csv, delimiter: ";"}
columns:
  age: {role: quasi-identifier, kind: continuous}
  town: {role: quasi-identifier, kind: nominal}
steps:
  - microaggregation: {partition: {mdav: {k: 3}}}
claims: {k-anonymity: 3}
release: {shuffle: false}
"""


@pytest.fixture
def plan() -> Plan:
    return Plan.parse(TEXT)


def test_mappings_are_changed_entry_by_entry_and_lists_replaced(plan: Plan) -> None:
    changed = plan.edit(
        columns={"town": {"role": "confidential"}, "sex": "stratum"},
        steps=[discreet.Rounding(base=5), "bootstrap"],
        claims={"k-anonymity": None, "sample-uniqueness": 0.5},
    )
    assert changed.roles == {"age": "quasi-identifier", "town": "confidential", "sex": "stratum"}
    assert changed.kinds == plan.kinds
    assert [step.spec.name for step in changed.steps] == ["rounding", "bootstrap"]
    assert changed.claims == {"sample-uniqueness": 0.5}
    assert changed.options == plan.options
    assert not changed.shuffle
    assert plan.claims == {"k-anonymity": 3}, "the plan itself is as it was"


def test_no_change_is_the_same_plan(plan: Plan) -> None:
    assert plan.edit() == plan


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"claim": {}}, "there is no such key; did you mean 'claims'"),
        ({"steps": []}, "a plan needs 'steps:'"),
        ({"columns": {"age": {"kind": "round"}}}, "columns.age.kind"),
        ({"columns": {"age": {"kind": None}}, "schema": "strict"}, "age"),
    ],
)
def test_what_a_file_may_not_say_is_refused(
    plan: Plan, changes: dict[str, object], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        plan.edit(**changes)


def test_a_saved_plan_finds_its_files_from_its_own_folder(tmp_path: Path) -> None:
    home, away = tmp_path / "home", tmp_path / "away"
    home.mkdir()
    away.mkdir()
    (home / "people.csv").write_text("age;town\n" + "21;A\n22;A\n40;B\n41;B\n" * 2)
    (home / "plan.yaml").write_text(TEXT)
    moved = Plan.load(home / "plan.yaml").save(away / "plan.yaml")
    assert len(Plan.load(moved).read()) == 8
    assert Plan.load(moved).file == "../home/people.csv"


def test_a_file_that_exists_is_replaced_only_on_request(tmp_path: Path, plan: Plan) -> None:
    place = plan.save(tmp_path / "plan.yaml")
    with pytest.raises(DataError, match="exists already"):
        plan.edit(claims=None).save(place)
    assert Plan.load(place).claims
    plan.edit(claims=None).save(place, overwrite=True)
    assert not Plan.load(place).claims


def test_a_frozen_plan_is_for_its_owner_alone(tmp_path: Path) -> None:
    data = discreet.read({"pay": [1, 2, 3, 4, 5, 90]}, roles={"pay": "quasi-identifier"})
    coding = discreet.TopBottomCoding(top_share=0.2, bottom_share=0)
    place = discreet.protect(data, coding).frozen.save(tmp_path / "frozen.yaml")
    assert "keep it private" in place.read_text()
    if os.name == "posix":
        assert place.stat().st_mode & 0o777 == 0o600
    assert Plan.load(place).frozen
