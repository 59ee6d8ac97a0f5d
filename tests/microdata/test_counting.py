"""Counts of numbers against sorting and against counting one number after the other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.microdata import counting, whole_numbers
from discreet.microdata.counting import bin_counts, counted

LAW = settings(max_examples=50, deadline=None, derandomize=True, database=None)


@pytest.mark.parametrize("decimals", [0, 1, 2, 3])
@pytest.mark.parametrize("spread", [1.0, 1e5, 1e9])
def test_numbers_are_counted_as_by_sorting(decimals: int, spread: float) -> None:
    values = np.random.default_rng(3).normal(0, spread, 2_000).round(decimals)
    values = np.append(values, [0.0, -0.0, *values[:500]])
    distinct, counts = counted(values)
    expected = np.unique(values, return_counts=True)
    assert distinct.tolist() == expected[0].tolist()
    assert counts.tolist() == expected[1].tolist()


def test_infinities_and_no_numbers_at_all_are_counted_too() -> None:
    distinct, counts = counted(np.array([np.inf, 1.0, -np.inf, np.inf]))
    assert distinct.tolist() == [-np.inf, 1.0, np.inf]
    assert counts.tolist() == [1, 1, 2]
    assert [len(found) for found in counted(np.zeros(0))] == [0, 0]


@LAW
@given(st.lists(st.integers(-1, 30), max_size=60), st.sampled_from([1, 7, 64]), st.integers(31, 40))
def test_bins_are_counted_whether_they_are_few_or_many(
    values: list[int], at_once: int, bins: int
) -> None:
    array = np.array(values, np.int32)
    expected = [values.count(value) for value in range(-1, bins)]
    for few, cached in ((50, 50), (12, 50), (0, 0)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(counting, "AT_ONCE", at_once)
            patch.setattr(counting, "FEW_BINS", few)
            patch.setattr(counting, "CACHED_BINS", cached)
            assert bin_counts(array, bins, least=-1).tolist() == expected


@LAW
@given(
    st.lists(st.sampled_from([0.0, -0.0, 7.0, 1.5, -2.25, 99.99, 1.001, 1e17]), max_size=40),
    st.integers(1, 9),
)
def test_numbers_are_counted_a_few_at_a_time(values: list[float], at_once: int) -> None:
    expected = np.unique(np.array(values) + 0.0, return_counts=True)
    with pytest.MonkeyPatch.context() as patch:
        for module in (counting, whole_numbers):
            patch.setattr(module, "AT_ONCE", at_once)
        distinct, counts = counted(np.array(values))
    assert distinct.tolist() == expected[0].tolist()
    assert counts.tolist() == expected[1].tolist()


def test_the_zero_of_whole_numbers_has_no_sign() -> None:
    assert not np.signbit(counted(np.array([-0.0, 1.0]))[0]).any()
