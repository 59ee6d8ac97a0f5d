"""EM: against scikit-learn, recovery of parameters, the floor under the weights, long tails."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import multivariate_t
from sklearn.mixture import GaussianMixture as Reference

from discreet.models.mixture.em import Mixture, fit
from discreet.models.mixture.families import FAMILIES
from discreet.models.mixture.starting import agglomerate

Numbers = NDArray[np.float64]
WEIGHTS = np.array([0.2, 0.3, 0.5])
MEANS = np.array([[0.0, 0.0], [6.0, 1.0], [1.0, 7.0]])
COVARIANCES = np.array([[[1.0, 0.6], [0.6, 1.0]], [[2.0, -0.5], [-0.5, 0.5]], [[0.4, 0], [0, 1.5]]])


def _drawn(n: int, seed: int) -> tuple[Numbers, NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    labels = rng.choice(3, n, p=WEIGHTS)
    roots = np.linalg.cholesky(COVARIANCES)
    noise = np.einsum("nij,nj->ni", roots[labels], rng.normal(size=(n, 2)))
    return MEANS[labels] + noise, labels


@pytest.mark.parametrize(
    ("family", "kind"), [("VII", "spherical"), ("VVI", "diag"), ("EEE", "tied"), ("VVV", "full")]
)
def test_same_likelihood_as_scikit_learn_from_the_same_start(family: str, kind: str) -> None:
    points, labels = _drawn(400, 3)
    rng = np.random.default_rng(4)
    start = np.where(rng.random(400) < 0.3, rng.integers(0, 3, 400), labels)
    first = fit(points, start, family, most_steps=1)
    precisions = np.linalg.inv(first.covariances)
    given_precisions = {
        "spherical": precisions[:, 0, 0],
        "diag": np.einsum("gii->gi", precisions),
        "tied": precisions[0],
        "full": precisions,
    }[kind]
    reference = Reference(
        3, covariance_type=kind, weights_init=first.weights, means_init=first.means,
        precisions_init=given_precisions, tol=1e-12, max_iter=5000, reg_covar=1e-10,
    ).fit(points)  # fmt: skip
    found = fit(points, start, family, tolerance=1e-14, most_steps=5000)
    assert found.log_likelihood == pytest.approx(400 * reference.score(points), rel=1e-8)
    assert np.allclose(found.means, reference.means_, atol=1e-4)
    assert found.bic == pytest.approx(-reference.bic(points), rel=1e-8) or family == "EEE"
    densities = found.log_densities(points)
    assert np.allclose(np.logaddexp.reduce(densities, axis=1), reference.score_samples(points),
                       atol=1e-4)  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES)
def test_the_likelihood_never_falls(family: str) -> None:
    points, labels = _drawn(150, 8)
    start = np.random.default_rng(1).permutation(labels)
    reached = [
        fit(points, start, family, most_steps=steps, tolerance=0.0).log_likelihood
        for steps in (1, 2, 3, 5, 9, 17, 33)
    ]
    assert all(b >= a - 1e-7 * abs(a) for a, b in pairwise(reached))


def test_parameters_of_a_known_mixture_come_back() -> None:
    points, _ = _drawn(6000, 1)
    start = agglomerate(points[:600]).cut(3)
    found = fit(points, fit(points[:600], start, "VVV"), "VVV")
    order = [int(((found.means - mean) ** 2).sum(axis=1).argmin()) for mean in MEANS]
    assert sorted(order) == [0, 1, 2]
    assert np.allclose(found.weights[order], WEIGHTS, atol=0.02)
    assert np.allclose(found.means[order], MEANS, atol=0.1)
    assert np.allclose(found.covariances[order], COVARIANCES, atol=0.15)
    assert found.settled
    assert not found.held


@pytest.mark.parametrize("family", ["VEV", "EVE", "VVE", "EEV", "VEE", "EVI"])
def test_constrained_covariances_come_back(family: str) -> None:
    """Data drawn from a member of the family; the estimate finds the covariances again."""
    rng = np.random.default_rng(2)
    raw = rng.normal(size=(2, 3, 9)) * np.array([1.0, 2.0])[:, None, None]
    scatters = raw @ raw.transpose(0, 2, 1)
    true = FAMILIES[family].estimate(scatters, np.array([9.0, 9.0]), None)
    labels = np.repeat([0, 1], 4000)
    roots = np.linalg.cholesky(true)
    points = np.einsum("nij,nj->ni", roots[labels], rng.normal(size=(8000, 3)))
    points += np.where(labels, 30.0, 0.0)[:, None]
    found = fit(points, labels, family)
    assert np.allclose(found.covariances, true, atol=0.12 * np.abs(true).max())


def test_degrees_of_freedom_come_back() -> None:
    rng = np.random.default_rng(6)
    shape = np.array([[1.0, 0.4], [0.4, 2.0]])
    points = np.concatenate([
        multivariate_t([0, 0], shape, df=5, seed=rng).rvs(3000),
        multivariate_t([20, 0], shape, df=5, seed=rng).rvs(2000),
    ])  # fmt: skip
    labels = np.repeat([0, 1], [3000, 2000])
    found = fit(points, labels, "EEE", student=True)
    assert found.freedom == pytest.approx(5, rel=0.2)
    assert np.allclose(found.covariances[0], shape, rtol=0.12, atol=0.05)
    normal = fit(points, labels, "EEE")
    assert found.bic > normal.bic
    assert found.parameters == normal.parameters + 1


def test_normal_data_have_many_degrees_of_freedom() -> None:
    points, labels = _drawn(3000, 5)
    assert fit(points, labels, "VVV", student=True).freedom > 30


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 5))
def test_no_weight_of_a_fitted_mixture_is_below_the_floor(seed: int, clusters: int) -> None:
    rng = np.random.default_rng(seed)
    points = np.concatenate([rng.normal(0, 1, (95, 2)), rng.normal(40, 0.1, (5, 2))])
    floor = 0.9 / clusters
    for family in ("EII", "VVV"):
        found = fit(points, agglomerate(points).cut(clusters), family, floor)
        assert found.weights.min() >= floor
        assert found.weights.sum() == pytest.approx(1)
    free = fit(points, agglomerate(points).cut(2), "VVV")
    assert free.weights.min() == pytest.approx(0.05), "without a floor EM finds the five records"


def test_a_flat_cluster_is_held_up_and_said_so() -> None:
    rng = np.random.default_rng(1)
    flat = np.column_stack([rng.normal(size=50), np.zeros(50)])
    points = np.concatenate([flat, rng.normal(5, 1, (50, 2))])
    found = fit(points, np.repeat([0, 1], 50), "VVV")
    assert found.held
    assert np.isfinite(found.log_likelihood)
    assert not fit(points, np.repeat([0, 1], 50), "EII").held


def test_bic_is_that_of_equation_six() -> None:
    mixture = Mixture("VVV", np.array([0.5, 0.5]), np.zeros((2, 3)), np.zeros((2, 3, 3)),
                      log_likelihood=-100.0, records=50)  # fmt: skip
    assert mixture.parameters == 2 * (3 + 3 * 4 // 2 + 1) - 1  # §3: G(d + d(d+1)/2 + 1) − 1
    assert mixture.bic == pytest.approx(-200 - 19 * np.log(50))
