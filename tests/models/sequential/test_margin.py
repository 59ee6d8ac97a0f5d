"""The distribution of a column: masses, scores, and the way back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from discreet.models.sequential.margin import AVERAGED, Margin

FINITE = st.floats(-1e300, 1e300, allow_nan=False, allow_infinity=False)


def test_values_that_many_records_share_are_masses() -> None:
    rng = np.random.default_rng(1)
    values = np.r_[np.zeros(500), np.full(30, 9999.0), np.full(10, 77.0), rng.normal(50, 9, 460)]
    margin = Margin.of(values)
    assert margin.masses.tolist() == [0.0, 9999.0]
    assert margin.classes == 3
    assert margin.codes(np.array([0.0, 9999.0, 77.0])).tolist() == [0, 1, 2]


def test_a_scale_of_whole_numbers_is_no_mixture_of_masses() -> None:
    values = np.repeat(np.arange(20, 60), 25).astype(float)
    assert not len(Margin.of(values).masses)
    few = np.repeat([1.0, 2.0, 3.0, 4.0], [10, 20, 30, 40])
    assert Margin.of(few).masses.tolist() == [1.0, 2.0, 3.0, 4.0]


def test_scores_are_normal_and_values_come_back() -> None:
    values = np.random.default_rng(2).lognormal(8, 2, 4000)
    margin = Margin.of(values)
    scores = margin.scores(values)
    assert scores.mean() == pytest.approx(0, abs=1e-9)
    assert scores.std() == pytest.approx(1, abs=0.01)
    back = margin.values(scores)
    assert np.abs(np.log(back) - np.log(values)).mean() < 0.01
    # The mean survives heavy tails, and the largest value is that of five people.
    assert back.mean() == pytest.approx(values.mean(), rel=0.01)
    assert back.max() == pytest.approx(np.sort(values)[-AVERAGED:].mean())


@settings(max_examples=60, deadline=None)
@given(arrays.arrays(np.float64, st.integers(1, 60), elements=FINITE), st.integers(0, 99))
def test_no_value_leaves_the_range_of_the_file(values: np.ndarray, seed: int) -> None:
    margin = Margin.of(values)
    codes = margin.codes(values)
    assert ((codes >= 0) & (codes < margin.classes)).all()
    if len(margin.ordered):
        made = margin.values(np.random.default_rng(seed).normal(0, 3, 50))
        assert made.min() >= margin.ordered[0]
        assert made.max() <= margin.ordered[-1]
