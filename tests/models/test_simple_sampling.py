"""Samples by stretches are simple random samples of each stratum."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.contracts import Context, Randomness, passes
from discreet.models import simple_sampling
from discreet.models.simple_sampling import SimpleSample

STRATA = np.array([0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0])


def test_every_record_of_a_stratum_is_equally_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (passes, simple_sampling):
        monkeypatch.setattr(module, "STRETCH", 4)
    parts = [STRATA[:4], STRATA[4:8], STRATA[8:]]
    counts = [np.bincount(part, minlength=2) for part in parts]
    wanted, times, pairs = np.array([2, 3]), np.zeros(11), 0
    for seed in range(3000):
        context = Context(Randomness(seed))
        sample = SimpleSample.of(counts, wanted, context, "sample")
        rows = sample.rows(STRATA, context, 0)
        assert (np.bincount(STRATA[rows], minlength=2) == wanted).all()
        assert (np.diff(rows) > 0).all()
        later = sample.rows(STRATA[4:], context, 4) + 4
        assert np.array_equal(later, rows[rows >= 4])
        times[rows] += 1
        pairs += {0, 10} <= set(rows.tolist())
    expected = 3000 * np.where(STRATA == 0, 2 / 6, 3 / 5)
    assert np.abs(times - expected).max() < 4.5 * np.sqrt(3000 * 0.25)
    assert pairs == pytest.approx(3000 / 15, abs=4.5 * np.sqrt(200))
