"""A rehearsal calls every method and measure, each on records that it treats."""

from __future__ import annotations

import pytest

from discreet.contracts.registry import entries
from discreet.release import rehearsing
from discreet.release.rehearsing import rehearse


def test_all_methods_and_all_partitions_are_run() -> None:
    steps = list(rehearsing._steps(()))
    assert {step.spec.name for step in steps} == {entry.spec.name for entry in entries("method")}
    recipes = [step.recipe().get("microaggregation", {}) for step in steps]
    partitions = {next(iter(recipe["partition"])) for recipe in recipes if recipe}
    assert partitions == {entry.spec.name for entry in entries("partition")}


def test_a_rehearsal_says_what_it_runs_and_which_kernels_it_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rehearsing, "FEW", 60)
    monkeypatch.setattr(rehearsing, "MANY", 80)
    asked: list[object] = []
    monkeypatch.setattr(
        rehearsing, "assess", lambda data, release, measures, progress: asked.append(measures)
    )
    said: list[str] = []
    found = rehearse(["rank-swapping"], said.append)
    assert said == ["rank-swapping", "measures of 60 records", "measures of 80 records"]
    assert asked == [["all"], None]
    assert "rank_swapping._exchange" in found.ready
    assert not set(found.ready) & set(found.unused)
