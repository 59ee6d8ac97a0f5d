"""Least squares against the textbook."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from discreet.models import design_matrix, regression
from discreet.models.regression import LeastSquares, triangular_factor


def plain(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients and standard errors, from the textbook."""
    inverse = np.linalg.inv(x.T @ x)
    coefficients = inverse @ x.T @ y
    rest = y - x @ coefficients
    variance = rest @ rest / (len(y) - x.shape[1])
    return coefficients, np.sqrt(variance * np.diag(inverse))


LAW = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)


@LAW
@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(1, 7))
def test_least_squares_on_blocks_is_that_of_the_textbook(seed: int, width: int, block: int) -> None:
    rng = np.random.default_rng(seed)
    x = np.column_stack([np.ones(20), rng.normal(size=(20, width))])
    y = rng.normal(size=20)
    whole = np.column_stack([x, y])
    factor = triangular_factor(whole[at : at + block] for at in range(0, 20, block))
    found = LeastSquares.of(factor[:, :-1], factor[:, -1], 20)
    coefficients, errors = plain(x, y)
    assert found.coefficients == pytest.approx(coefficients, abs=1e-9)
    value, error = found.estimates(np.eye(width + 1))
    assert value == pytest.approx(coefficients, abs=1e-9)
    assert error == pytest.approx(errors, rel=1e-9)
    assert found.free == 20 - width - 1


def test_a_coefficient_that_the_data_do_not_determine_is_not_invented() -> None:
    rng = np.random.default_rng(1)
    a, b, y = rng.normal(size=(3, 30))
    x = np.column_stack([np.ones(30), a, b, a + b, np.zeros(30)])
    factor = triangular_factor([np.column_stack([x, y])])
    found = LeastSquares.of(factor[:, :-1], factor[:, -1], 30)
    assert found.rank == 3
    values, errors = found.estimates(np.eye(5))
    assert np.isnan(values).tolist() == [False, True, True, True, True]
    assert np.isnan(errors).tolist() == [False, True, True, True, True]
    # The difference of the coefficients of a and b is determined, whatever the third is.
    apart, _ = found.estimates(np.array([[0.0, 1, -1, 0, 0]]))
    expected, _ = plain(x[:, :3], y)
    assert apart[0] == pytest.approx(expected[1] - expected[2])


def test_large_blocks_are_factored_at_once_with_the_same_outcome(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = np.random.default_rng(4).normal(size=(9 * design_matrix.BLOCK + 7, 3))
    blocks = [
        rows[at : at + design_matrix.BLOCK] for at in range(0, len(rows), design_matrix.BLOCK)
    ]
    together = triangular_factor(blocks)
    monkeypatch.setattr(regression, "BLOCK", len(rows))
    assert together.tobytes() == triangular_factor(iter(blocks)).tobytes()
