"""Samples by stretches are simple random samples of each stratum."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, InMemory, Randomness, passes
from discreet.models import simple_sampling
from discreet.models.sequential import fitted
from discreet.models.simple_sampling import SimpleSample, sampled_records

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


def test_a_sample_in_memory_knows_which_records_it_has() -> None:
    data = discreet.read({"age": range(100)}).take(np.arange(50, 100))
    sample = sampled_records(InMemory(data), 30, Context(), "records")
    assert np.array_equal(sample.rows_read, sample["age"])
    assert np.array_equal(sample.take(np.array([3, 1]))["age"], sample["age"][[3, 1]])


def test_trees_grow_on_a_sample_of_a_column_with_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    from discreet.methods.synthetic import cart_synthesis

    for module in (cart_synthesis, fitted):
        monkeypatch.setattr(module, "MOST_FITTED", 200)
    rng = np.random.default_rng(5)
    pay = [
        None if gone else value
        for gone, value in zip(rng.random(400) < 0.2, rng.random(400), strict=True)
    ]
    table = {"age": rng.integers(18, 90, 400).tolist(), "pay": pay}
    data = discreet.read(table, roles=dict.fromkeys(table, "quasi-identifier"))
    made = discreet.CartSynthesis(everything=True).protect(data, Context(Randomness(1))).data
    assert len(made) == 400
    assert np.isnan(made["pay"]).mean() == pytest.approx(0.2, abs=0.07)
