"""`discreet attack` on the people of a release: figures, columns, private file, two releases."""

from __future__ import annotations

import stat
from pathlib import Path

import numpy as np
import pytest

from discreet.cli.main import run

PLAN = """\
data: {{file: people.csv}}
columns:
  age: {{role: quasi-identifier, kind: continuous}}
  height: {{role: quasi-identifier, kind: continuous}}
  pay: {{role: confidential, kind: continuous}}
allow: [pay]
steps:
  - microaggregation: {{partition: {{mdav: {{k: {k}}}}}, replacement: range}}
release: {{hold_back: 0.3}}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two releases of the same people, in groups of four and of nine."""
    folder = tmp_path_factory.mktemp("attempt")
    draw = np.random.default_rng(1)
    lines = ["age,height,pay"]
    lines += [
        f"{a},{h},{p}"
        for a, h, p in zip(
            draw.integers(20, 80, 120),
            draw.normal(170, 9, 120).round(1),
            draw.integers(900, 9000, 120),
            strict=True,
        )
    ]
    (folder / "people.csv").write_text("\n".join(lines))
    (folder / "seed").write_text("5")
    for k in (4, 9):
        (folder / f"plan{k}.yaml").write_text(PLAN.format(k=k))
        out = str(folder / f"release{k}")
        seed = str(folder / "seed")
        plan = str(folder / f"plan{k}.yaml")
        assert run(["protect", plan, "--out", out, "--seed-file", seed]) == 0
    return folder


def attack(folder: Path, *more: str) -> int:
    released = str(folder / "release4" / "release.csv")
    return run(["attack", str(folder / "plan4.yaml"), "--released", released, *more])


def test_a_linkage_attack_says_which_columns_give_people_away(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert attack(folder, "--attack", "imitation-linkage") == 0
    said = capsys.readouterr().out
    assert "84 released records, 84 people" in said
    assert "knows the method and its parameters" in said
    assert "A blind guess: 1.2 %" in said
    assert "What each further column adds" in said
    assert "age" in said.split("What each further column adds")[1]


def test_people_held_back_stand_beside_those_in_the_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert attack(folder, "--attack", "inference") == 0
    said = capsys.readouterr().out
    assert "Succeeds (column pay): " in said
    assert "Against people held back: " in said
    assert "Share of the possible gain that is due to the release: " in said


def test_an_earlier_release_is_given_by_its_directory_or_its_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert attack(folder, "--earlier", str(folder / "release9")) == 0
    by_directory = capsys.readouterr().out
    assert "Releases together" in by_directory
    assert "an earlier release alone gives" in by_directory
    assert attack(folder, "--earlier", str(folder / "release9" / "release.csv")) == 0
    assert capsys.readouterr().out.splitlines()[:2] == by_directory.splitlines()[:2]
    assert attack(folder, "--earlier", str(folder / "nowhere")) != 0
    assert "nowhere" in capsys.readouterr().err


def test_the_chance_of_each_record_goes_to_a_private_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / "risk.csv"
    assert attack(folder, "--per-record", str(file)) == 0
    assert "keep it private" in capsys.readouterr().out
    head, *lines = file.read_text().splitlines()
    assert head == "row of the original,chance,suppress next,chance then"
    assert len(lines) == 84
    chances = [float(line.split(",")[1]) for line in lines]
    assert chances == sorted(chances, reverse=True)
    assert chances[0] <= 0.25 + 1e-9
    # Rows are those of the file that was read, held back ones among them.
    assert max(int(line.split(",")[0]) for line in lines) > 84
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert attack(folder, "--per-record", str(file)) != 0
    assert "exists already" in capsys.readouterr().err


def test_what_cannot_be_tried_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert attack(folder, "--attack", "group-linkage") != 0
    assert "not drawn within groups" in capsys.readouterr().err
    plan = str(folder / "plan4.yaml")
    assert run(["attack", plan, "--earlier", str(folder / "release9")]) != 0
    assert "give --released" in capsys.readouterr().err
