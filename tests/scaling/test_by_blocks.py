"""Blocks of a large file have the outcome that they have in memory, to the last bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from discreet.io.frames import to_table
from discreet.publishing.record import pairing_from
from discreet.release.plan import Plan
from discreet.scaling import measured_sample
from discreet.scaling.by_blocks import blocks_in
from discreet.scaling.protecting import protect_large
from tests.scaling.people import LITTLE, released, written

ROWS = 3000
STEPS = {
    "labels that differ from block to block": "mart: {k: 5, columns: [age, sex, region]}",
    "drawn values": "condensation: {k: 20, columns: [income, age]}",
    "drawn values of all kinds": "microaggregation: {replacement: microperturbation}",
    "values of the file": "rank-swapping: {columns: [income, region]}",
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_blocks_are_those_in_memory(step: str, tmp_path: Path) -> None:
    in_blocks = f"  - {step.rstrip('}')}, in_blocks: 500}}"
    plan = Plan.load(written(tmp_path, in_blocks, rows=ROWS))
    release = plan.run(seed=3)
    protected = protect_large(plan, tmp_path / "out", seed=3, memory=LITTLE)
    found, expected = released(tmp_path / "out"), to_table(release.data)
    assert found.schema == expected.schema
    assert found.to_pylist() == expected.to_pylist()
    assert protected.release.claims == release.claims
    assert protected.release.notes == release.notes
    assert any("in each of 8 blocks of at most 500 records" in note for note in release.notes)
    if release.groups is not None:
        pairing = pairing_from(None, tmp_path / "out" / "release.parquet", ROWS)
        assert pairing is not None
        assert pairing.groups is not None
        assert np.array_equal(pairing.groups.labels, release.groups.labels)


def test_groups_of_drawn_values_are_sampled_whole_and_counted_on_all_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measured_sample, "SAMPLE", 200)
    step = "  - condensation: {k: 20, in_blocks: 500, columns: [income, age, hours, since]}"
    plan = written(tmp_path, step, rows=ROWS)
    text = plan.read_text(encoding="utf-8")
    for name in ("sex", "region", "ill"):
        text = text.replace(f"  {name}: {{role: ", f"  {name}: {{role: identifier}} # ")
    plan.write_text(text, encoding="utf-8")
    protected = protect_large(Plan.load(plan), tmp_path / "out", seed=3, memory=LITTLE)
    [claim] = protected.release.claims
    assert (claim.measure, claim.bound, claim.measured) == ("probabilistic-k-anonymity", 20, 20)
    groups = protected.release.groups
    assert groups is not None
    assert len(groups.labels) < 800
    assert groups.sizes.min() >= 20


def test_the_number_of_blocks_follows_from_that_of_the_records() -> None:
    assert blocks_in(3000, 500, 5) == 8
    assert blocks_in(500, 500, 5) == 1
    assert blocks_in(9, 2, 5) == 1
