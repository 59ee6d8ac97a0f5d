"""Logistic regression against the minimum of the deviance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from discreet.models import logistic_regression
from discreet.models.logistic_regression import logistic

LAW = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def slow(x: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Fitted probabilities by direct minimisation of the deviance."""

    def deviance(b: np.ndarray) -> tuple[float, np.ndarray]:
        linear = x @ b
        value = np.logaddexp(0, np.where(target > 0, -linear, linear)).sum()
        return float(value), x.T @ (1 / (1 + np.exp(-linear)) - target)

    found = minimize(deviance, np.zeros(x.shape[1]), jac=True, method="BFGS", tol=1e-10)
    return np.asarray(1 / (1 + np.exp(-x @ found.x)))


@LAW
@given(st.integers(0, 10_000), st.integers(3, 50))
def test_logistic_regression_is_the_minimum_of_the_deviance(seed: int, block: int) -> None:
    rng = np.random.default_rng(seed)
    x = np.column_stack([np.ones(80), rng.normal(size=(80, 2))])
    target = (rng.random(80) < 1 / (1 + np.exp(-x[:, 1]))).astype(np.float64)
    found = logistic(target, lambda piece: x[piece], block)
    assert found.settled
    assert found.rank == 3
    assert found.probabilities == pytest.approx(slow(x, target), abs=1e-4)
    # At the minimum the residuals are orthogonal to every term.
    assert x.T @ (target - found.probabilities) == pytest.approx(np.zeros(3), abs=1e-5)


def test_dependent_terms_change_nothing() -> None:
    rng = np.random.default_rng(1)
    x = np.column_stack([np.ones(60), rng.normal(size=(60, 2))])
    target = (rng.random(60) < 0.4).astype(np.float64)
    wide = np.column_stack([x, x[:, 1] + 2 * x[:, 2], np.zeros(60), 1e8 * x[:, 1]])
    plain = logistic(target, lambda piece: x[piece], 20)
    found = logistic(target, lambda piece: wide[piece], 20)
    assert found.rank == 3
    assert found.probabilities == pytest.approx(plain.probabilities, abs=1e-7)


def test_weights_count_records_as_often_as_they_say() -> None:
    rng = np.random.default_rng(2)
    x = np.column_stack([np.ones(40), rng.normal(size=40)])
    target = (rng.random(40) < 0.4).astype(np.float64)
    times = rng.integers(1, 4, 40)
    found = logistic(target, lambda piece: x[piece], 16, times.astype(np.float64))
    often = np.repeat(np.arange(40), times)
    repeated = logistic(target[often], lambda piece: x[often][piece], 16)
    assert found.probabilities[often] == pytest.approx(repeated.probabilities, abs=1e-7)


@pytest.mark.parametrize("kept", [0, 100, 10_000])
def test_terms_are_made_once_where_there_is_room(
    kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(4)
    x = np.column_stack([np.ones(90), rng.normal(size=(90, 2))])
    target = (rng.random(90) < 1 / (1 + np.exp(-x[:, 1]))).astype(np.float64)
    whole = logistic(target, lambda piece: x[piece], 30)
    monkeypatch.setattr(logistic_regression, "MOST_KEPT", kept)
    made: list[int] = []

    def block(piece: slice) -> np.ndarray:
        made.append(piece.start)
        return x[piece].copy()

    found = logistic(target, block, 30)
    assert np.array_equal(found.probabilities, whole.probabilities)
    # Of 270 numbers in blocks of 90: none, the first, or all are kept.
    assert [made.count(start) == 1 for start in (0, 30, 60)] == [kept >= 90, kept > 100, kept > 100]
