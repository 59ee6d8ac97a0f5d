"""Regression fit against plain least squares, and the least squares that it rests on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import Microdata
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.errors import NotApplicable

FIT: Any = build("measure", "regression-fit")


def fit(before: Microdata, after: Microdata) -> Any:
    return FIT.score(before, after, Context())


def test_two_columns_by_hand() -> None:
    before = discreet.read({"x": [1, 2, 3, 4], "y": [1, 3, 2, 4]})
    after = discreet.read({"x": [1, 2, 3, 4], "y": [2, 3, 2, 3]})
    found = fit(before, after)
    # Sxx = 5, Sxy = 4 → 1, Syy = 5 → 1. Slopes of y on x: 0.8 → 0.2, of x on y: 0.8 → 1.
    regressions = found.detail["regressions"]
    assert regressions["y"]["coefficients"] == pytest.approx(0.75)
    assert regressions["x"]["coefficients"] == pytest.approx(0.25)
    assert found.value == pytest.approx(0.5)
    # Residual sums of squares of y on x: 5 − 16/5 = 1.8 → 1 − 1/5 = 0.8.
    assert regressions["y"]["standard errors"] == pytest.approx(1 - np.sqrt(0.8 / 1.8))
    assert regressions["y"]["R² before"] == pytest.approx(0.64)
    assert regressions["y"]["R² after"] == pytest.approx(0.2)


def test_slopes_do_not_depend_on_units() -> None:
    rng = np.random.default_rng(2)
    x, y, z = rng.normal(size=(3, 40))
    shifted = {"x": 1000 * x + 5, "y": y / 7 - 3, "z": z}
    noisy = {"x": x + rng.normal(size=40) / 9, "y": y, "z": z}
    one = fit(discreet.read({"x": x, "y": y, "z": z}), discreet.read(noisy))
    other = fit(discreet.read(shifted), discreet.read({**shifted, "x": 1000 * noisy["x"] + 5}))
    assert one.value == pytest.approx(other.value, rel=1e-8)


def test_the_same_means_and_covariances_change_no_coefficient() -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=(50, 3)) @ rng.normal(size=(3, 3)) + 5
    y = rng.normal(size=(50, 3))
    y -= y.mean(axis=0)
    y = y @ np.linalg.inv(np.linalg.cholesky(np.cov(y.T))).T
    y = y @ np.linalg.cholesky(np.cov(x.T)).T + x.mean(axis=0)
    before, after = (discreet.read(dict(zip("abc", v.T, strict=True))) for v in (x, y))
    found = fit(before, after)
    assert found.value == pytest.approx(0, abs=1e-9)
    assert found.detail["standard errors"] == pytest.approx(0, abs=1e-9)


def test_dependent_columns_are_left_out_and_counted() -> None:
    rng = np.random.default_rng(5)
    a, b, c = rng.normal(size=(3, 30))
    data = discreet.read({"a": a, "b": b, "sum": a + b, "c": c})
    found = fit(data, data)
    assert found.value == 0
    # Only the regression of c has coefficients that are not determined: those of a, b and sum.
    assert found.detail["left out"] >= 3
    assert "coefficients left out" in found.note


def test_what_cannot_be_measured_is_said() -> None:
    one = discreet.read({"x": [1, 2, 3]})
    with pytest.raises(NotApplicable, match="a continuous column and another one"):
        fit(one, one)
    few = discreet.read({"x": [1, 2], "y": [2, 1], "z": [3, 3]})
    with pytest.raises(NotApplicable, match="too few records"):
        fit(few, few)


def test_rare_categories_are_joined() -> None:
    rng = np.random.default_rng(6)
    data = discreet.read(
        {"x": rng.normal(size=80), "y": rng.normal(size=80), "code": [f"c{i}" for i in range(80)]}
    )
    found = fit(data, data)
    assert found.detail["rare categories joined"] == ["code"]
    assert "rare categories count as one in code" in found.note


def test_what_only_the_release_does_not_determine_is_lost() -> None:
    rng = np.random.default_rng(7)
    x, z = rng.normal(size=(2, 60))
    data = {"x": x, "y": x + rng.normal(size=60), "z": z}
    before = discreet.read(data)
    stars = fit(before, discreet.read({**data, "x": ["*"] * 60}))
    # All of the regression of x, and its coefficient in the two others.
    assert stars.parts["x",] == pytest.approx(1)
    assert "says nothing about x" in stars.note
    flat = fit(before, discreet.read({name: np.full(60, v.mean()) for name, v in data.items()}))
    assert flat.value == pytest.approx(1)


def test_labels_are_drawn_from() -> None:
    rng = np.random.default_rng(8)
    x = rng.integers(0, 100, 3000)
    data = {"x": x, "y": 2.0 * x + rng.normal(0, 5, 3000)}
    narrow, wide = (
        {**data, "x": [f"{v // w * w}–{v // w * w + w - 1}" for v in x.tolist()]} for w in (5, 50)
    )
    before = discreet.read(data)
    losses = [fit(before, discreet.read(table)).value for table in (narrow, wide)]
    assert 0 < losses[0] < 0.02 < losses[1] < 0.5


def test_thyroid_loses_more_with_larger_groups(reference_data: Path) -> None:
    names = ["age", "TSH", "T3", "T4U", "FTI"]
    roles = dict.fromkeys(names, "quasi-identifier")
    data = discreet.read(reference_data / "thyroid_complete_1947.csv", roles=roles)
    data = data.drop([name for name in data.schema.names if name not in names])
    found = []
    for k in (3, 20):
        method = discreet.Microaggregation(discreet.partition.MDAV(k=k))
        release = discreet.protect(data, method, seed=1)
        found.append(fit(data, release.data))
    assert 0 < found[0].value < found[1].value
    assert 0 < found[0].detail["standard errors"] < found[1].detail["standard errors"] < 0.05
