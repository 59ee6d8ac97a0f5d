"""Markov matrices of PRAM, draws from them, and frequencies estimated back."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import DataError
from discreet.methods.perturbative.pram.markov import (
    MarkovMatrix,
    draw,
    draw_invariant,
    invariant_matrix,
    true_frequencies,
)

COUNTS = st.lists(st.integers(0, 50), min_size=1, max_size=7).filter(any)
MATRIX = MarkovMatrix.from_mapping(
    {
        "a": {"a": 0.8, "b": 0.15, "c": 0.05},
        "b": {"a": 0.1, "b": 0.7, "c": 0.2},
        "c": {"a": 0.05, "b": 0.05, "c": 0.9},
    }
)


@settings(deadline=None)
@given(COUNTS, st.floats(0, 0.99))
def test_the_default_matrix_is_invariant_and_its_least_diagonal_is_the_one_asked_for(
    counts: list[int], stay: float
) -> None:
    t = np.array(counts)
    matrix = invariant_matrix(t, stay)
    assert matrix.min() >= -1e-12
    assert matrix.sum(axis=1) == pytest.approx(np.ones(len(t)))
    assert t @ matrix == pytest.approx(t, abs=1e-9)
    least = np.diag(matrix)[t > 0].min()
    assert least == pytest.approx(stay if (t > 0).sum() > 1 else 1.0)


@pytest.mark.parametrize("stay", [0.0, 0.3, 0.8])
def test_draws_follow_the_invariant_matrix(stay: float) -> None:
    from scipy.stats import chisquare

    rng = np.random.default_rng(1)
    codes = np.repeat([0, 2, 3, 5], [60_000, 25_000, 10_000, 5_000])
    drawn = draw_invariant(codes, stay, rng, np.bincount(codes).astype(np.float64))
    matrix = invariant_matrix(np.bincount(codes), stay)
    for code in (0, 2, 3, 5):
        seen = np.bincount(drawn[codes == code], minlength=6)
        expected = matrix[code] * (codes == code).sum()
        assert (seen[expected < 1e-9] == 0).all(), "a category without records is never drawn"
        possible = expected > 1e-9
        assert chisquare(seen[possible], expected[possible]).pvalue > 1e-4


def test_draws_follow_a_matrix_of_the_users() -> None:
    rng = np.random.default_rng(3)
    matrix = np.array([[0.7, 0.3, 0.0], [0.0, 0.0, 1.0], [0.2, 0.3, 0.5]])
    rows = np.repeat([0, 1, 2], 50_000)
    drawn = draw(rows, matrix, rng)
    for row in range(3):
        seen = np.bincount(drawn[rows == row], minlength=3) / 50_000
        assert seen == pytest.approx(matrix[row], abs=0.01)
        assert (seen[matrix[row] == 0] == 0).all()


def test_true_counts_are_estimated_without_bias_and_with_their_variance() -> None:
    truth = np.array([500, 300, 200])
    rng = np.random.default_rng(6)
    rows = np.repeat([0, 1, 2], truth)
    estimates, variances = [], []
    for _ in range(1500):
        counts = np.bincount(draw(rows, MATRIX.probabilities, rng), minlength=3)
        found = true_frequencies(dict(zip("abc", counts.tolist(), strict=True)), MATRIX)
        estimates.append(found.counts)
        variances.append(found.covariance)
    estimate = np.array(estimates)
    error = estimate.std(axis=0, ddof=1) / math.sqrt(len(estimate))
    assert (np.abs(estimate.mean(axis=0) - truth) / error).max() < 4.5
    seen = np.cov(estimate.T)
    spread = np.sqrt((np.outer(np.diag(seen), np.diag(seen)) + seen**2) / len(estimate))
    assert (np.abs(np.mean(variances, axis=0) - seen) / spread).max() < 4.5
    inverse = np.linalg.inv(MATRIX.probabilities.T)
    moved = sum(
        t * (np.diag(p) - np.outer(p, p)) for t, p in zip(truth, MATRIX.probabilities, strict=True)
    )
    assert np.mean(variances, axis=0) == pytest.approx(inverse @ moved @ inverse.T, rel=0.01)
    assert MATRIX.diagonal.tolist() == [0.8, 0.7, 0.9]


def test_counts_that_are_exactly_as_expected_give_the_true_ones() -> None:
    truth = np.array([500.0, 300.0, 200.0])
    expected = truth @ MATRIX.probabilities
    found = true_frequencies(dict(zip("abc", expected.tolist(), strict=True)), MATRIX)
    assert found.counts == pytest.approx(truth)
    assert found.counts.sum() == pytest.approx(1000)
    assert found.covariance.sum() == pytest.approx(0, abs=1e-8), "the number of records is fixed"


def test_what_cannot_be_estimated_is_refused() -> None:
    same = MarkovMatrix.from_mapping({"a": {"x": 0.5, "y": 0.5}, "b": {"x": 0.5, "y": 0.5}})
    with pytest.raises(DataError, match="independent rows"):
        true_frequencies({"x": 3, "y": 4}, same)
    with pytest.raises(DataError, match="the file also has 'z'"):
        true_frequencies({"z": 3}, same)
