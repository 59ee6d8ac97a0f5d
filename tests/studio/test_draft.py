"""Every change that a page can make to a plan."""

from __future__ import annotations

import pytest

from discreet.errors import UsageError
from discreet.release.plan import Plan
from discreet.studio.draft import Draft

TEXT = """# what the steward noted
version: 1
data: {file: people.csv}
columns:
  age: quasi-identifier
  pay: {role: confidential, kind: ordinal, categories: [low, high]}
steps:
  - rounding: {base: 5}
  - additive-noise
claims: {k-anonymity: 2}
"""


def test_a_draft_is_written_as_the_same_plan() -> None:
    again = Draft.of(TEXT).text()
    assert again.startswith("# what the steward noted\n")
    assert Plan.parse(again) == Plan.parse(TEXT)


def test_a_column_changes_its_role_and_kind() -> None:
    draft = Draft.of(TEXT)
    assert draft.set_column("age", "role", "other") == "role of age: quasi-identifier → other"
    draft.set_column("pay", "kind", "nominal")
    draft.set_column("new", "role", "identifier")
    plan = Plan.parse(draft.text())
    assert plan.roles == {"age": "other", "pay": "confidential", "new": "identifier"}
    assert plan.kinds == {"pay": "nominal"}


def test_a_strict_plan_keeps_a_kind_for_every_column_that_is_released() -> None:
    draft = Draft.of(TEXT.replace("columns:", "schema: strict\ncolumns:", 1))
    draft.set_column("age", "role", "identifier", "continuous")
    draft.set_column("pay", "kind", None, "continuous")
    assert "kind" not in draft.column("age")
    draft.set_column("age", "role", "quasi-identifier", "continuous")
    plan = Plan.parse(draft.text())
    assert plan.kinds == {"pay": "continuous", "age": "continuous"}
    assert plan.strict


def test_steps_are_added_moved_and_removed() -> None:
    draft = Draft.of(TEXT)
    draft.add("rank-swapping", {"p": 3.0})
    draft.move(2, -1)
    assert [step.name for step in draft.steps] == ["rounding", "rank-swapping", "additive-noise"]
    draft.remove(0)
    draft.set_values(0, {"p": 4.0})
    assert Plan.parse(draft.text()).steps[0].values()["p"] == 4.0


def test_a_step_that_is_off_is_not_run_and_comes_back_at_its_place() -> None:
    draft = Draft.of(TEXT)
    draft.toggle(0)
    text = draft.text()
    assert [step.spec.name for step in Plan.parse(text).steps] == ["additive-noise"]
    again = Draft.of(text)
    assert [(step.name, step.on) for step in again.steps] == [
        ("rounding", False),
        ("additive-noise", True),
    ]
    again.toggle(0)
    assert Plan.parse(again.text()) == Plan.parse(TEXT)


def test_all_steps_may_be_off() -> None:
    draft = Draft.of(TEXT)
    draft.toggle(0)
    draft.toggle(1)
    assert Plan.draft(draft.text(), Plan.parse(TEXT).folder).steps == ()


def test_claims_missing_codes_and_options() -> None:
    draft = Draft.of(TEXT)
    draft.set_claim("k-anonymity", None)
    draft.set_claim("strongest-linkage", 0.05)
    draft.set_missing("age", [-9])
    draft.set_option("release", "shuffle", False)
    draft.set_top("unit", "household")
    plan = Plan.parse(draft.text())
    assert (plan.claims, plan.missing) == ({"strongest-linkage": 0.05}, {"age": [-9]})
    assert (plan.shuffle, plan.unit) == (False, "household")
    draft.set_option("release", "shuffle", None)
    draft.set_top("unit", None)
    assert Plan.parse(draft.text()).shuffle


def test_a_step_that_is_not_there_is_explained() -> None:
    with pytest.raises(UsageError, match="no step 7"):
        Draft.of(TEXT).toggle(6)
    with pytest.raises(UsageError, match="pairs"):
        Draft.of("- a\n- b\n")
