"""Robust moments: near the usual ones without far records, and near them with some."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.models.robust_moments import RobustMoments, deviations

COVARIANCE = np.array([[4.0, 2.4, 0.0], [2.4, 9.0, -1.0], [0.0, -1.0, 1.0]])


def sample(n: int, far: int = 0) -> np.ndarray:
    draw = np.random.default_rng(6)
    values = draw.multivariate_normal([10, -5, 0], COVARIANCE, n)
    values[:far] = [60, 60, 30]
    return values


@pytest.mark.parametrize("far", [0, 300])
def test_a_tenth_of_far_records_hardly_moves_them(far: int) -> None:
    values = sample(3000, far)
    found = RobustMoments.of(values)
    covariance = found.covariance * np.outer(found.spread, found.spread)
    assert found.centre == pytest.approx([10, -5, 0], abs=0.3)
    assert covariance == pytest.approx(COVARIANCE, abs=1.5)
    if far:
        assert np.abs(np.cov(values, rowvar=False) - COVARIANCE).max() > 100


def test_distances_beside_the_inverse() -> None:
    values = sample(500)
    found = RobustMoments.of(values)
    inverse = np.linalg.inv(found.covariance * np.outer(found.spread, found.spread))
    expected = [np.sqrt((x - found.centre) @ inverse @ (x - found.centre)) for x in values]
    distances, rank = found.distances(values)
    assert rank == 3
    assert distances == pytest.approx(expected)


def test_a_column_that_is_the_sum_of_others_adds_no_distance() -> None:
    values = sample(400)[:, :2]
    both = np.column_stack([values, values.sum(axis=1)])
    found = RobustMoments.of(both)
    assert found.distances(both)[1] == 2


def test_most_values_equal() -> None:
    assert deviations(np.array([[0.0], [0.0], [0.0], [6.0]]))[0] == pytest.approx(3.0)


@pytest.mark.parametrize("tiny", [1e-140, 1e-300, 5e-324])
def test_records_farther_than_a_square_can_say_are_far(tiny: float) -> None:
    values = np.array([[x, y] for x in (0.0, 1.0) for y in (-0.0, tiny, 0.5)] * 2)
    found = RobustMoments.of(values)
    assert np.isfinite(found.covariance).all()
    assert np.isfinite(found.distances(values)[0]).all()
