"""Noise on normal scores: distributions to the last value, correlations on average."""

from __future__ import annotations

import math

import numpy as np
import pytest

import discreet
from discreet import Microdata, NonlinearNoise
from discreet.contracts import Context
from discreet.methods.perturbative.nonlinear_noise import normal_scores
from discreet.randomness import Randomness


def table(rows: int = 3000) -> Microdata:
    rng = np.random.default_rng(5)
    x = rng.normal(size=rows)
    return discreet.read(
        {
            "pay": np.exp(x + 8),
            "rent": np.exp(0.7 * x + 0.5 * rng.normal(size=rows)),
            "visits": np.floor(np.exp(0.8 * x + 0.4 * rng.normal(size=rows))),
            "grade": [("low", "mid", "top")[i] for i in np.digitize(x, [-0.5, 0.8])],
        },
        dict.fromkeys(["pay", "rent", "visits", "grade"], "quasi-identifier"),
        {"grade": ["low", "mid", "top"]},
    )


def test_every_distribution_stays_exactly() -> None:
    data = table()
    masked = NonlinearNoise(alpha=0.5).protect(data, Context(Randomness(1))).data
    for name in ("pay", "rent", "visits", "grade"):
        assert np.sort(masked[name]).tolist() == np.sort(data[name]).tolist()
        assert (masked[name] != data[name]).any()


def test_rank_correlations_are_kept_for_any_amount_of_noise() -> None:
    from scipy.stats import spearmanr

    data = table()
    before = spearmanr(data["pay"], data["rent"]).statistic
    for alpha in (0.1, 1.0, 5.0):
        masked = NonlinearNoise(alpha=alpha).protect(data, Context(Randomness(1))).data
        now = spearmanr(masked["pay"], masked["rent"]).statistic
        assert now == pytest.approx(before, abs=0.03), alpha
        own = np.corrcoef(_scores(data, "pay"), _scores(masked, "pay"))[0, 1]
        assert own == pytest.approx(1 / math.sqrt(1 + alpha), abs=0.03), "as much noise as stated"


def test_a_column_of_few_values_correlates_less_than_before() -> None:
    from scipy.stats import spearmanr

    data = table()
    masked = NonlinearNoise(alpha=0.01).protect(data, Context(Randomness(1))).data
    before = spearmanr(data["pay"], data["visits"]).statistic
    now = spearmanr(masked["pay"], masked["visits"]).statistic
    assert 0.8 * before < now < before


def _scores(data: Microdata, name: str) -> np.ndarray:
    return normal_scores(data.column(name), np.random.default_rng(1))


def test_scores_are_normal_and_equal_values_are_ranked_at_random() -> None:
    column = discreet.read({"x": [1.0] * 50 + [2.0] * 50}).column("x")
    one = normal_scores(column, np.random.default_rng(1))
    other = normal_scores(column, np.random.default_rng(2))
    assert np.sort(one).tolist() == np.sort(other).tolist()
    assert one[:50].max() < 0 < one[50:].min()
    assert one.tolist() != other.tolist()


def test_missing_stays_missing() -> None:
    data = discreet.read({"x": [1.0, None, 3.0, 2.0] * 10}, {"x": "quasi-identifier"})
    masked = NonlinearNoise(alpha=2).protect(data, Context(Randomness(1))).data
    assert masked.column("x").missing.tolist() == data.column("x").missing.tolist()
