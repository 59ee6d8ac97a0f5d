"""Columns as regressors."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.models.design_matrix import DesignMatrix
from discreet.models.regression import column_regressions


def plain(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients and standard errors, from the textbook."""
    inverse = np.linalg.inv(x.T @ x)
    coefficients = inverse @ x.T @ y
    rest = y - x @ coefficients
    variance = rest @ rest / (len(y) - x.shape[1])
    return coefficients, np.sqrt(variance * np.diag(inverse))


def test_a_category_is_compared_with_the_mean_of_the_records() -> None:
    data = discreet.read({"y": [1, 3, 5, 9, 2, 4], "town": ["a", "a", "b", "b", "a", "c"]})
    design = DesignMatrix.fit(data, ["y", "town"])
    [found] = column_regressions(data, design, ["y"])
    assert found.labels == ("town = a", "town = b", "town = c")
    # Means 2, 7, 4 about the overall mean 4, in deviations of y.
    expected = np.array([-2.0, 3.0, 0.0]) / np.std([1, 3, 5, 9, 2, 4])
    assert found.coefficients == pytest.approx(expected)


def test_regressions_use_the_records_that_have_the_response() -> None:
    rng = np.random.default_rng(3)
    x, y, z = rng.normal(size=(3, 30))
    gaps = np.where(np.arange(30) % 5 == 0, np.nan, y)
    data = discreet.read({"x": x, "y": gaps, "z": z})
    design = DesignMatrix.fit(data, ["x", "y", "z"])
    found = column_regressions(data, design, ["y"])[0]
    kept = ~np.isnan(gaps)
    expected, errors = plain(np.column_stack([np.ones(kept.sum()), x[kept], z[kept]]), y[kept])
    scale = np.array([x.std(), z.std()]) / y[kept].std()
    assert found.coefficients == pytest.approx(expected[1:] * scale)
    assert found.errors == pytest.approx(errors[1:] * scale)


def test_the_least_numbers_have_a_spread() -> None:
    data = discreet.read({"x": [0.0, 5e-324, 0.0, 5e-324]})
    matrix = DesignMatrix.fit(data, ["x"]).matrix(data)
    assert np.isfinite(matrix).all()
    assert matrix[1, -1] > matrix[0, -1]
