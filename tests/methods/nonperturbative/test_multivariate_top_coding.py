"""Multivariate top coding: who is moved, where to, and who stays."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

import discreet
from discreet.contracts import Context, Masked
from discreet.errors import DataError
from discreet.methods.nonperturbative.multivariate_top_coding import MultivariateTopCoding
from discreet.microdata import Microdata
from discreet.models.robust_moments import RobustMoments

ROLES = {"x": "quasi-identifier", "y": "quasi-identifier"}


def table(n: int = 400) -> Microdata:
    draw = np.random.default_rng(2)
    x = draw.normal(size=n)
    y = 0.9 * x + 0.4 * draw.normal(size=n)
    x[0], y[0] = 1.5, -1.5  # neither value is extreme
    return discreet.read({"x": x, "y": y}, roles=ROLES)


def coded(data: Microdata, **parameters: float) -> Masked:
    return MultivariateTopCoding(**parameters).protect(data, Context())  # type: ignore[arg-type]


def test_a_record_that_is_far_only_by_both_columns_together() -> None:
    data = table()
    now = coded(data, alpha=0.001).data
    moved = np.flatnonzero(now["x"] != data["x"])
    assert moved[0] == 0
    assert len(moved) <= 3
    assert abs(now["x"][0]) < 1.5
    assert abs(now["y"][0]) < 1.5


def test_beside_the_formula_record_by_record() -> None:
    data = table()
    values = data.matrix(["x", "y"])
    now = coded(data, alpha=0.2)
    moments = RobustMoments.of(values)
    m, c = moments.centre, moments.covariance * np.outer(moments.spread, moments.spread)
    q = chi2.ppf(0.8, 2)
    far = 0
    for x, y in zip(values, now.data.matrix(["x", "y"]), strict=True):
        d = (x - m) @ np.linalg.solve(c, x - m)
        if d <= q:
            assert (x == y).all()
        else:
            far += 1
            assert y == pytest.approx(m + (x - m) * np.sqrt(q / d))
            assert (y - m) @ np.linalg.solve(c, y - m) == pytest.approx(q)
    assert now.notes == (f"{far} of 400 records were drawn in to the ellipse",)


def test_what_is_present_of_a_record_is_compared_with_its_own_columns() -> None:
    data = table()
    y = data["y"].copy()
    y[:2] = np.nan
    x = data["x"].copy()
    x[1] = 50.0
    data = data.replace([data.column("x").with_values(x), data.column("y").with_values(y)])
    now = coded(data, alpha=0.05).data
    assert np.isnan(now["y"][:2]).all()
    assert now["x"][0] == 1.5, "not far in x alone"
    spread = np.std(data["x"][2:])
    assert 1.7 * spread < now["x"][1] < 2.3 * spread


def test_constant_columns_stay_and_too_few_records_are_refused() -> None:
    few = discreet.read({"x": [1, 2, 3, 9], "y": [1, 1, 1, 1]}, roles=ROLES)
    assert coded(few, alpha=0.01).data["y"].tolist() == [1, 1, 1, 1]
    with pytest.raises(DataError, match="at least 6 different records"):
        coded(discreet.read({"x": [1, 2, 3], "y": [2, 5, 1]}, roles=ROLES))
