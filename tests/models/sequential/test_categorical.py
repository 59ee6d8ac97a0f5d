"""Categories by multinomial and ordered models."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from discreet.models.sequential.categorical import Multinomial, Ordered

ROWS = 4000


def predictors(rows: int = ROWS, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((rows, 2))


def many(draw: Any, times: int = 60) -> np.ndarray:
    """Parameters drawn again and again from the same data."""
    return np.array([draw(np.random.default_rng(seed)) for seed in range(times)])


def _flat(found: Ordered) -> list[float]:
    return [*found.thresholds, *found.coefficients]


def test_logistic_draws_spread_like_the_information() -> None:
    x = predictors(800)
    p = 1 / (1 + np.exp(-(0.5 + x @ [1.0, -0.5])))
    y = (np.random.default_rng(3).random(800) < p).astype(int)
    drawn = many(lambda g: Multinomial.drawn(x, y, 2, g).coefficients[:, 0], 150)
    design = np.column_stack([np.ones(800), x])
    information = design.T @ (design * (p * (1 - p))[:, None])
    expected = np.sqrt(np.diag(np.linalg.inv(information)))
    assert drawn.std(axis=0) == pytest.approx(expected, rel=0.25)
    assert np.abs(drawn.mean(axis=0) - [0.5, 1.0, -0.5]).max() < 4 * expected.max()


def test_multinomial_parameters_come_back() -> None:
    x = predictors()
    truth = np.array([[0.5, -0.5], [1.0, 0.0], [0.0, 1.0]])
    scores = np.exp(np.column_stack([np.zeros(ROWS), np.column_stack([np.ones(ROWS), x]) @ truth]))
    y = (np.cumsum(scores / scores.sum(1, keepdims=True), 1)
         < np.random.default_rng(4).random(ROWS)[:, None]).sum(1)  # fmt: skip
    drawn = many(lambda g: Multinomial.drawn(x, y, 3, g).coefficients, 10)
    assert np.abs(drawn.mean(axis=0) - truth).max() < 0.2


def test_ordered_parameters_come_back() -> None:
    x = predictors()
    latent = x @ [1.5, -0.5] + np.random.default_rng(5).logistic(size=ROWS)
    y = np.searchsorted([-1.0, 0.0, 2.0], latent)
    drawn = many(lambda g: _flat(Ordered.drawn(x, y, 4, g)), 10)
    assert np.abs(drawn.mean(axis=0) - [-1.0, 0.0, 2.0, 1.5, -0.5]).max() < 0.2


def test_complete_separation_is_finite() -> None:
    x = np.linspace(-2, 2, 50)[:, None]
    found = Multinomial.drawn(x, (x[:, 0] > 0).astype(int), 2, np.random.default_rng(1))
    assert np.abs(found.coefficients).max() < 20
    assert found.probabilities(x)[-1, 1] > 0.9
