"""What the values of a column look like."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.release.profile import Profile


def profile(values: Any, kind: str | None = None) -> Profile:
    kinds = {"x": kind} if kind else None
    return Profile.of(discreet.read({"x": values}, kinds=kinds), "x")


def test_counts_are_those_of_the_values() -> None:
    for values in ([3, 1, 3, None], [0.5, 0.25, 0.5, None], ["b", "a", "b", None]):
        found = profile(values)
        assert (found.present, found.distinct, found.counts.tolist()) == (3, 2, [1, 2])


def test_counts_of_numbers_far_apart() -> None:
    found = profile([1e12, 5.0, 1e12])
    assert found.numbers is not None
    assert found.numbers.tolist() == [5.0, 1e12]
    assert found.counts.tolist() == [1, 2]


def test_counts_of_infinite_and_of_the_largest_numbers() -> None:
    for values in ([np.inf, np.inf], [-np.inf, 1.0, np.inf], [-1.7e308, 1.7e308]):
        found = profile(values)
        assert found.numbers is not None
        assert found.numbers.tolist() == sorted(set(values))
        assert found.counts.sum() == len(values)


def test_an_empty_column() -> None:
    found = profile([None, None], "continuous")
    assert (found.present, found.distinct, found.whole, found.few) == (0, 0, False, True)


@pytest.mark.parametrize(
    ("values", "digits"), [([1, 2], 0), ([1.5, 2.0], 1), ([0.25, 1.0], 2), ([1 / 3], 6)]
)
def test_decimals(values: list[float], digits: int) -> None:
    assert profile(values).decimals == digits


@pytest.mark.parametrize(
    ("values", "gaps"),
    [
        ([11, 12, 24, 53, 76] * 20, True),
        ([20, 30, 40, 50] * 20, False),
        ([1, 2, 3, 4, 5] * 20, False),
        ([*np.random.default_rng(1).normal(40, 12, 2000).round()], False),
    ],
)
def test_gaps_between_codes(values: list[float], gaps: bool) -> None:
    assert profile(values).gaps is gaps


def test_a_code_among_measurements_stands_in_many_records() -> None:
    measured = [20 + value / 10 for value in range(100)]
    assert profile([*measured, *[-99.0] * 8]).suspected_codes == (-99,)
    assert profile([*measured, *[999.0] * 8]).suspected_codes == (999,)
    assert profile([*measured, -99.0, 999.0]).suspected_codes == ()
    assert profile([*measured, *[-3.5] * 8]).suspected_codes == ()


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ([1, 2, 3, 4, 5, 6, 7, 8, 9] * 20, ()),
        ([1, 2, 3, 4, 5, 8, 9] * 20, (8.0, 9.0)),
        ([1, 2, 3, 4, 7, 8, 9] * 20, (7.0, 8.0, 9.0)),
        ([*range(20, 60), 99, 999], (99.0, 999.0)),
        ([*range(90, 110), -9], (-9.0,)),
    ],
)
def test_codes_for_missing_values(values: list[int], codes: tuple[float, ...]) -> None:
    assert profile(values).suspected_codes == codes


def test_texts_of_a_form() -> None:
    assert profile(["01067", "99084", "10115"]).leading_zeros
    assert not profile(["1067", "99084"], "nominal").leading_zeros
    assert profile(["0-17", "18-34", "65+"]).intervals
    assert profile(["<=30", "<=40", ">70"]).intervals
    assert not profile(["1", "2"]).intervals
    assert not profile(["A1", "B2"]).intervals


def test_dates_are_no_whole_numbers() -> None:
    found = profile([date(1990, 1, 1), date(1991, 1, 1)])
    assert found.temporal
    assert not found.whole
