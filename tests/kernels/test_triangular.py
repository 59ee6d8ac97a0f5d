"""Cholesky factors against those of numpy."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.kernels.triangular import inverse_factor


def test_the_inverse_of_the_factor_and_the_determinant() -> None:
    root = np.random.default_rng(1).normal(size=(4, 9))
    matrix, inverse = root @ root.T, np.full((4, 4), np.nan)
    assert inverse_factor(matrix, inverse) == pytest.approx(np.linalg.slogdet(matrix)[1])
    np.testing.assert_allclose(inverse, np.linalg.inv(np.linalg.cholesky(matrix)), atol=1e-12)
    flat = np.ones((2, 2))
    assert np.isfinite(inverse_factor(flat, np.empty((2, 2))))
