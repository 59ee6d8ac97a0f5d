"""Moments come back from a plan as they were written there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import discreet
from discreet.errors import UsageError
from discreet.methods.perturbative.stated_moments import (
    covariance_entries,
    mean_entries,
    stated_covariance,
    stated_means,
)

HEAD = discreet.read({"a": [1.0], "b": [2.0], "c": [3.0]})
NAMES = ("a", "b", "c")
values = arrays(np.float64, (3, 3), elements=st.floats(-1e6, 1e6))


@given(root=values, order=st.permutations(NAMES))
def test_a_covariance_matrix_comes_back_in_any_order(root: np.ndarray, order: list[str]) -> None:
    sigma = root @ root.T
    at = [NAMES.index(name) for name in order]
    back = stated_covariance(covariance_entries(sigma, HEAD, NAMES), HEAD, order, "Noise")
    # Of two figures for a pair that differ in the last digit, the first is written.
    assert np.allclose(back, sigma[np.ix_(at, at)], rtol=1e-12)


@given(centre=arrays(np.float64, 3, elements=st.floats(-1e9, 1e9)))
def test_means_come_back(centre: np.ndarray) -> None:
    assert np.array_equal(stated_means(mean_entries(centre, HEAD, NAMES), HEAD, NAMES, "N"), centre)


def test_dates_are_in_days_whatever_the_file_counts_by() -> None:
    day = np.array(["2020-01-01"], dtype="datetime64[D]")
    days, moments = (
        discreet.read({"d": day.astype(u)}) for u in ("datetime64[D]", "datetime64[us]")
    )
    stated = {"d": {"d": 4.0}}
    by_moments = stated_covariance(stated, moments, ["d"], "Noise")
    assert by_moments[0, 0] == 4.0 * 86_400e6**2
    assert covariance_entries(by_moments, moments, ["d"]) == stated
    assert mean_entries(np.array([86_400e6]), moments, ["d"]) == {"d": 1.0}
    assert stated_covariance(stated, days, ["d"], "Noise")[0, 0] > 0


@pytest.mark.parametrize("wrong", [{}, {"a": "one"}, {"a": True}, {"a": float("nan")}])
def test_a_mean_that_is_no_number_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="a number for each treated column"):
        stated_means(wrong, HEAD, ["a"], "Noise")
