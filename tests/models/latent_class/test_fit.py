"""Latent class regression: the likelihood, the parameters of known models, and the floor."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.contracts import Context, Randomness
from discreet.models.latent_class import LatentClassModel, choose, fit
from discreet.models.latent_class.fitting import with_floor
from discreet.models.latent_class.model import Responses, draw_rows
from discreet.models.latent_class.prior import Regressors, fit_priors, priors
from discreet.models.weight_floor import weight_floor

SIZES = (2, 3, 2, 4, 2, 3)


def known_model() -> LatentClassModel:
    """Three classes that six attributes tell apart well, told by two regressors."""
    strong = {2: [[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]],
              3: [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.2, 0.7]],
              4: [[0.7, 0.1, 0.1, 0.1], [0.1, 0.1, 0.2, 0.6], [0.1, 0.6, 0.2, 0.1]]}  # fmt: skip
    # The order of the classes differs from attribute to attribute.
    tables = [np.roll(np.array(strong[size]), j, axis=0).T for j, size in enumerate(SIZES)]
    coefficients = np.array([[0.3, -0.4], [1.0, -0.8], [0.0, 1.2]])
    return LatentClassModel(coefficients, np.vstack(tables), SIZES)


def drawn(rows: int, seed: int = 3) -> tuple[np.ndarray, Responses]:
    generator = np.random.default_rng(seed)
    x = np.column_stack([np.ones(rows), generator.standard_normal((rows, 2))])
    return x, Responses(known_model().draw(x, generator), SIZES)


def as_in_equation_12(
    model: LatentClassModel, x: np.ndarray, y: Responses
) -> tuple[float, np.ndarray]:
    """The log-likelihood and z_ig, record by record and class by class."""
    total, z = 0.0, np.zeros((len(y), model.classes))
    for i in range(len(y)):
        scores = [1.0, *(np.exp(x[i] @ model.coefficients[:, g]) for g in range(model.classes - 1))]
        for g in range(model.classes):
            z[i, g] = scores[g] / sum(scores)
            for j, code in enumerate(y.codes[i]):
                z[i, g] *= model.table(j)[code, g]
        total += np.log(z[i].sum())
        z[i] /= z[i].sum()
    return total, z


def matched(model: LatentClassModel, truth: LatentClassModel) -> list[int]:
    """The order of the fitted classes that is nearest to the truth."""
    return min(
        (list(order) for order in permutations(range(truth.classes))),
        key=lambda order: np.abs(model.probabilities[:, order] - truth.probabilities).sum(),
    )


def test_likelihood_and_posteriors_are_those_of_equation_12() -> None:
    model = known_model()
    x, y = drawn(40)
    total, z = as_in_equation_12(model, x, y)
    assert model.log_likelihoods(x, y).sum() == pytest.approx(total, rel=1e-12)
    assert model.posteriors(x, y) == pytest.approx(z, rel=1e-10)


def test_parameters_of_a_known_model_come_back() -> None:
    truth = known_model()
    x, y = drawn(8000)
    model = fit(x, y, 3, np.random.default_rng(1))
    order = matched(model, truth)
    assert model.settled
    assert np.abs(model.probabilities[:, order] - truth.probabilities).max() < 0.04
    full = np.column_stack([np.zeros(3), model.coefficients])[:, order]
    assert np.abs((full - full[:, :1])[:, 1:] - truth.coefficients).max() < 0.2
    assert model.log_likelihood >= truth.log_likelihoods(x, y).sum()


def test_bic_finds_the_number_of_classes() -> None:
    x, y = drawn(3000)
    model = choose(x, y, range(1, 6), 0.01, Context(Randomness(2)))
    assert model.classes == 3
    free = 3 * 2 + 3 * (sum(SIZES) - len(SIZES))
    assert model.free == free
    assert model.bic == pytest.approx(2 * model.log_likelihood - free * np.log(3000))


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


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(1e-6, 1.0), min_size=2, max_size=8),
    st.floats(0.0, 0.99),
)
def test_weight_floor_is_exact_and_keeps_the_order(sizes: list[float], part: float) -> None:
    weights = np.array(sizes) / sum(sizes)
    floor = part / len(weights)
    new = weight_floor(weights, floor)
    assert new.sum() == pytest.approx(1, rel=1e-9)
    if weights.min() >= floor:
        assert (new == weights).all()
    else:
        assert new.min() == floor
    order = np.argsort(weights, kind="stable")
    assert (np.diff(new[order]) >= -1e-12).all()


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


def test_priors_of_a_known_logit_come_back() -> None:
    generator = np.random.default_rng(8)
    x = np.column_stack([np.ones(20_000), generator.standard_normal((20_000, 2))])
    truth = np.array([[0.5, -1.0], [1.5, 0.2], [-0.7, 0.9]])
    classes = draw_rows(priors(x, truth), generator.random(20_000))
    found = fit_priors(x, np.eye(3)[classes], np.zeros((3, 2)), 30)
    assert np.abs(found - truth).max() < 0.08
    # The score equation of the constant: the mean prior of each class is its share.
    assert priors(x, found).mean(axis=0) == pytest.approx(np.bincount(classes) / 20_000, rel=1e-8)


def test_classes_that_points_tell_apart_completely_do_no_harm() -> None:
    points = np.concatenate([np.linspace(-3, -1, 60), np.linspace(1, 3, 60)])[:, None]
    x = Regressors.fit(points).matrix(points)
    found = fit_priors(x, np.eye(2)[(points[:, 0] > 0).astype(int)], np.zeros((2, 1)), 50)
    assert np.isfinite(found).all()
    assert priors(x, found)[0] == pytest.approx([1, 0], abs=1e-3)


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
