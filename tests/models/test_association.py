"""Association of columns of all kinds against plain twins, and near nothing where there is none."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency

import discreet
from discreet.models.association import associations, correlation_ratio, cramers_v


def test_cramers_v_is_that_of_the_table_but_for_chance() -> None:
    draw = np.random.default_rng(1)
    one = draw.integers(0, 4, 5_000)
    other = np.where(draw.random(5_000) < 0.5, one % 3, draw.integers(0, 3, 5_000))
    table = np.zeros((4, 3))
    np.add.at(table, (one, other), 1)
    squared = chi2_contingency(table).statistic / 5_000
    assert cramers_v(one, other) == pytest.approx(np.sqrt(squared / 2), abs=0.002)


def test_the_correlation_ratio_is_that_of_the_means_but_for_chance() -> None:
    draw = np.random.default_rng(2)
    codes = draw.integers(0, 5, 4_000)
    values = codes + draw.normal(0, 2, 4_000)
    means = np.array([values[codes == c].mean() for c in range(5)])[codes]
    plain = np.sqrt(means.var() / values.var())
    assert correlation_ratio(values, codes) == pytest.approx(plain, abs=0.005)


def test_columns_that_have_nothing_in_common_are_near_zero() -> None:
    draw = np.random.default_rng(3)
    many = [
        (
            cramers_v(draw.integers(0, 8, 300), draw.integers(0, 8, 300)),
            correlation_ratio(draw.normal(size=300), draw.integers(0, 8, 300)),
        )
        for _ in range(100)
    ]
    # Without the correction Cramér's V would be near √(7/300) = 0.15 on average, and so the ratio.
    assert np.mean(many, axis=0).max() < 0.06


def test_missing_values_and_columns_that_do_not_vary() -> None:
    data = discreet.read(
        {
            "a": [1.0, None, 3.0, 4.0, 7.0, 9.0],
            "b": ["x", "x", None, "y", "y", "y"],
            "c": ["k"] * 6,
        }
    )
    found = associations(data, ["a", "b", "c"])
    whole = data.take(np.array([0, 3, 4, 5]))
    assert found["a", "b"] == associations(whole, ["a", "b"])["a", "b"]
    assert np.isnan(found["a", "c"])
    assert np.isnan(found["b", "c"])
