"""Figures in the words of a verdict."""

from __future__ import annotations

import pytest

from discreet.contracts import MeasureSpec
from discreet.contracts.registry import find
from discreet.release.figures import from_to, in_figures, percent


def spec(name: str) -> MeasureSpec:
    found = find("measure", name).spec
    assert isinstance(found, MeasureSpec)
    return found


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (0.93, 0.95, "93 % → 95 %"),
        (0.00241, 0.00244, "0.241 % → 0.244 %"),
        (0.999, 0.9991, "99.9 % → 99.91 %"),
    ],
)
def test_what_got_worse_never_looks_the_same(before: float, after: float, told: str) -> None:
    assert from_to(before, after, spec("distance-linkage")) == told


def test_counts_are_no_shares() -> None:
    assert in_figures(5.0, spec("k-anonymity")) == "5"
    assert in_figures(123_456.0, spec("k-anonymity")) == "123,456"


def test_a_share_beyond_all_is_told_whole() -> None:
    assert percent(7.3125) == "731 %"
    assert percent(1.0) == "100 %"
