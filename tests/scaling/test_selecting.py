"""A sample of a large file is the one that is drawn in memory."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from discreet.errors import DataError
from discreet.io.frames import to_table
from discreet.publishing.verifying import verify
from discreet.release.plan import Plan
from discreet.scaling import selecting
from discreet.scaling.protecting import protect_large
from tests.scaling.people import LITTLE, released, written

STEPS = """
  - rounding: {base: 1000, columns: [income]}
  - sampling: {fraction: 0.3, strata: [sex, region]}
  - additive-noise: {columns: [hours]}
"""


def test_on_the_disk_as_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selecting, "PIECE", 900)
    path = written(tmp_path, STEPS)
    text = path.read_text().replace("hours: {role: other}", "hours: {role: weight}")
    path.write_text(text)
    plan = Plan.load(path)
    release = plan.run(seed=5)
    protected = protect_large(plan, tmp_path / "out", seed=5, memory=LITTLE)
    assert protected.records == len(release.data) == 21_000
    assert released(tmp_path / "out").to_pylist() == to_table(release.data).to_pylist()
    # Others are measured on the sample.
    assert protected.release.notes[:3] == release.notes[:3]
    assert verify(tmp_path / "out").holds
    assert json.loads((tmp_path / "out" / "record.json").read_text())["report"]["records"] == {
        "original": 70_000,
        "released": 21_000,
    }
    sample = protected.release
    assert len(sample.original) > 3 * len(sample.data) - 10
    before, after = sample.original.take(sample.origin), sample.data
    assert np.array_equal(before["ill"], after["ill"])


def test_groups_follow_their_records_and_claims_are_withdrawn(tmp_path: Path) -> None:
    steps = """
  - microaggregation: {partition: {mdav: {k: 5, blocks: 500}}, columns: [age, income]}
  - sampling: {size: 400}
"""
    plan = Plan.load(written(tmp_path, steps, rows=1000))
    release = plan.run(seed=5)
    protected = protect_large(plan, tmp_path / "out", seed=5, memory=LITTLE)
    assert released(tmp_path / "out").to_pylist() == to_table(release.data).to_pylist()
    assert protected.release.claims == release.claims == ()
    assert protected.release.notes == release.notes


def test_a_stratum_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from discreet.contracts import Context
    from discreet.models import simple_sampling

    monkeypatch.setattr(simple_sampling, "MOST", 10)
    with pytest.raises(DataError, match="fewer than 10 records, but one has 12"):
        simple_sampling.SimpleSample.of([np.array([12])], np.array([3]), Context(), "sample")
