"""Latent class regression: the likelihood, the parameters of known models, and the floor."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.models.latent_class import LatentClassModel, fit
from discreet.models.latent_class.fitting import with_floor
from discreet.models.latent_class.model import Responses
from discreet.models.latent_class.prior import Regressors
from tests.models.latent_class.known import drawn, known_model


def matched(model: LatentClassModel, truth: LatentClassModel) -> list[int]:
    """The order of the fitted classes that is nearest to the truth."""
    return min(
        (list(order) for order in permutations(range(truth.classes))),
        key=lambda order: np.abs(model.probabilities[:, order] - truth.probabilities).sum(),
    )


def test_parameters_of_a_known_model_come_back() -> None:
    truth = known_model()
    x, y = drawn(8000)
    model = fit(x, y, 3, np.random.default_rng(1))
    order = matched(model, truth)
    assert model.settled
    assert np.abs(model.probabilities[:, order] - truth.probabilities).max() < 0.04
    full = np.column_stack([np.zeros(3), model.coefficients])[:, order]
    assert np.abs((full - full[:, :1])[:, 1:] - truth.coefficients).max() < 0.2
    assert model.log_likelihood >= np.logaddexp.reduce(truth.log_joint(x, y), axis=1).sum()


@pytest.mark.parametrize("seed", range(6))
def test_the_likelihood_never_falls_while_the_floor_is_idle(seed: int) -> None:
    x, y = drawn(300, seed)
    model = fit(x, y, 4, np.random.default_rng(seed), starts=2)
    assert not model.floored
    assert len(model.path) > 10
    assert all(later >= earlier - 1e-9 * abs(earlier) for earlier, later in pairwise(model.path))


def test_a_class_that_em_wants_tiny_is_raised_to_the_floor() -> None:
    generator = np.random.default_rng(4)
    rare = np.arange(1000) < 15
    codes = (generator.random((1000, 8)) < np.where(rare, 0.97, 0.05)[:, None]).astype(int)
    x, y = np.ones((1000, 1)), Responses(codes, (2,) * 8)
    free = fit(x, y, 2, np.random.default_rng(1))
    assert free.priors(x)[0].min() < 0.03
    held = fit(x, y, 2, np.random.default_rng(1), floor=0.06)
    assert held.floored
    assert held.prevalence is not None
    assert held.prevalence.min() == pytest.approx(0.06, rel=1e-7)
    assert held.priors(x).mean(axis=0).min() == pytest.approx(0.06, rel=1e-5)
    assert held.log_likelihood < free.log_likelihood


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 5), st.floats(0.05, 0.95), st.booleans())
def test_shares_reach_the_floor_and_stay_shares(
    seed: int, classes: int, part: float, hard: bool
) -> None:
    generator = np.random.default_rng(seed)
    shares = generator.dirichlet(np.full(classes, 0.3), 50)
    if hard:
        shares = np.eye(classes)[np.zeros(50, dtype=int)]
    floor = part / classes
    raised, acted = with_floor(shares, floor)
    assert raised.min() >= 0
    assert raised.sum(axis=1) == pytest.approx(np.ones(50))
    assert raised.mean(axis=0).min() >= floor * (1 - 1e-8)
    assert acted == (shares.mean(axis=0).min() < floor)


@pytest.mark.parametrize(
    "points",
    [
        np.column_stack([np.arange(30.0), np.full(30, 7.0)]),
        np.column_stack([np.arange(30.0), 2 * np.arange(30.0) + 1]),
        np.arange(30.0)[:, None] * 1e200,
        np.arange(30.0)[:, None] * 1e-200,
        np.where(np.arange(60.0).reshape(30, 2) % 7 == 0, np.nan, np.arange(60.0).reshape(30, 2)),
        np.full((30, 1), np.nan),
        np.empty((30, 0)),
    ],
    ids=["constant", "collinear", "huge", "tiny", "gaps", "all missing", "none"],
)
def test_regressors_of_awkward_points(points: np.ndarray) -> None:
    x = Regressors.fit(points).matrix(points)
    assert np.isfinite(x).all()
    y = Responses(np.tile([[0, 1], [1, 0], [1, 1]], (10, 1)), (2, 2))
    model = fit(x, y, 2, np.random.default_rng(1), starts=2)
    assert np.isfinite(model.log_likelihood)
    assert model.probabilities.min() >= 0


def test_the_order_of_records_does_not_matter_to_the_fit() -> None:
    x, y = drawn(1500)
    one = fit(x, y, 3, np.random.default_rng(1))
    order = np.random.default_rng(9).permutation(1500)
    other = fit(x[order], y.take(order), 3, np.random.default_rng(2))
    assert other.log_likelihood == pytest.approx(one.log_likelihood, rel=1e-6)
