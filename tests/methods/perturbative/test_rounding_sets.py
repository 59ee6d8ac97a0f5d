"""Rounding sets: multiples of a base, and lists of points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.methods.perturbative.rounding_sets import nearest_point, neighbours

NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30)


@settings(deadline=None)
@given(NUMBERS, st.sampled_from([0.01, 0.1, 0.25, 1.0, 3.0, 10.0, 1000.0]))
def test_every_value_goes_to_the_nearest_multiple(values: list[float], base: float) -> None:
    now = nearest_point(np.array(values), base)
    steps = now / base
    assert steps == pytest.approx(np.rint(steps), abs=1e-6)
    assert (np.abs(now - values) <= base / 2 * (1 + 1e-9) + 1e-9).all()


@settings(deadline=None)
@given(NUMBERS, st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=6, unique=True))
def test_every_value_goes_to_the_nearest_point(values: list[float], points: list[float]) -> None:
    now = nearest_point(np.array(values), np.unique(points))
    least = np.abs(np.subtract.outer(values, points)).min(axis=1)
    assert set(now.tolist()) <= set(np.asarray(points).tolist())
    assert np.abs(now - values) == pytest.approx(least)


def test_multiples_of_a_tenth_are_written_as_tenths() -> None:
    assert nearest_point(np.array([0.31, 0.74, 1.14]), 0.1).tolist() == [0.3, 0.7, 1.1]
    assert neighbours(np.array([0.3]), 0.1)[0].tolist() == [0.3]
