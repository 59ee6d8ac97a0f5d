"""Noise on normal scores: distributions to the last value, correlations on average."""

from __future__ import annotations

import math

import numpy as np
import pytest

import discreet
from discreet import Microdata, NonlinearNoise
from discreet.contracts import Context, Randomness
from discreet.methods.perturbative.nonlinear_noise import normal_quantiles
from discreet.microdata.ranks import ranked


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
        own = []
        for seed in range(20):
            masked = NonlinearNoise(alpha=alpha).protect(data, Context(Randomness(seed))).data
            now = spearmanr(masked["pay"], masked["rent"]).statistic
            assert now == pytest.approx(before, abs=0.03), alpha
            own.append(np.corrcoef(_scores(data, "pay"), _scores(masked, "pay"))[0, 1])
        stated = 1 / math.sqrt(1 + alpha)
        assert np.mean(own) == pytest.approx(stated, abs=0.01), "as much noise as stated"


def test_a_column_of_few_values_correlates_less_than_before() -> None:
    from scipy.stats import spearmanr

    data = table()
    masked = NonlinearNoise(alpha=0.01).protect(data, Context(Randomness(1))).data
    before = spearmanr(data["pay"], data["visits"]).statistic
    now = spearmanr(masked["pay"], masked["visits"]).statistic
    assert 0.8 * before < now < before


def _scores(data: Microdata, name: str) -> np.ndarray:
    scores = np.empty(len(data))
    scores[ranked(data.column(name), np.random.default_rng(1))] = normal_quantiles(len(data))
    return scores


def test_equal_values_are_ranked_at_random_and_not_as_they_lie() -> None:
    # Ranked as they lie, only rows near the middle of the file would cross over.
    data = discreet.read({"x": [1.0] * 2000 + [2.0] * 2000}, {"x": "quasi-identifier"})
    now = NonlinearNoise(alpha=0.01).protect(data, Context(Randomness(1))).data["x"]
    crossed = np.flatnonzero(now[:2000] == 2.0)
    assert 20 < len(crossed) < 300
    assert abs(crossed.mean() - 1000) < 4 * 2000 / math.sqrt(12 * len(crossed))


def test_no_result_depends_on_the_number_of_threads() -> None:
    from threadpoolctl import threadpool_limits

    data, released = table(20_000), []
    for threads in (1, 2):
        with threadpool_limits(threads):
            masked = NonlinearNoise().protect(data, Context(Randomness(1))).data
        released.append([masked[name].tobytes() for name in ("pay", "rent", "visits", "grade")])
    assert released[0] == released[1]


def test_missing_stays_missing() -> None:
    data = discreet.read({"x": [1.0, None, 3.0, 2.0] * 10}, {"x": "quasi-identifier"})
    masked = NonlinearNoise(alpha=2).protect(data, Context(Randomness(1))).data
    assert masked.column("x").missing.tolist() == data.column("x").missing.tolist()
