"""Resampling: order kept, averages of samples rank by rank."""

from __future__ import annotations

import math

import numpy as np
import pytest

import discreet
from discreet import Microdata, Resampling
from discreet.contracts import Context, Randomness


def table(rows: int = 200) -> Microdata:
    values = np.random.default_rng(2).lognormal(3, 0.6, rows)
    return discreet.read({"x": values}, {"x": "quasi-identifier"})


def resampled(data: Microdata, samples: int, seed: int = 1) -> np.ndarray:
    method = Resampling(samples=samples)
    return np.asarray(method.protect(data, Context(Randomness(seed))).data["x"])


@pytest.mark.parametrize("samples", [1, 3, 20])
def test_the_order_of_the_records_stays(samples: int) -> None:
    data = table()
    now = resampled(data, samples)
    assert (np.diff(now[np.argsort(data["x"])]) >= 0).all()
    assert data["x"].min() <= now.min() <= now.max() <= data["x"].max() + 1e-9


def test_one_sample_is_a_sample_with_replacement() -> None:
    data = table()
    now = resampled(data, 1)
    assert set(now) <= set(data["x"])
    # About 1/e of the values are not drawn.
    assert 1 - len(set(now)) / len(now) == pytest.approx(math.exp(-1), abs=0.1)


def test_averages_have_the_moments_of_rank_averages() -> None:
    # The mean of a sample with replacement has variance σ²/n, that of t averaged ones σ²/(n·t).
    data = table()
    for samples in (1, 4):
        means = [resampled(data, samples, seed).mean() for seed in range(400)]
        expected = data["x"].std() / math.sqrt(len(data) * samples)
        assert np.std(means) == pytest.approx(expected, rel=0.15)
        assert np.mean(means) == pytest.approx(data["x"].mean(), abs=4.5 * expected / 20)


def test_fewer_samples_change_more_as_the_help_says() -> None:
    assert "fewer samples change values more" in Resampling.params()["samples"].help
    data = table()
    change = [np.abs(resampled(data, t) - data["x"]).mean() for t in (1, 5, 50)]
    assert change == sorted(change, reverse=True)


def test_missing_values_stay_and_are_never_drawn() -> None:
    data = discreet.read({"x": [5.0, None, 7.0, 9.0, None]}, {"x": "quasi-identifier"})
    masked = Resampling().protect(data, Context(Randomness(3))).data
    assert masked.column("x").missing.tolist() == data.column("x").missing.tolist()
    assert np.nanmin(masked["x"]) >= 5


def test_the_default_works_on_the_patients(patients: Microdata) -> None:
    method = Resampling(columns=["age", "height_cm", "weight_kg"])
    masked = method.protect(patients, Context(Randomness(1))).data
    for name in method.columns or ():
        assert np.nanmean(masked[name]) == pytest.approx(np.nanmean(patients[name]), rel=0.02)
