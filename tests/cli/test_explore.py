"""`discreet explore` at the edges: mistakes in the list of candidates, and the recommended plan."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

PLAN = """
data: {file: people.csv}
columns:
  age: {role: quasi-identifier}
  town: {role: quasi-identifier, kind: nominal}
steps: [rank-swapping]
measures: [k-anonymity, sse-sst]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [f"{20 + i % 37},{'abc'[i % 3]}" for i in range(90)]
    (tmp_path / "people.csv").write_text("\n".join(["age,town", *rows]))
    (tmp_path / "plan.yaml").write_text(PLAN)
    (tmp_path / "town.csv").write_text(",a,b,c\na,0.5,0.5,0\nb,0,0.5,0.5\nc,0.5,0,0.5\n")
    return tmp_path


def explore(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "discreet.cli.main", "explore", "plan.yaml", *arguments]
    return subprocess.run(command, cwd=folder, text=True, capture_output=True, timeout=200)


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
    folder: Path, text: str, words: str
) -> None:
    (folder / "try.yaml").write_text(text)
    run = explore(folder, *ASKED, "--candidates", "try.yaml")
    assert run.returncode == 2, run.stderr
    assert words in run.stderr
    assert not (folder / "exploration").exists(), "nothing is made before all is well"


def test_numbers_out_of_range_are_wrong_use(folder: Path) -> None:
    for option in ("--cores", "--repeats"):
        run = explore(folder, *ASKED, option, "0")
        assert run.returncode == 2
        assert option in run.stderr


def test_the_recommended_plan_has_what_the_plan_had_and_runs_from_anywhere(folder: Path) -> None:
    (folder / "try.yaml").write_text(
        "- [{rank-swapping: {columns: [age]}}, {pram: {columns: [town], matrix_files: "
        "['town=town.csv']}}]\n"
    )
    run = explore(folder, *ASKED, "--candidates", "try.yaml", "--repeats", "1", "--out", "out")
    assert run.returncode == 0, run.stderr
    assert "recommended.yaml --allow-outside\n" in run.stdout
    recommended = folder / "out" / "recommended.yaml"
    content = yaml.safe_load(recommended.read_text())
    assert [next(iter(m)) for m in content["measures"]] == ["k-anonymity", "sse-sst"]
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    command = [sys.executable, "-m", "discreet.cli.main", "protect", str(recommended), "--dry-run",
               "--allow-outside"]  # fmt: skip
    run = subprocess.run(command, cwd=elsewhere, text=True, capture_output=True, timeout=100)
    assert run.returncode == 0, run.stderr


def test_a_recommendation_for_other_limits_does_not_stay_behind(folder: Path) -> None:
    (folder / "try.yaml").write_text("- {rank-swapping: {p: 50}}\n")
    asked = ("--risk", "k-anonymity", "--utility", "abim", "--cores", "1", "--repeats", "1",
             "--candidates", "try.yaml", "--out", "out")  # fmt: skip
    assert explore(folder, *asked, "--limit", "1").returncode == 0
    assert (folder / "out" / "recommended.yaml").exists()
    assert explore(folder, *asked, "--limit", "90").returncode == 3
    assert not (folder / "out" / "recommended.yaml").exists()


def test_the_recommended_plan_names_the_file_that_was_searched(folder: Path) -> None:
    other = folder / "others.csv"
    (folder / "people.csv").rename(other)
    (folder / "try.yaml").write_text("- {rank-swapping: {p: 50}}\n")
    asked = ("--data", "others.csv", "--candidates", "try.yaml", "--repeats", "1")
    run = explore(folder, *ASKED, *asked)
    assert run.returncode == 0, run.stderr
    content = yaml.safe_load((folder / "exploration" / "recommended.yaml").read_text())
    assert content["data"]["file"] == str(other.resolve())


def test_files_that_candidates_name_lie_in_the_folder_of_the_plan(folder: Path) -> None:
    inner = folder / "inner"
    inner.mkdir()
    for name in ("plan.yaml", "people.csv"):
        (folder / name).rename(inner / name)
    (folder / "try.yaml").write_text("- pram: {matrix_files: [town=town.csv], columns: [town]}\n")
    command = [sys.executable, "-m", "discreet.cli.main", "explore", "inner/plan.yaml", *ASKED]
    command += ["--candidates", "try.yaml", "--repeats", "1"]

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*command, *more], cwd=folder, text=True, capture_output=True, timeout=200
        )

    refused = run()
    assert refused.returncode == 2
    assert "must be in the plan's folder" in refused.stderr
    assert "try.yaml, line 1" in refused.stderr
    assert not (folder / "exploration").exists()
    assert run("--allow-outside").returncode == 0


def test_without_a_risk_the_strongest_linkage_is_kept_low(folder: Path) -> None:
    run = explore(folder, "--method", "microaggregation", "--utility", "sse-sst", "--cores", "1")
    assert run.returncode == 0, run.stderr
    assert "keeps strongest-linkage at most 5.00 %" in " ".join(run.stdout.split())
