"""ABIM, ABISD and ABICO on tables worked by hand."""

from __future__ import annotations

import statistics
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet import Microdata
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.errors import NotApplicable

LAW = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
ABIM: Any = build("measure", "abim")
ABISD: Any = build("measure", "abisd")
ABICO: Any = build("measure", "abico")
ALL = [ABIM, ABISD, ABICO]


def table(**columns: Any) -> Microdata:
    return discreet.read(columns, roles=dict.fromkeys(columns, "quasi-identifier"))


def score(measure: Any, before: Microdata, after: Microdata) -> Any:
    return measure.score(before, after, Context())


def test_zero_denominators_are_left_out_and_counted() -> None:
    before = table(x=[-1, 0, 1], y=[1, 2, 3], c=[5, 5, 5])
    after = table(x=[0, 0, 3], y=[2, 3, 4], c=[5, 5, 8])
    means = score(ABIM, before, after)
    assert means.detail["left out"] == ["x"]
    assert means.value == pytest.approx((0.5 + 0.2) / 2)
    assert means.note == "1 left out: zero or missing denominator"
    deviations = score(ABISD, before, after)
    assert deviations.detail["left out"] == ["c"]
    assert set(deviations.detail["bias"]) == {"x", "y"}
    pairs = score(ABICO, before, after)
    assert pairs.detail["left out"] == ["x × c", "y × c"]
    assert pairs.note.startswith("2 left out")


def test_a_mean_that_is_zero_but_for_rounding_is_left_out() -> None:
    before = table(x=[0.1, 0.2, -0.3], y=[1.0, 1.0, 1.0])
    assert sum([0.1, 0.2, -0.3]) != 0
    found = score(ABIM, before, table(x=[0.1, 0.2, 0.3], y=[1.0, 1.0, 1.0]))
    assert found.detail["left out"] == ["x"]
    assert found.value == 0


@pytest.mark.parametrize("measure", ALL)
def test_only_zero_denominators_do_not_apply(measure: Any) -> None:
    data = table(x=[0, 0, 0], y=[0, 0, 0])
    with pytest.raises(NotApplicable, match="every denominator is zero or missing"):
        score(measure, data, data)


@pytest.mark.parametrize("measure", ALL)
def test_too_little_to_measure_is_said(measure: Any) -> None:
    words = table(x=["a", "b"], y=["a", "b"])
    with pytest.raises(NotApplicable, match="continuous quasi-identifier"):
        score(measure, words, words)
    one = table(x=[1.0], y=[2.0])
    with pytest.raises(NotApplicable, match="at least two records"):
        score(measure, one, one)


def test_missing_values_are_passed_over() -> None:
    before = table(x=[10, None, 20], y=[1.0, 2.0, 4.0])
    after = table(x=[10, 26, None], y=[1.0, 2.0, 4.0])
    assert score(ABIM, before, after).detail["bias"]["x"] == pytest.approx(3 / 15)
    expected = statistics.stdev([10, 26]) / statistics.stdev([10, 20]) - 1
    assert score(ABISD, before, after).detail["bias"]["x"] == pytest.approx(expected)


def test_confidential_columns_do_not_count() -> None:
    roles = {"x": "quasi-identifier", "c": "confidential"}
    before = discreet.read({"x": [1, 3], "c": [1, 3]}, roles=roles)
    after = discreet.read({"x": [2, 4], "c": [9, 9]}, roles=roles)
    assert score(ABIM, before, after).detail["bias"] == pytest.approx({"x": 0.5})


def test_a_label_counts_by_values_drawn_from_it() -> None:
    rng = np.random.default_rng(2)
    x = rng.integers(0, 100, 4000)
    before = table(x=x, y=x + rng.normal(0, 20, 4000))
    bands = [f"{v // 20 * 20}–{v // 20 * 20 + 19}" for v in x.tolist()]
    after = table(x=bands, y=before["y"])
    assert score(ABIM, before, after).detail["bias"]["x"] < 0.01
    assert score(ABISD, before, after).detail["bias"]["x"] < 0.02
    assert 0 < score(ABICO, before, after).value < 0.1


@pytest.mark.parametrize("measure", ALL)
def test_what_the_release_does_not_have_is_lost(measure: Any) -> None:
    before = table(x=[1.0, 2.0, 4.0], y=[1.0, 3.0, 4.0])
    stars = table(x=["*"] * 3, y=[1.0, 3.0, 4.0])
    assert score(measure, before, stars).value == pytest.approx(1 if measure is ABICO else 0.5)
    assert "says nothing about x" in score(measure, before, stars).note


def test_a_constant_column_has_lost_its_correlations() -> None:
    before = table(x=[1.0, 2.0, 4.0], y=[1.0, 3.0, 4.0])
    assert score(ABICO, before, table(x=[2.0, 2.0, 2.0], y=[1.0, 3.0, 4.0])).value == 1


@LAW
@given(st.lists(st.tuples(st.integers(1, 99), st.integers(1, 99)), min_size=3, max_size=20))
def test_nothing_changed_is_zero_and_row_order_is_nothing(rows: list[tuple[int, int]]) -> None:
    data = table(x=[float(a) for a, _ in rows], y=[float(b) for _, b in rows])
    for measure in ALL:
        try:
            same = score(measure, data, data).value
            turned = score(measure, data, data.take(np.arange(len(rows))[::-1])).value
        except NotApplicable:
            assert measure is not ABIM
            continue
        assert same == 0
        assert turned == pytest.approx(0, abs=1e-9)


@LAW
@given(st.lists(st.integers(1, 99), min_size=3, max_size=12), st.integers(2, 9))
def test_a_multiple_of_a_column_is_that_much_bias(values: list[int], factor: int) -> None:
    data, more = table(x=values), table(x=[factor * v for v in values])
    assert score(ABIM, data, more).value == pytest.approx(factor - 1)
    if len(set(values)) > 1:
        assert score(ABISD, data, more).value == pytest.approx(factor - 1)
