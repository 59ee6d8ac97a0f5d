"""The sample of a large release."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from discreet.microdata.equivalence import class_sizes
from discreet.release.plan import Plan
from discreet.scaling import measured_sample
from discreet.scaling.protecting import protect_large
from tests.scaling.people import LITTLE, written


def test_classes_are_sampled_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured_sample, "SAMPLE", 500)
    steps = "  - microaggregation: {partition: {mdav: {k: 5, blocks: 2000}}}"
    protected = protect_large(
        Plan.load(written(tmp_path, steps, rows=5000)), tmp_path / "out", seed=1, memory=LITTLE
    )
    release = protected.release
    assert 300 < len(release.data) < 800
    assert class_sizes(release.data, release.data.quasi_identifiers).min() >= 5
    assert release.groups is not None
    assert release.groups.sizes.min() >= 5
    gone = np.abs(release.data["income"] - release.original["income"])
    assert np.corrcoef(release.data["income"], release.original["income"])[0, 1] > 0.5
    assert gone.max() > 0


def test_of_large_classes_records_are_sampled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measured_sample, "SAMPLE", 500)
    monkeypatch.setattr(measured_sample, "LARGE_CLASS", 2)
    steps = "  - microaggregation: {partition: {mdav: {k: 5, blocks: 2000}}}"
    protected = protect_large(
        Plan.load(written(tmp_path, steps, rows=5000)), tmp_path / "out", seed=1, memory=LITTLE
    )
    assert 300 < len(protected.release.data) < 800
    assert "single records" in str(protected.assessment.verdict)
