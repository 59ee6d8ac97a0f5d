"""Predictors and responses on the scale of normal scores."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.models.sequential.scored import Scored, ScoredPredictors


def spells(rows: int = 3000) -> tuple[np.ndarray, np.ndarray]:
    """Income that three in ten do not have, heavy in the tail, and what it depends on."""
    rng = np.random.default_rng(3)
    x = rng.uniform(-1, 1, (rows, 1))
    income = np.exp(8 + 2 * x[:, 0] + rng.normal(0, 1, rows))
    return x, np.where(rng.random(rows) < 0.3 + 0.2 * x[:, 0], 0.0, income)


def test_zeros_means_signs_and_dependence_stay() -> None:
    x, y = spells()
    rng = np.random.default_rng(4)
    made = np.concatenate([Scored.drawn(x, y, rng).draw(x, rng) for _ in range(5)])
    assert (made == 0).mean() == pytest.approx((y == 0).mean(), abs=0.01)
    assert made.mean() == pytest.approx(y.mean(), rel=0.1)
    assert made.min() >= 0
    assert made.max() <= y.max()
    many = np.tile(x[:, 0], 5)
    kept = [np.corrcoef(a[v > 0], np.log(v[v > 0]))[0, 1] for a, v in ((x[:, 0], y), (many, made))]
    assert kept[1] == pytest.approx(kept[0], abs=0.03)
    share = [(v[a > 0.5] == 0).mean() for a, v in ((x[:, 0], y), (many, made))]
    assert share[1] == pytest.approx(share[0], abs=0.03)


def test_the_distribution_comes_back_whatever_the_predictors_are() -> None:
    rng = np.random.default_rng(5)
    x = np.where(rng.random((4000, 1)) < 0.1, 1.0, 0.0)
    y = np.exp(rng.normal(0, 1, 4000) + 6 * x[:, 0])
    made = Scored.drawn(x, y, rng).draw(x, rng)
    places = [0.05, 0.25, 0.5, 0.75, 0.95]
    assert np.log(np.quantile(made, places)) == pytest.approx(
        np.log(np.quantile(y, places)), abs=0.25
    )


def test_parameters_are_drawn() -> None:
    x, y = spells(200)
    rng = np.random.default_rng(6)
    slopes = [Scored.drawn(x, y, rng).score.coefficients[0] for _ in range(20)]
    assert 0.02 < np.std(slopes) < 0.5


def test_predictors_have_masses_and_missing_values_of_their_own() -> None:
    pay = [0.0] * 100 + list(range(1, 301)) + [None] * 5
    data = discreet.read({"pay": pay, "sex": ["f"] * 405})
    scored = ScoredPredictors.of(data, ["pay", "sex"]).table(data)
    assert len(scored.schema.names) == 4
    score, square, mass, sex = list(scored)
    assert sex.name == "sex"
    assert score.missing.sum() == square.missing.sum() == mass.missing.sum() == 5
    assert (score.values[:100] == 0).all()
    assert (mass.values[:100] == 0).all()
    assert (mass.values[100:400] == 1).all()
