"""Spans: the same gaps whether each record has its ends or a code of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.measures.linkage import spans
from discreet.measures.linkage.cells import NumberCells
from discreet.measures.linkage.spans import Spans, along, gaps_of

NUMBERS = st.lists(
    st.sampled_from([0.0, 0.5, 1.0, 2.25, 7.0, np.nan]) | st.floats(-9, 9), min_size=1, max_size=40
)


@settings(deadline=None)
@given(NUMBERS, NUMBERS)
def test_gaps_by_codes_are_those_of_each_pair(released: list[float], people: list[float]) -> None:
    after, before = np.array(released), np.array(people)
    slow = np.array(
        [
            [float(np.isnan(a) ^ np.isnan(b)) if np.isnan(a) or np.isnan(b) else abs(a - b)
             for b in people]
            for a in released
        ],
        dtype=np.float32,
    )  # fmt: skip
    rows = np.arange(len(released))
    for column in (
        NumberCells("x", Spans(after, after), Spans(before, before)),
        NumberCells("x", Spans.points(after), Spans.points(before)),
        NumberCells("x", Spans.different(after), Spans.different(before)),
    ):
        assert np.array_equal(column.gaps(rows), slow)
        assert np.array_equal(column.gaps(rows, then=np.square), np.square(slow))
        twice = np.array([0, *range(len(people)), 0])
        assert np.array_equal(column.gaps(rows, twice), slow[:, twice])
        assert column.gaps_beside(rows[:1], np.array([0]))[0] == slow[0, 0]


def test_many_different_values_have_no_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spans, "FEW", 3)
    few, many = Spans.points(np.array([1.0, 2.0, 1.0])), Spans.points(np.arange(5.0))
    assert few.codes is not None
    assert few.codes.dtype == np.uint16
    assert many.codes is None
    anywhere = Spans.points(np.arange(3.0)).but(np.array([True, False, False]))
    assert anywhere.codes is None
    assert anywhere.at(np.array([0, 1]))[0].tolist() == [-np.inf, 1.0]


def test_values_that_hardly_repeat_are_not_sorted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spans, "LOOKED_AT", 4)
    assert Spans.points(np.array([1.0, 2.0, 3.0, 4.0, 1.0])).codes is None
    assert Spans.points(np.array([1.0, 1.0, 2.0, 2.0, 3.0])).codes is not None


def test_intervals_are_apart_by_the_gap_between_them() -> None:
    low, high = np.array([0.0, 5.0]), np.array([2.0, 6.0])
    gaps = gaps_of(along((low, high), 0), along((low, high), 1))
    assert gaps.tolist() == [[0.0, 3.0], [3.0, 0.0]]
