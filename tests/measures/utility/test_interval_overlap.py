"""Overlap of confidence intervals by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build, find
from discreet.errors import NotApplicable
from discreet.measures.utility.interval_overlap import overlaps

OVERLAP: Any = build("measure", "interval-overlap")


def score(before: Any, after: Any, measure: Any = OVERLAP) -> Any:
    return measure.score(discreet.read(before), discreet.read(after), Context())


def overlap(one: float, error: float, other: float, other_error: float) -> float:
    first, first_error, second, second_error = np.array([[one], [error], [other], [other_error]])
    return float(overlaps(first, first_error, second, second_error, 1.0)[0])


def test_intervals_by_hand() -> None:
    assert overlap(0, 1, 0, 1) == 1
    assert overlap(0, 1, 1, 1) == pytest.approx(0.5)
    assert overlap(0, 1, 5, 1) == 0
    assert overlap(0, 2, 0, 1) == pytest.approx((2 / 4 + 2 / 2) / 2)
    assert overlap(0, 1, 0.5, 0) == pytest.approx((0 + 1) / 2)  # a point inside
    assert overlap(3, 0, 3, 0) == 1
    assert overlap(3, 0, 4, 0) == 0


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(*[st.floats(-5, 5)] * 2, *[st.floats(0, 3)] * 2)
def test_overlaps_are_shares_and_symmetric(a: float, b: float, s: float, t: float) -> None:
    found = overlap(a, s, b, t)
    assert 0 <= found <= 1
    assert found == pytest.approx(overlap(b, t, a, s))


def test_means_by_hand() -> None:
    found = score({"x": [0, 4, 0, 4]}, {"x": [2, 6, 2, 6]})
    half = 1.959963984540054 * np.std([0, 4, 0, 4], ddof=1) / 2
    assert found.detail["means"]["x"] == pytest.approx((2 * half - 2) / (2 * half))
    assert found.detail["regressions"] == {}
    assert found.value == found.detail["means"]["x"]


def test_narrower_intervals_overlap_less() -> None:
    narrow: Any = find("measure", "interval-overlap")(level=0.5)
    before, after = {"x": [0, 4, 0, 4]}, {"x": [1, 5, 1, 5]}
    assert score(before, after, narrow).value < score(before, after).value


def test_coefficients_by_hand() -> None:
    before = {"x": [1, 2, 3, 4], "y": [1, 3, 2, 4]}
    after = {"x": [1, 2, 3, 4], "y": [2, 3, 2, 3]}
    found = score(before, after)
    # Slopes of y on x: 0.8 ± z·√(0.9/5) and 0.2 ± z·√(0.4/5).
    z = 1.959963984540054
    slopes, errors = np.array([[0.8], [0.2]]), np.sqrt([[0.18], [0.08]])
    expected = overlaps(slopes[0], errors[0], slopes[1], errors[1], reach=z)[0]
    assert found.detail["regressions"]["y"] == pytest.approx(expected)
    parts = [np.mean(list(found.detail[kind].values())) for kind in ("means", "regressions")]
    assert found.value == pytest.approx(np.mean(parts))


def test_exact_relations_have_no_intervals() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 20))
    data = {"a": a, "b": b, "sum": a + b}
    assert score(data, data).detail["regressions"] == {}
    assert score(data, data).value == 1


def test_nothing_in_common_is_zero() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=50)
    assert score({"x": x}, {"x": x + 10}).value == 0


def test_labels_widen_the_interval() -> None:
    rng = np.random.default_rng(3)
    x = rng.integers(0, 100, 400)
    bands = [f"{v // 50 * 50}–{v // 50 * 50 + 49}" for v in x.tolist()]
    found = score({"x": x}, {"x": bands})
    # As wide or wider than the original's, and about the same place.
    assert 0.6 < found.value < 1


def test_a_lost_column_has_nothing_in_common() -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=80)
    data = {"x": x, "y": x + rng.normal(size=80)}
    found = score(data, {"y": data["y"], "x": ["*"] * 80})
    assert found.detail["means"] == {"x": 0.0, "y": 1.0}
    assert found.detail["regressions"] == {"x": 0.0, "y": 0.0}
    assert "says nothing about x" in found.note


def test_what_cannot_be_measured_is_said() -> None:
    with pytest.raises(NotApplicable, match="no column is continuous"):
        score({"x": ["a"]}, {"x": ["a"]})
    with pytest.raises(NotApplicable, match="two values"):
        score({"x": [1.0]}, {"x": [1.0]})
