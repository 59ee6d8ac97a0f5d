"""Weights are raised to a floor, exactly and in their order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.models.weight_floor import weight_floor


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(1e-6, 1.0), min_size=2, max_size=8),
    st.floats(0.0, 0.99),
)
def test_weight_floor_is_exact_and_keeps_the_order(sizes: list[float], part: float) -> None:
    weights = np.array(sizes) / sum(sizes)
    floor = part / len(weights)
    new = weight_floor(weights, floor)
    assert new.sum() == pytest.approx(1, rel=1e-9)
    if weights.min() >= floor:
        assert (new == weights).all()
    else:
        assert new.min() == floor
    order = np.argsort(weights, kind="stable")
    assert (np.diff(new[order]) >= -1e-12).all()


@given(
    st.lists(st.floats(0.0, 1.0), min_size=2, max_size=8).filter(lambda w: sum(w) > 0.01),
    st.floats(0.001, 0.999),
)
def test_floor_is_exact_and_keeps_the_order(weights: list[float], share: float) -> None:
    before = np.array(weights) / sum(weights)
    floor = share / len(before)
    after = weight_floor(before, floor)
    assert after.sum() == pytest.approx(1)
    assert after.min() >= floor
    if before.min() < floor:
        assert after.min() == pytest.approx(floor, rel=1e-12)
    assert (np.diff(after[np.argsort(before, kind="stable")]) >= -1e-15).all()
