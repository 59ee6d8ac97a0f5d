"""Numbers by normal linear models."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from discreet.models.sequential.linear import NormalLinear, Semicontinuous

ROWS = 4000


def predictors(rows: int = ROWS, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((rows, 2))


def many(draw: Any, times: int = 60) -> np.ndarray:
    """Parameters drawn again and again from the same data."""
    return np.array([draw(np.random.default_rng(seed)) for seed in range(times)])


def test_normal_parameters_have_the_posterior_of_theory() -> None:
    x = predictors(60)
    y = 1 + x @ [2.0, -1.0] + np.random.default_rng(2).normal(0, 1.5, 60)

    def draw(generator: np.random.Generator) -> list[float]:
        found = NormalLinear.drawn(x, y, generator)
        return [found.constant, *found.coefficients, found.deviation**2]

    drawn = many(draw, 4000)
    design = np.column_stack([np.ones(60), x])
    inverse = np.linalg.inv(design.T @ design)
    beta = inverse @ design.T @ y
    square = ((y - design @ beta) ** 2).sum() / 57
    # σ² has the mean s²·ν/(ν − 2), the coefficients the variance of a t with ν = 57.
    error = drawn.std(axis=0) / np.sqrt(4000)
    expected = [*beta, square * 57 / 55]
    assert (np.abs(drawn.mean(axis=0) - expected) < 4.5 * error).all()
    spread = np.sqrt(square * 57 / 55 * np.diag(inverse))
    assert drawn[:, :3].std(axis=0) == pytest.approx(spread, rel=0.06)


def test_semicontinuous_values_keep_zeros_and_sign() -> None:
    x = predictors()
    generator = np.random.default_rng(10)
    pays = generator.random(ROWS) < 1 / (1 + np.exp(-x[:, 0]))
    for sign in (1.0, -1.0):
        y = np.where(pays, sign * np.exp(2 + 0.5 * x[:, 1] + generator.normal(0, 0.3, ROWS)), 0.0)
        made = Semicontinuous.drawn(x, y, generator).draw(x, generator)
        assert (made == 0).mean() == pytest.approx((y == 0).mean(), abs=0.04)
        assert (sign * made >= 0).all()
        paid = made != 0
        assert np.corrcoef(np.log(np.abs(made[paid])), x[paid, 1])[0, 1] > 0.7
        assert abs(np.corrcoef(paid, x[:, 0])[0, 1] - np.corrcoef(y != 0, x[:, 0])[0, 1]) < 0.08


def test_few_records_do_not_give_the_originals_back() -> None:
    generator = np.random.default_rng(11)
    x, y = generator.standard_normal((12, 30)), generator.standard_normal(12)
    found = NormalLinear.drawn(x, y, generator)
    assert found.deviation > 0.2
    assert np.abs(found.draw(x, generator) - y).min() > 1e-6
