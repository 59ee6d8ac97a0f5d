"""Calibrated weights: totals hold exactly, and no nearer weights do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import DataError
from discreet.models.calibration import calibrated, controls
from discreet.testing.tables import ordinary


def problem(seed: int, rows: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    weights = rng.uniform(1, 5, rows)
    terms = np.column_stack(
        [
            np.ones(rows),
            rng.normal(1e6, 1e5, rows),
            np.arange(rows) % 3 == 0,
            np.arange(rows) % 3 > 0,
        ]
    ).astype(float)
    # The last two add up to the first: totals that agree must do no harm.
    return weights, terms, terms.T @ (weights * rng.uniform(0.8, 1.3, rows))


@pytest.mark.parametrize("method", ["linear", "raking"])
@settings(deadline=None)
@given(seed=st.integers(0, 10_000))
def test_totals_hold(method: str, seed: int) -> None:
    weights, terms, totals = problem(seed)
    found = calibrated(weights, terms, totals, method)
    assert terms.T @ found == pytest.approx(totals, rel=1e-8)
    if method == "raking":
        assert (found > 0).all()


def test_linear_weights_are_the_nearest_in_squares() -> None:
    from scipy.optimize import LinearConstraint, minimize

    weights, terms, totals = problem(1, 12)
    terms, totals = terms[:, :3] / [1, 1e6, 1], totals[:3] / [1, 1e6, 1]
    found = calibrated(weights, terms, totals, "linear")
    best: Any = minimize(  # type: ignore[call-overload]
        lambda w: float(((w - weights) ** 2 / weights).sum()),
        weights,
        constraints=LinearConstraint(terms.T, totals, totals),
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert found == pytest.approx(best.x, abs=1e-4)


def test_raked_weights_are_iterative_proportional_fitting_on_margins() -> None:
    rng = np.random.default_rng(2)
    rows, columns = rng.integers(0, 3, 200), rng.integers(0, 2, 200)
    weights = rng.uniform(1, 2, 200)
    terms = np.hstack([np.eye(3)[rows], np.eye(2)[columns]])
    totals = np.array([100.0, 120.0, 80.0, 140.0, 160.0])
    fitted = weights.copy()
    for _ in range(200):
        for codes, wanted in ((rows, totals[:3]), (columns, totals[3:])):
            fitted *= (wanted / np.bincount(codes, weights=fitted))[codes]
    assert calibrated(weights, terms, totals, "raking") == pytest.approx(fitted, rel=1e-7)


def test_weights_that_fit_already_stay() -> None:
    weights, terms, _ = problem(3)
    for method in ("linear", "raking"):
        same = calibrated(weights, terms, terms.T @ weights, method)
        assert same == pytest.approx(weights, rel=1e-12)


def test_raking_is_told_from_linear_where_weights_would_turn_negative() -> None:
    terms = np.column_stack([np.ones(3), [0.0, 1.0, 10.0]])
    totals = np.array([3.0, 1.0])
    assert calibrated(np.ones(3), terms, totals, "linear").min() < 0
    assert calibrated(np.ones(3), terms, totals, "raking").min() > 0


def test_totals_that_cannot_be_reached_are_refused() -> None:
    terms = np.column_stack([np.ones(2), [1.0, 1.0]])
    for method in ("linear", "raking"):
        with pytest.raises(DataError, match=f"calibration by the {method} method cannot reach"):
            calibrated(np.ones(2), terms, np.array([2.0, 3.0]), method)
    with pytest.raises(DataError, match="cannot reach the chosen totals with 2 records"):
        calibrated(np.ones(2), np.array([[1.0], [2.0]]), np.array([-1.0]), "raking")


def test_controls_count_missing_values_as_a_category() -> None:
    data = ordinary()
    terms, names = controls(data, ["height", "town"])
    assert names == [
        "records", "height", "town = missing", "town = Ayle", "town = Bron", "town = Cull",
        "town = Dorn",
    ]  # fmt: skip
    assert terms[:, 2:].sum(axis=1).tolist() == [1.0] * len(data)
    assert terms[:, 1].sum() == pytest.approx(np.nansum(data["height"]))
