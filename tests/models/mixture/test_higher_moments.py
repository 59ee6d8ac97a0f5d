"""Moments beyond the second, and how synthesis will change them."""

from __future__ import annotations

import numpy as np

from discreet.models.mixture.higher_moments import expected_change, normal_moments, sample_moments


def test_normal_moments_are_those_of_many_draws() -> None:
    rng = np.random.default_rng(8)
    mean, covariance = np.array([0.5, -1.0]), np.array([[1.0, 0.3], [0.3, 0.5]])
    third, fourth = normal_moments(mean, covariance)
    drawn = sample_moments(rng.multivariate_normal(mean, covariance, 400_000))
    assert np.allclose(third, drawn[0], atol=0.03)
    assert np.allclose(fourth, drawn[1], atol=0.08)


def test_a_constant_column_has_no_part_in_the_expected_change() -> None:
    for records in range(290, 310):  # the mean of as many tenths is not always a tenth
        skewed = np.random.default_rng(1).exponential(size=(records, 1))
        labels = np.zeros(records, dtype=np.int64)
        beside = np.column_stack([skewed, np.full(records, 0.1)])
        assert expected_change(beside, labels, ["x", "c"]) == expected_change(skewed, labels, ["x"])


def test_numbers_whose_squares_vanish_are_no_hindrance() -> None:
    values = np.column_stack([np.tile([0.0, 1e-300], 4), np.arange(8.0) ** 2])
    change = expected_change(values, np.zeros(8, dtype=np.int64), ["tiny", "x"])
    assert "x × x × x" in change["expected change of moments of order 3"]
