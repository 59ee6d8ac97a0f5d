"""Several releases by one plan, as analysts of synthetic data need them."""

from __future__ import annotations

from pathlib import Path

import pytest

import discreet
from discreet.release.copies import copies
from tests.command_line import PLAN, Discreet

SYNTHETIC = PLAN[: PLAN.index("steps:")] + "steps:\n  - sequential-regression: {}\n"


@pytest.fixture
def synthetic(folder: Path) -> Path:
    (folder / "plan.yaml").write_text(SYNTHETIC, encoding="utf-8")
    (folder / "seed").write_text("7", encoding="utf-8")
    return folder


def test_copies_are_those_of_the_library(synthetic: Path, discreet_command: Discreet) -> None:
    outcome = discreet_command(
        "protect", "plan.yaml", "--copies", "2", "--out", "many", "--seed-file", "seed"
    )
    assert outcome.code == 0, outcome.err
    plan = discreet.Plan.load("plan.yaml")
    for number, release in enumerate(copies(plan.read(), plan.steps, 2, seed=7), start=1):
        expected = release.write(f"library-{number}") / "release.csv"
        assert Path(f"many/copy-{number}/release.csv").read_bytes() == expected.read_bytes()
