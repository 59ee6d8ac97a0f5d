"""The sums of EM against their definition: probabilities by Bayes' rule, then plain sums."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal, multivariate_t

from discreet.kernels.mixture_sums import about_means, expected_sums


@pytest.mark.parametrize("freedom", [np.inf, 4.0])
@pytest.mark.parametrize(("n", "d", "clusters"), [(1, 1, 1), (130, 2, 3), (256, 5, 2)])
def test_as_by_the_definition(n: int, d: int, clusters: int, freedom: float) -> None:
    rng = np.random.default_rng(n)
    points, means = rng.normal(size=(n, d)), rng.normal(size=(clusters, d))
    roots = rng.normal(size=(clusters, d, 2 * d))
    covariances, weights = roots @ roots.transpose(0, 2, 1), rng.dirichlet(np.ones(clusters))
    densities = np.column_stack([
        w * (multivariate_normal(m, c).pdf(points) if np.isinf(freedom)
             else multivariate_t(m, c, df=int(freedom)).pdf(points)).reshape(n)
        for w, m, c in zip(weights, means, covariances, strict=True)
    ])  # fmt: skip
    z = densities / densities.sum(axis=1, keepdims=True)
    apart = points[:, None] - means
    squared = np.einsum("ngi,gij,ngj->ng", apart, np.linalg.inv(covariances), apart)
    u = np.ones_like(z) if np.isinf(freedom) else (freedom + d) / (freedom + squared)
    sizes, counts = np.empty(clusters), np.empty(clusters)
    totals, scatters = np.empty((clusters, d)), np.empty((clusters, d, d))
    likelihood, spared = expected_sums(
        np.ascontiguousarray(points.T), weights, means, covariances, freedom,
        sizes, counts, totals, scatters,
    )  # fmt: skip
    assert likelihood == pytest.approx(np.log(densities.sum(axis=1)).sum())
    np.testing.assert_allclose(sizes, z.sum(axis=0))
    np.testing.assert_allclose(counts, (z * u).sum(axis=0))
    np.testing.assert_allclose(totals, (z * u).T @ points, atol=1e-12)
    slow = np.einsum("ng,ni,nj->gij", z * u, points, points)
    np.testing.assert_allclose(scatters, slow, atol=1e-12)
    if not np.isinf(freedom):
        assert spared == pytest.approx((z * (np.log(u) - u)).sum() / n)


def test_scatters_about_the_means_and_about_a_place_that_is_kept() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(40, 2))
    z = np.column_stack([rng.random(40), np.full(40, 1e-15)])
    counts, totals = z.sum(axis=0), z.T @ x
    scatters = np.einsum("ng,ni,nj->gij", z, x, x)
    means, added = np.array([[9.0, 9.0], [2.0, 3.0]]), np.array([0.5, 0.25])
    sizes, weights = counts.copy(), np.empty(2)
    about_means(sizes, counts, totals, scatters, added, means, weights, True)
    np.testing.assert_array_equal(sizes, [counts[0], 1e-8])
    np.testing.assert_allclose(weights, sizes / sizes.sum())
    np.testing.assert_allclose(means, [totals[0] / counts[0], [2.0, 3.0]])
    apart = x[:, None] - means
    slow = np.einsum("ng,ngi,ngj->gij", z, apart, apart)
    slow += sizes[:, None, None] * np.diag(added)
    np.testing.assert_allclose(scatters, slow, rtol=1e-9)
