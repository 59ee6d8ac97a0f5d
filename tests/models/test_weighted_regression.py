"""Weighted regressions: against closed forms and scikit-learn, and where nothing is determined."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.models.survey_design import SurveyDesign
from discreet.models.weighted_regression import linear, logistic


def design_of(weights: np.ndarray) -> SurveyDesign:
    rows = len(weights)
    return SurveyDesign(weights, np.zeros(rows, dtype=np.int64), np.arange(rows))


def some(seed: int, rows: int = 200) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    draw = np.random.default_rng(seed)
    x = np.column_stack([np.ones(rows), draw.normal(size=(rows, 2)) * [1.0, 50.0]])
    return x, draw.uniform(0.5, 3, rows), draw.normal(size=rows)


@pytest.mark.parametrize("seed", range(3))
def test_linear_against_the_normal_equations_and_the_plain_sandwich(seed: int) -> None:
    x, w, noise = some(seed)
    y = x @ [1.0, 2.0, -0.1] + noise
    estimates, errors = linear(x, y, design_of(w))
    gram = x.T @ (w[:, None] * x)
    slow = np.linalg.solve(gram, x.T @ (w * y))
    parts = x * (w * (y - x @ slow))[:, None]
    meat = parts.T @ parts * len(y) / (len(y) - 1)
    inverse = np.linalg.inv(gram)
    assert estimates == pytest.approx(slow)
    assert errors == pytest.approx(np.sqrt(np.diag(inverse @ meat @ inverse)))


def test_logistic_against_scikit_learn() -> None:
    from sklearn.linear_model import LogisticRegression

    x, w, noise = some(1, 500)
    y = (x @ [0.3, 1.0, 0.02] + noise > 0).astype(np.float64)
    estimates, errors = logistic(x, y, design_of(w))
    reference = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-10, max_iter=1000)
    assert estimates == pytest.approx(reference.fit(x, y, w).coef_[0], rel=1e-3)
    assert (errors > 0).all()


def test_a_weight_counts_as_so_many_records() -> None:
    x, _, noise = some(2, 50)
    y = x @ [1.0, 2.0, 0.1] + noise
    twice = np.vstack([x, x])
    estimates, _ = linear(x, y, design_of(np.full(50, 2.0)))
    assert estimates == pytest.approx(
        linear(twice, np.concatenate([y, y]), design_of(np.ones(100)))[0]
    )


def test_what_is_not_determined_is_nan() -> None:
    x, w, noise = some(3)
    doubled = np.column_stack([x, x[:, 1], np.zeros(len(x))])
    estimates, errors = linear(doubled, noise, design_of(w))
    assert np.isnan(estimates[[1, 3, 4]]).all()
    assert np.isnan(errors[[1, 3, 4]]).all()
    assert np.isfinite(estimates[[0, 2]]).all()


def test_separated_categories_have_no_odds() -> None:
    x = np.column_stack([np.ones(6), [1.0, 2, 3, 4, 5, 6]])
    estimates, errors = logistic(x, np.array([0.0, 0, 0, 1, 1, 1]), design_of(np.ones(6)))
    assert np.isnan(estimates).all()
    assert np.isnan(errors).all()
    assert np.isnan(logistic(x, np.ones(6), design_of(np.ones(6)))[0]).all()


def test_incomplete_rows_are_left_out() -> None:
    x, w, noise = some(4)
    y = x @ [1.0, 2.0, 0.1] + noise
    gaps = y.copy()
    gaps[:20] = np.nan
    assert linear(x, gaps, design_of(w))[0] == pytest.approx(
        linear(x[20:], y[20:], design_of(w[20:]))[0]
    )
