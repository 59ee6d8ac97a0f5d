"""Correlations behind ranks, and the order that others put categories in."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.models.copula import latent_correlations, ordered_categories


def levels(values: np.ndarray) -> np.ndarray:
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


@pytest.mark.parametrize("truth", [-0.7, 0.0, 0.4])
def test_ties_do_not_weaken_the_correlation(truth: float) -> None:
    rng = np.random.default_rng(1)
    both = rng.multivariate_normal([0, 0], [[1, truth], [truth, 1]], 5000)
    coarse = [levels(np.searchsorted([0.3], both[:, 0])), levels(np.floor(both[:, 1]))]
    assert latent_correlations(coarse, rng)[0, 1] == pytest.approx(truth, abs=0.06)
    fine = [levels(column) for column in both.T]
    assert latent_correlations(fine, rng)[0, 1] == pytest.approx(truth, abs=0.04)


def test_equal_and_constant_columns_are_correlations_still() -> None:
    rng = np.random.default_rng(2)
    x = levels(rng.normal(size=300))
    found = latent_correlations([x, x, np.zeros(300, dtype=np.int64)], rng)
    assert np.diag(found) == pytest.approx(1)
    assert np.linalg.eigvalsh(found).min() > 0
    assert found[0, 1] > 0.95


def test_categories_that_go_together_stand_together() -> None:
    rng = np.random.default_rng(3)
    hidden = rng.integers(0, 3, 600)
    first, second = (np.where(rng.random(600) < 0.8, hidden, rng.integers(0, 3, 600)) for _ in "ab")
    one, two = ordered_categories([first, second], np.empty((600, 0)))
    assert np.corrcoef(one, two)[0, 1] > 0.9
