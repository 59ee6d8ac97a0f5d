"""Counts by a model that may be overdispersed."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.models.sequential.count import Count

ROWS = 4000


def predictors(rows: int = ROWS, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((rows, 2))


@pytest.mark.parametrize("dispersion", [0.0, 0.8])
def test_counts_have_the_mean_and_the_variance_of_the_data(dispersion: float) -> None:
    x = predictors()
    generator = np.random.default_rng(9)
    mean = np.exp(0.8 + x @ [0.3, 0.0])
    rate = generator.gamma(1 / dispersion, dispersion * mean) if dispersion else mean
    y = generator.poisson(rate).astype(float)
    found = Count.drawn(x, y, generator)
    made = found.draw(x, generator)
    assert (made == np.floor(made)).all()
    assert (made >= 0).all()
    assert made.mean() == pytest.approx(y.mean(), rel=0.1)
    assert made.var() == pytest.approx(y.var(), rel=0.3)
    assert found.dispersion == pytest.approx(dispersion, abs=0.15)
