"""`discreet attack` on a plan's file and on its release."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.cli.main import run
from tests.command_line import Discreet, write_rows

PLAN = """\
data: {file: people.csv}
columns:
  job: {role: quasi-identifier, kind: nominal}
  age: {role: quasi-identifier, kind: continuous}
  pay: {role: confidential, kind: continuous}
allow: [pay]
steps:
  - microaggregation:
      partition: {mdav: {k: 10}}
      replacement: value-concatenation
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    lines = ["job,age,pay"]
    lines += [f"clerk,{30 + i % 7},{1000 + 97 * i}" for i in range(40)]
    lines += [f"judge,{30 + i % 7},{9000 + i}" for i in range(40)]
    (tmp_path / "people.csv").write_text("\n".join(lines))
    path = tmp_path / "plan.yaml"
    path.write_text(PLAN)
    return path


def test_the_original_and_the_release(
    plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["attack", str(plan), "--set", "leaf=40"]) == 0
    said = capsys.readouterr().out
    assert "80 records" in said
    assert "job is judge  (40 records)" in said
    assert "pay: 9000 to 9039" in said
    assert any("are most exposed" in line for line in said.splitlines()[-2:])
    assert run(["protect", str(plan), "--out", str(tmp_path / "out")]) == 0
    capsys.readouterr()
    released = str(tmp_path / "out" / "release.csv")
    assert run(["attack", str(plan), "--released", released, "--set", "leaf=40"]) == 0
    assert "80 records" in capsys.readouterr().out
    less = ["--attack", "nearest-linkage", "--known", "age", "--known-share", "0.5"]
    assert run(["attack", str(plan), "--released", released, *less, "--known-error", "0.1"]) == 0
    said = capsys.readouterr().out
    assert "The intruder knows age with an error of 0.1 for 50 % of the people." in said
    whole = str(tmp_path / "out")
    assert run(["attack", str(plan), "--released", whole, *less[:2], "--ignorant"]) == 0
    capsys.readouterr()
    knowing = ["--attack", "imitation-linkage", "--ignorant"]
    assert run(["attack", str(plan), "--released", released, *knowing]) == 2
    assert "leave --ignorant out" in capsys.readouterr().err


def test_about_ten_lines_are_printed_and_a_file_has_the_rest(
    plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["attack", str(plan), "--set", "leaf=10"]) == 0
    short = capsys.readouterr().out
    assert len([line for line in short.splitlines() if line]) <= 13
    assert "more lines (--out FILE writes all of them)" in short
    file = tmp_path / "attack.txt"
    assert run(["attack", str(plan), "--set", "leaf=10", "--out", str(file)]) == 0
    assert str(file) in capsys.readouterr().out
    assert len(file.read_text("utf-8").splitlines()) > len(short.splitlines())
    assert file.stat().st_mode & 0o077 == 0
    assert run(["attack", str(plan), "--out", str(file)]) == 1
    assert "--overwrite" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--set", "leaf"], "name=value"),
        (["--set", "leaf=0"], "at least 1"),
        (["--set", "leaf=[1"], "name=value"),
        (["--set", "columns=[jobb]"], "did you mean 'job'"),
        (["--known-share", "0.5"], "give --released"),
        (["--known-error", "7"], "between 0 and 1"),
        (["--attack", "regresion-attack"], "did you mean 'regression-attack'"),
        (["--data", "nowhere.csv"], "nowhere.csv"),
        (["--released", "nowhere.csv"], "nowhere.csv"),
    ],
)
def test_bad_input_is_explained_without_a_traceback(
    plan: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert run(["attack", str(plan), *words]) in (1, 2)
    printed = capsys.readouterr()
    assert said in printed.err
    assert "should not have happened" not in printed.err
    assert printed.err.count("\n") == 1


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["attack", "--help"]) == 0
    assert "--released" in capsys.readouterr().out


def test_a_release_without_the_confidential_columns_is_told_so(
    folder: Path, discreet_command: Discreet
) -> None:
    write_rows(folder, "age", [str(20 + i) for i in range(30)], "other.csv")
    said = discreet_command("attack", "plan.yaml", "--released", "other.csv")
    assert said.code == 1
    assert "'other.csv' has none of the confidential columns of the plan (income)" in said.err
