"""Determinants of scatter matrices, as cuts by digression need them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.kernels.regression_tree_digression import determinant

LAW = settings(max_examples=80, deadline=None, derandomize=True, database=None)


@LAW
@given(st.integers(0, 10**6), st.integers(1, 5))
def test_determinants(seed: int, r: int) -> None:
    matrix = np.random.default_rng(seed).integers(-3, 4, (r, r)).astype(float)
    assert determinant(matrix.copy()) == pytest.approx(np.linalg.det(matrix), abs=1e-9)


def test_a_singular_matrix_has_none() -> None:
    assert determinant(np.array([[1.0, 2.0], [2.0, 4.0]])) == 0.0
    assert determinant(np.zeros((3, 3))) == 0.0
