"""Several releases by one plan, as analysts of synthetic data need them."""

from __future__ import annotations

from pathlib import Path

import pytest

import discreet
from discreet.release.copies import copies
from tests.flow.conftest import PLAN, Discreet

SYNTHETIC = PLAN[: PLAN.index("steps:")] + "steps:\n  - sequential-regression: {}\n"


@pytest.fixture
def synthetic(folder: Path) -> Path:
    (folder / "plan.yaml").write_text(SYNTHETIC, encoding="utf-8")
    (folder / "seed").write_text("7", encoding="utf-8")
    return folder


def test_each_copy_is_a_release_of_its_own(synthetic: Path, discreet_command: Discreet) -> None:
    outcome = discreet_command("protect", "plan.yaml", "--copies", "3", "--out", "many")
    assert outcome.code == 0, outcome.err
    files = [synthetic / "many" / f"copy-{number}" / "release.csv" for number in (1, 2, 3)]
    assert len({file.read_bytes() for file in files}) == 3
    assert all((file.parent / "record.json").exists() for file in files)
    assert "copy-3 of 3" in outcome.out


def test_copies_are_those_of_the_library(synthetic: Path, discreet_command: Discreet) -> None:
    outcome = discreet_command(
        "protect", "plan.yaml", "--copies", "2", "--out", "many", "--seed-file", "seed"
    )
    assert outcome.code == 0, outcome.err
    plan = discreet.Plan.load("plan.yaml")
    for number, release in enumerate(copies(plan.read(), plan.steps, 2, seed=7), start=1):
        expected = release.write(f"library-{number}") / "release.csv"
        assert Path(f"many/copy-{number}/release.csv").read_bytes() == expected.read_bytes()


def test_an_occupied_place_is_seen_before_the_first_copy(
    synthetic: Path, discreet_command: Discreet
) -> None:
    (synthetic / "many" / "copy-2").mkdir(parents=True)
    kept = synthetic / "many" / "copy-2" / "notes.txt"
    kept.write_text("mine", encoding="utf-8")
    outcome = discreet_command("protect", "plan.yaml", "--copies", "2", "--out", "many")
    assert outcome.code == 1
    assert "copy-2" in outcome.err
    assert not (synthetic / "many" / "copy-1").exists()
    assert kept.read_text(encoding="utf-8") == "mine"


def test_a_method_that_draws_nothing_gives_no_copies(
    folder: Path, discreet_command: Discreet
) -> None:
    outcome = discreet_command("protect", "plan.yaml", "--copies", "2")
    assert outcome.code == 2
    assert "microaggregation draws none" in outcome.err
    assert not (folder / "release").exists()


def test_copies_by_a_random_replacement_within_a_method(
    folder: Path, discreet_command: Discreet
) -> None:
    text = PLAN.replace("centroid", "microperturbation").replace(
        "town: {role: quasi-identifier", "town: {role: other"
    )
    (folder / "plan.yaml").write_text(text[: text.index("claims:")], encoding="utf-8")
    outcome = discreet_command("protect", "plan.yaml", "--copies", "2", "--dry-run")
    assert outcome.code == 0, outcome.err
    assert outcome.out.count("Dry run: nothing was written.") == 2
