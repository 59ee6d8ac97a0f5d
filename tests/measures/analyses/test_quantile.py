"""Weighted quantiles against the sorted list, and their errors against repeated samples."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.measures.analyses.quantile import Quantile


def plain(values: np.ndarray, weights: np.ndarray, share: float) -> float:
    """Walk along the sorted values until the weights reach the share."""
    walked = 0.0
    for value, weight in sorted(zip(values.tolist(), weights.tolist(), strict=True)):
        walked += weight
        if walked >= share * weights.sum() - 1e-9:
            return float(value)
    raise AssertionError


def test_each_domain_has_its_own_quantiles() -> None:
    draw = np.random.default_rng(1)
    pay, weight = draw.integers(0, 50, 300).astype(float), draw.integers(1, 9, 300).astype(float)
    sex = draw.choice(["f", "m"], 300)
    data = discreet.read({"pay": pay, "w": weight, "sex": sex}, roles={"w": "weight"})
    for share in (0.1, 0.5):
        found = Quantile(("pay",), at=share, by=("sex",)).figures(data)
        expected = [plain(pay[sex == s], weight[sex == s], share) for s in ("f", "m")]
        assert found.estimates.tolist() == expected
    assert found.labels[0] == "median of pay (sex = f)"


def test_missing_values_and_empty_domains() -> None:
    data = discreet.read({"pay": [1.0, None, 3.0], "sex": ["f", "m", "f"]})
    found = Quantile(("pay",), by=("sex",)).figures(data)
    assert found.estimates[0] == 1.0
    assert np.isnan(found.estimates[1])


def test_errors_are_those_of_repeated_samples() -> None:
    draw = np.random.default_rng(2)
    quantile = Quantile(("x",))
    figures = [quantile.figures(discreet.read({"x": draw.normal(size=200)})) for _ in range(200)]
    spread = np.std([figure.estimates[0] for figure in figures])
    assert np.mean([figure.errors[0] for figure in figures]) == pytest.approx(spread, rel=0.15)
