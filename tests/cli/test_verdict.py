from __future__ import annotations

from pathlib import Path

import pytest

from discreet import datasets
from discreet.cli.main import run

PLAN = """
data: {file: people.csv}
columns:
  patient_id: {role: identifier}
  name: {role: identifier}
  insurance_no: {role: identifier}
  email: {role: identifier}
  age: {role: quasi-identifier}
  sex: {role: quasi-identifier}
  income: {role: confidential}
  postcode: {role: other}
  household_id: {role: household}
steps:
  - microaggregation: {partition: {mdav: {k: 5}}, columns: [age]}
measures: [k-anonymity, l-diversity, marginals, pairs]
"""


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_bytes(datasets.path().read_bytes())
    path = Path("plan.yaml")
    path.write_text(PLAN, encoding="utf-8")
    return path


def test_the_verdict_comes_first(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["protect", str(plan), "--out", "out"]) == 0
    printed = capsys.readouterr().out
    assert "AMBER: " in printed
    assert printed.index("AMBER") < printed.index("Release(")
    flat = " ".join(printed.split())
    assert "the quasi-identifier 'sex' was left unchanged" in flat.replace("The", "the")
    assert "Dropped: patient_id, name, insurance_no, email." in flat
    assert "l-diversity of the release (income)" in flat
    assert "columns that lost most (marginals): age" in flat
    assert "pairs that lost most (pairs): " in flat


def test_assess_judges_the_plans_claims(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["protect", str(plan), "--out", "out"]) == 0
    plan.write_text(PLAN + "claims: {l-diversity: 2}\n", encoding="utf-8")
    capsys.readouterr()
    arguments = ["--plan", str(plan), "--original", "people.csv", "--released", "out/release.csv"]
    assert run(["assess", *arguments]) == 0
    flat = " ".join(capsys.readouterr().out.split())
    assert "RED: " in flat or "AMBER: " in flat
    assert "claim of l-diversity at least 2" in flat
