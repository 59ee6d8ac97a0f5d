"""Declared analyses from a plan, on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import Discreet
from tests.measures.utility.test_analyses import people

PLAN = """
data: people.csv
columns:
  age: {role: quasi-identifier}
  sex: {role: quasi-identifier}
  income: {role: confidential}
  w: {role: weight}
steps:
  - microaggregation: {partition: {mdav: {k: 3}}}
analyses:
  - mean: {of: [income], by: [sex]}
  - linear: {formula: income ~ age + sex}
"""


def test_by_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, discreet_command: Discreet
) -> None:
    monkeypatch.chdir(tmp_path)
    data = people()
    rows = zip(data["age"], data["sex"], data["income"], data["w"], strict=True)
    lines = [f"{age:.0f},{'fm'[sex]},{income},{w}" for age, sex, income, w in rows]
    Path("people.csv").write_text("age,sex,income,w\n" + "\n".join(lines), encoding="utf-8")
    Path("plan.yaml").write_text(PLAN, encoding="utf-8")
    assert discreet_command("protect", "plan.yaml", "--out", "out").code == 0
    outcome = discreet_command(
        "assess", "--plan", "plan.yaml", "--original", "people.csv",
        "--released", "out/release.csv", "--measure", "analyses",
    )  # fmt: skip
    assert outcome.code == 0
    assert "Overlap of intervals in the declared analyses" in outcome.out
    assert "the worst is " in outcome.out
    Path("wrong.yaml").write_text(PLAN.replace("income ~ age", "income age"), encoding="utf-8")
    refused = discreet_command("protect", "wrong.yaml", "--out", "no")
    assert refused.code == 2
    assert "line 12" in refused.err
    assert "a formula is written as" in refused.err
