"""Moments of columns with gaps against pair-by-pair twins."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from discreet.models.moments import correlations, covariance, means, standard_deviations

LAW = settings(
    max_examples=50,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)

tables = hnp.arrays(
    np.float64,
    st.tuples(st.integers(2, 9), st.integers(1, 4)),
    elements=st.one_of(st.integers(-50, 50).map(float), st.just(math.nan)),
)


def pairs(values: np.ndarray, i: int, j: int) -> list[tuple[float, float]]:
    return [(r[i], r[j]) for r in values.tolist() if not (math.isnan(r[i]) or math.isnan(r[j]))]


@LAW
@given(tables)
def test_means_are_over_the_values_present(values: np.ndarray) -> None:
    found = means(values)
    for j in range(values.shape[1]):
        present = [v for v in values[:, j].tolist() if not math.isnan(v)]
        if present:
            assert found[j] == pytest.approx(statistics.fmean(present))
        else:
            assert math.isnan(found[j])


@LAW
@given(tables)
def test_covariances_are_over_the_pairs_present(values: np.ndarray) -> None:
    found = covariance(values)
    assert found == pytest.approx(found.T)
    for i in range(values.shape[1]):
        for j in range(values.shape[1]):
            both = pairs(values, i, j)
            expected = statistics.covariance(*zip(*both, strict=True)) if len(both) > 1 else 0.0
            assert found[i, j] == pytest.approx(expected, abs=1e-9)


@LAW
@given(tables)
def test_deviations_are_over_the_values_present(values: np.ndarray) -> None:
    found = standard_deviations(values)
    for j in range(values.shape[1]):
        present = [v for v in values[:, j].tolist() if not math.isnan(v)]
        expected = statistics.stdev(present) if len(present) > 1 else 0.0
        assert found[j] == pytest.approx(expected, abs=1e-6)


@LAW
@given(tables)
def test_correlations_are_over_the_pairs_present(values: np.ndarray) -> None:
    found = correlations(values)
    for i in range(values.shape[1]):
        for j in range(values.shape[1]):
            both = pairs(values, i, j)
            if len(both) < 2 or any(len(set(side)) == 1 for side in zip(*both, strict=True)):
                assert math.isnan(found[i, j])
            else:
                expected = statistics.correlation(*zip(*both, strict=True))
                assert found[i, j] == pytest.approx(expected)


def test_small_deviations_about_a_large_mean_are_not_lost() -> None:
    values = np.array([[1e9 + 1.0], [1e9 + 2.0], [1e9 + 3.0], [math.nan]])
    assert standard_deviations(values)[0] == pytest.approx(1.0, rel=1e-9)
