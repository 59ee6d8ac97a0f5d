"""Top and bottom coding: thresholds, shares, and what coded records get."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet import UsageError
from discreet.contracts import Context
from discreet.methods.nonperturbative.top_bottom_coding import TopBottomCoding

LAW = settings(max_examples=80, deadline=None, derandomize=True, database=None)
GRADES = ["e", "d", "c", "b", "a"]


def numbers(values: list[Any]) -> discreet.Microdata:
    return discreet.read({"x": values}, roles={"x": "quasi-identifier"})


@LAW
@given(st.lists(st.integers(-50, 50), min_size=1, max_size=60), st.floats(0, 0.45))
def test_a_share_is_the_largest_share_of_coded_values(values: list[int], share: float) -> None:
    data = numbers([float(v) for v in values])
    method = TopBottomCoding(top_share=share, bottom_share=share, value="threshold")
    released = method.protect(data, Context()).data["x"]
    assert (released < data["x"]).mean() <= share + 1e-9
    assert (released > data["x"]).mean() <= share + 1e-9
    changed = released != data["x"]
    if changed.any():
        assert released.max() < data["x"].max() or released.min() > data["x"].min()


def test_the_mean_keeps_the_mean_of_the_column() -> None:
    rng = np.random.default_rng(2)
    data = numbers(np.exp(rng.normal(8, 1, 400)).tolist())
    released = TopBottomCoding().protect(data, Context()).data["x"]
    assert released.mean() == pytest.approx(data["x"].mean())
    assert len(np.unique(released)) == 400 - 40 + 2
    assert released.max() < data["x"].max()


def test_values_at_the_threshold_stay_and_missing_stays() -> None:
    data = numbers([1, 5, 9, 10, 11, None])
    method = TopBottomCoding(top={"x": 9}, bottom_share=0, value="threshold")
    assert np.array_equal(
        method.protect(data, Context()).data["x"], [1, 5, 9, 9, 9, np.nan], equal_nan=True
    )


def test_a_mean_of_fewer_than_three_is_not_released() -> None:
    data = numbers([1, 2, 3, 100, 200])
    masked = TopBottomCoding(top={"x": 3}, bottom_share=0).protect(data, Context())
    assert masked.data["x"].tolist() == [1, 2, 3, 3, 3]
    assert "too few for a mean" in masked.notes[0]


def test_ordinal_columns_get_the_median_category() -> None:
    data = discreet.read(
        {"grade": list("edcbaaa")}, roles={"grade": "quasi-identifier"}, kinds={"grade": GRADES}
    )
    tops = TopBottomCoding(top={"grade": "c"}, bottom_share=0)
    released = tops.protect(data, Context()).data["grade"]
    assert [GRADES[i] for i in released] == list("edc") + ["a"] * 4
    at = TopBottomCoding(top={"grade": "c"}, bottom={"grade": "d"}, value="threshold")
    assert [GRADES[i] for i in at.protect(data, Context()).data["grade"]] == list("ddccccc")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"top": {"x": "high"}}, "top of TopBottomCoding must be a number for 'x'"),
        ({"top": {"y": 1}}, "names 'y', which is not a treated column"),
        ({"top": {"x": 1}, "bottom": {"x": 2}}, "must not be above its top"),
        ({"top_share": 0.7, "bottom_share": 0.7}, "must leave something between them"),
    ],
)
def test_refusals(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        TopBottomCoding(**parameters).protect(numbers([1, 2, 3, 4]), Context())


def test_the_help_says_that_shares_are_fractions() -> None:
    for name in ("top_share", "bottom_share"):
        assert "0.05 is 5 %" in TopBottomCoding.params()[name].help
    data = numbers([float(v) for v in range(100)])
    changed = TopBottomCoding(top_share=0.05, bottom_share=0).protect(data, Context()).data["x"]
    assert (changed != data["x"]).sum() == 4  # of the five above 94, one is the mean itself
    assert (changed > 94).sum() == 5
