"""The moments that optimisation brings back, and the steps towards them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.methods.synthetic.moment_target import MomentTarget


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 4))
def test_the_slope_of_the_moments_is_that_of_small_steps(seed: int, order: int) -> None:
    rng = np.random.default_rng(seed)
    points, weights = rng.normal(0, 1, (40, 2)), rng.integers(1, 4, 40).astype(float)
    target = MomentTarget.of(rng.normal(0, 1, (60, 2)), order)
    moved = np.arange(0, 40, 2)
    step = target.step(points, weights, moved, share=1e-7)
    assert not step[1::2].any(), "the others stay"
    gained = target.moments(points + step, weights) - target.moments(points, weights)
    missing = target.off(points, weights)
    assert gained / 1e-7 == pytest.approx(missing, abs=1e-3 * np.abs(missing).max())


@pytest.mark.parametrize("order", [1, 2, 3])
def test_the_step_is_the_least_that_closes_what_is_missing(order: int) -> None:
    rng = np.random.default_rng(order)
    points, weights = rng.normal(0, 1, (15, 3)), rng.integers(1, 4, 15).astype(float)
    target = MomentTarget.of(rng.normal(0, 1, (60, 3)), order)
    small = 1e-6 * np.eye(points.size).reshape(-1, *points.shape)
    slope = np.array(
        [
            target.moments(points + one, weights) - target.moments(points - one, weights)
            for one in small
        ]
    ).T / (2e-6)
    # Least Σ w·change²: the pseudo-inverse for changes in units of 1/√w.
    unit = np.repeat(1 / np.sqrt(weights), 3)
    least = unit * (np.linalg.pinv(slope * unit) @ target.off(points, weights))
    step = target.step(points, weights, np.arange(15))
    assert step.ravel() == pytest.approx(least, rel=1e-6, abs=1e-7)
