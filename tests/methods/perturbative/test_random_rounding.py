"""Random rounding: unbiased, and never further than one step."""

from __future__ import annotations

import math

import numpy as np

import discreet
from discreet import Microdata, RandomRounding
from discreet.contracts import Context, Method, Randomness


def read(**columns: list[float | None]) -> Microdata:
    return discreet.read(columns, dict.fromkeys(columns, "quasi-identifier"))


def rounded(data: Microdata, method: Method, name: str = "x", seed: int = 1) -> list[float]:
    return [float(v) for v in method.protect(data, Context(Randomness(seed))).data[name]]


def test_random_rounding_is_unbiased() -> None:
    data = read(x=[32.0, 40.0, -7.0, 0.5, None])
    runs = np.array([rounded(data, RandomRounding(base=10), seed=s) for s in range(1200)])
    assert np.isnan(runs[:, 4]).all()
    assert set(runs[:, 0]) == {30.0, 40.0}
    assert set(runs[:, 1]) == {40.0}
    error = runs[:, :4].std(axis=0) / math.sqrt(len(runs))
    off = np.abs(runs[:, :4].mean(axis=0) - [32, 40, -7, 0.5])
    assert (off <= 4.5 * error).all()


def test_random_rounding_stays_within_one_base_as_the_help_says() -> None:
    assert "less than one base away" in RandomRounding.params()["base"].help
    values = np.random.default_rng(1).normal(0, 100, 5000)
    data = discreet.read({"x": values}, {"x": "quasi-identifier"})
    apart = np.abs(np.array(rounded(data, RandomRounding(base=10))) - values)
    assert 9 < apart.max() < 10


def test_random_rounding_to_points_is_unbiased_between_them_and_tells_of_the_rest() -> None:
    data = read(x=[5.0, 20.0, 99.0])
    method = RandomRounding(points={"x": [0, 10, 50]})
    runs = np.array([rounded(data, method, seed=s) for s in range(800)])
    error = runs.std(axis=0) / math.sqrt(len(runs))
    assert (np.abs(runs.mean(axis=0)[:2] - [5, 20]) <= 4.5 * error[:2]).all()
    assert set(runs[:, 2]) == {50.0}
    [note] = method.protect(data, Context()).notes
    assert note.startswith("1 values of column 'x' lie outside its rounding points")
