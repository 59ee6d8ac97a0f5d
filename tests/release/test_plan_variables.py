"""Variables of plans: from whoever runs the plan; from the environment below `data:` alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Plan, UsageError
from discreet.release.plan_file import dump, parse_plan_text
from discreet.release.plan_variables import Variables, escaped, stated_variables, unescaped
from tests.command_line import Discreet

PLAN = """\
data:
  file: ${INFILE}
columns:
  age: {role: quasi-identifier, kind: continuous}
steps:
  - microaggregation:
      partition:
        mdav: {k: "${K}"}
"""


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INFILE", "may.csv")
    monkeypatch.setenv("K", "7")
    (tmp_path / "plan.yaml").write_text(PLAN)
    return tmp_path / "plan.yaml"


def test_values_come_from_whoever_runs_the_plan_and_for_data_from_the_environment(
    plan: Path,
) -> None:
    loaded = Plan.load(plan, variables={"K": "3"})
    assert loaded.file == "may.csv"
    assert loaded.steps[0].recipe()["microaggregation"]["partition"]["mdav"]["k"] == 3
    assert Plan.load(plan, variables={"K": "3", "INFILE": "june.csv"}).file == "june.csv"


def test_what_is_published_does_not_come_from_the_environment(plan: Path) -> None:
    with pytest.raises(
        UsageError, match=r"line 8, key .*mdav.k': the variable K has no value; give"
    ):
        Plan.load(plan)


def test_a_variable_without_a_value_is_told(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INFILE")
    with pytest.raises(UsageError, match=r"line 2, key 'data.file': the variable INFILE has"):
        Plan.load(plan, variables={"K": "3"})


def test_a_value_is_text_within_the_plan_and_never_more_of_it(plan: Path) -> None:
    nasty = "a.csv\nsteps: []"
    assert Plan.load(plan, variables={"K": "3", "INFILE": nasty}).file == nasty
    filled = parse_plan_text("a: ${X}\nb: x${X}", "plan", Variables({"X": "[1, 2]"})).content
    assert filled == {"a": "[1, 2]", "b": "x[1, 2]"}


def test_a_variable_alone_is_what_its_value_looks_like() -> None:
    text = "\n".join(f"{name}: '${{{name}}}'" for name in "ABCD")
    values = Variables({"A": "5", "B": "0.5", "C": "true", "D": "five"})
    found = parse_plan_text(text, "plan", values).content
    assert found == {"A": 5, "B": 0.5, "C": True, "D": "five"}
    assert parse_plan_text("a: 'k${A}'", "plan", values).content == {"a": "k5"}


def test_texts_that_are_not_run_have_no_variables(plan: Path) -> None:
    for read in (Plan.parse, lambda text: Plan.draft(text, Path())):
        with pytest.raises(UsageError, match="the variable INFILE has a value only where a plan"):
            read(PLAN)


@settings(max_examples=100, derandomize=True, database=None, deadline=None)
@given(st.text(st.sampled_from("${}AK_1 "), max_size=12))
def test_text_that_looks_like_a_variable_is_written_so_that_it_is_read_back(text: str) -> None:
    assert unescaped(escaped(text)) == text
    content = {text or "empty": [text]}
    assert parse_plan_text(dump(content)).content == content


@pytest.mark.parametrize("wrong", ["K", "=5", "1K=5", "K K=5", "${K}=5"])
def test_a_setting_of_another_form_is_told(wrong: str) -> None:
    with pytest.raises(UsageError, match="--set NAME=VALUE"):
        stated_variables([wrong])


def test_the_command_takes_variables(
    folder: Path, discreet_command: Discreet, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (folder / "plan.yaml").read_text()
    (folder / "plan.yaml").write_text(
        text.replace("people.csv", "${INFILE}").replace("{k: 3}", '{k: "${K}"}')
    )
    monkeypatch.setenv("INFILE", "people.csv")
    assert discreet_command("protect", "plan.yaml", "--dry-run", "--set", "K=3").code == 0
    refused = discreet_command("protect", "plan.yaml", "--dry-run")
    assert refused.code == 2
    assert "the variable K has no value" in refused.err


def test_a_value_that_the_plan_has_no_place_for_is_refused(
    plan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFILE", "may.csv")
    with pytest.raises(UsageError, match=r"no variable \$\{INFLIE\}"):
        Plan.load(plan, variables={"K": "3", "INFLIE": "june.csv"})
