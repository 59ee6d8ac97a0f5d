"""`discreet explore` at the edges: mistakes in the list of candidates, and the recommended plan."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.command_line import Discreet

PLAN = """
data: {file: people.csv}
columns:
  age: {role: quasi-identifier}
  town: {role: quasi-identifier, kind: nominal}
steps: [rank-swapping]
measures: [k-anonymity, sse-sst]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rows = [f"{20 + i % 37},{'abc'[i % 3]}" for i in range(90)]
    (tmp_path / "people.csv").write_text("\n".join(["age,town", *rows]))
    (tmp_path / "plan.yaml").write_text(PLAN)
    (tmp_path / "town.csv").write_text(",a,b,c\na,0.5,0.5,0\nb,0,0.5,0.5\nc,0.5,0,0.5\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


pytestmark = pytest.mark.usefixtures("trials_in_process")


EXPLORE = ("explore", "plan.yaml")
ASKED = ("--risk", "k-anonymity", "--limit", "1", "--utility", "abim", "--cores", "1")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("- rank-swapping\n- pram: {stay: {try: [2]}}\n", "try.yaml, line 2, key '[2]': parameter"),
        ("- rank-swapping\n-\n  - pram\n  - prum\n", "try.yaml, line 3, key '[2]'"),
        ("- 5\n", "try.yaml, line 1"),
        ("rank-swapping: {}\n", "must hold a list of steps"),
    ],
)
def test_a_mistake_in_the_candidates_is_told_with_its_line(
    folder: Path, discreet_command: Discreet, text: str, words: str
) -> None:
    (folder / "try.yaml").write_text(text)
    run = discreet_command(*EXPLORE, *ASKED, "--candidates", "try.yaml")
    assert run.code == 2, run.err
    assert words in run.err
    assert not (folder / "exploration").exists(), "nothing is made before all is well"


@pytest.mark.usefixtures("folder")
def test_numbers_out_of_range_are_wrong_use(discreet_command: Discreet) -> None:
    for option in ("--cores", "--repeats"):
        run = discreet_command(*EXPLORE, *ASKED, option, "0")
        assert run.code == 2
        assert option in run.err


def test_the_recommended_plan_has_what_the_plan_had_and_runs_from_anywhere(
    folder: Path, discreet_command: Discreet, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "try.yaml").write_text(
        "- [{rank-swapping: {columns: [age]}}, {pram: {columns: [town], matrix_files: "
        "['town=town.csv']}}]\n"
    )
    asked = (*ASKED, "--candidates", "try.yaml", "--repeats", "1", "--out", "out")
    run = discreet_command(*EXPLORE, *asked)
    assert run.code == 0, run.err
    assert "recommended.yaml --allow-outside\n" in run.out
    recommended = folder / "out" / "recommended.yaml"
    content = yaml.safe_load(recommended.read_text())
    assert [next(iter(m)) for m in content["measures"]] == ["k-anonymity", "sse-sst"]
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    run = discreet_command("protect", str(recommended), "--dry-run", "--allow-outside")
    assert run.code == 0, run.err


def test_a_recommendation_for_other_limits_does_not_stay_behind(
    folder: Path, discreet_command: Discreet
) -> None:
    (folder / "try.yaml").write_text("- {rank-swapping: {p: 50}}\n")
    asked = ("--risk", "k-anonymity", "--utility", "abim", "--cores", "1", "--repeats", "1",
             "--candidates", "try.yaml", "--out", "out")  # fmt: skip
    assert discreet_command(*EXPLORE, *asked, "--limit", "1").code == 0
    assert (folder / "out" / "recommended.yaml").exists()
    assert discreet_command(*EXPLORE, *asked, "--limit", "90").code == 3
    assert not (folder / "out" / "recommended.yaml").exists()


def test_masked_and_synthetic_records_each_have_a_plan(
    folder: Path, discreet_command: Discreet
) -> None:
    (folder / "try.yaml").write_text("- {rank-swapping: {p: 50}}\n- cart-synthesis\n")
    asked = (*ASKED, "--candidates", "try.yaml", "--repeats", "1", "--may-lose")
    run = discreet_command(*EXPLORE, *asked)
    assert run.code == 0, run.err
    steps = {}
    for name in ("recommended", "recommended-masked", "recommended-synthetic"):
        plan = folder / "exploration" / f"{name}.yaml"
        if plan.exists():
            assert f"discreet protect exploration/{plan.name}\n" in run.out
            steps[name] = next(iter(yaml.safe_load(plan.read_text())["steps"][0]))
    both = {"masked": "rank-swapping", "synthetic": "cart-synthesis"}
    (other,) = [kind for kind in both if f"recommended-{kind}" in steps]
    assert steps.pop(f"recommended-{other}") == both.pop(other)
    assert f"Or, with {other} records: discreet protect" in run.out
    assert list(steps.values()) == list(both.values())
    (folder / "try.yaml").write_text("- {rank-swapping: {p: 50}}\n")
    assert discreet_command(*EXPLORE, *asked).code == 0
    left = sorted(path.name for path in (folder / "exploration").glob("recommended*"))
    assert left == ["recommended.yaml"], "nothing stays of an earlier search"


def test_the_recommended_plan_names_the_file_that_was_searched(
    folder: Path, discreet_command: Discreet
) -> None:
    other = folder / "others.csv"
    (folder / "people.csv").rename(other)
    (folder / "try.yaml").write_text("- {rank-swapping: {p: 50}}\n")
    asked = ("--data", "others.csv", "--candidates", "try.yaml", "--repeats", "1")
    run = discreet_command(*EXPLORE, *ASKED, *asked)
    assert run.code == 0, run.err
    content = yaml.safe_load((folder / "exploration" / "recommended.yaml").read_text())
    assert content["data"]["file"] == str(other.resolve())


def test_files_that_candidates_name_lie_in_the_folder_of_the_plan(
    folder: Path, discreet_command: Discreet
) -> None:
    inner = folder / "inner"
    inner.mkdir()
    for name in ("plan.yaml", "people.csv"):
        (folder / name).rename(inner / name)
    (folder / "try.yaml").write_text("- pram: {matrix_files: [town=town.csv], columns: [town]}\n")
    asked = ("explore", "inner/plan.yaml", *ASKED, "--candidates", "try.yaml", "--repeats", "1")
    refused = discreet_command(*asked)
    assert refused.code == 2
    assert "must be in the plan's folder" in refused.err
    assert "try.yaml, line 1" in refused.err
    assert not (folder / "exploration").exists()
    assert discreet_command(*asked, "--allow-outside").code == 0


@pytest.mark.usefixtures("folder")
def test_without_a_risk_the_strongest_linkage_is_kept_low(discreet_command: Discreet) -> None:
    run = discreet_command(*EXPLORE, "--method", "microaggregation", "--utility", "sse-sst")
    assert run.code == 0, run.err
    assert "keeps strongest-linkage at most 5.00 %" in " ".join(run.out.split())
