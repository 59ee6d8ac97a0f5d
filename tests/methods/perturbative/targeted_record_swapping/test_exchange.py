"""Who is exchanged: all at risk who can be, and as many as the rate asks for in each area."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.methods.perturbative.targeted_record_swapping.exchange import Exchange


def exchange(
    areas: np.ndarray, like: np.ndarray, cells: np.ndarray, rate: float, seed: int = 1
) -> Exchange:
    quota = np.rint(rate * np.bincount(areas)).astype(np.int64)
    free = np.ones(len(areas), dtype=bool)
    return Exchange([areas], [like], [cells], quota, free, np.random.default_rng(seed))


@given(st.integers(0, 50), st.integers(2, 5), st.integers(1, 4))
@settings(max_examples=40)
def test_a_household_at_risk_stays_only_if_nobody_is_left_for_it(
    seed: int, districts: int, kinds: int
) -> None:
    rng = np.random.default_rng(seed)
    areas, cells = rng.integers(0, districts, 60), rng.integers(0, kinds * 5, 60)
    like = rng.integers(1, 8, 60)
    work = exchange(areas, like, cells, 0.0, seed)
    work.those_at_risk(3)
    swapped = np.flatnonzero(work.partner >= 0)
    assert (work.partner[work.partner[swapped]] == swapped).all(), "partners of one another"
    assert (areas[work.partner[swapped]] != areas[swapped]).all()
    assert (cells[work.partner[swapped]] == cells[swapped]).all()
    assert ((like[swapped] < 3) | (like[work.partner[swapped]] < 3)).all(), "one is at risk"
    for stayed in np.flatnonzero((like < 3) & (work.partner < 0)):
        able = (cells == cells[stayed]) & (areas != areas[stayed]) & (work.partner < 0)
        assert not able.any()


@pytest.mark.parametrize("rate", [0.02, 0.05, 0.3, 0.9])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_each_area_has_as_many_as_the_rate_asks_for(rate: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    areas = rng.choice(12, 3000, p=np.arange(1, 13) / 78)
    work = exchange(areas, rng.integers(5, 9, 3000), rng.integers(0, 8, 3000), rate, seed)
    work.up_to_the_rate()
    assert np.abs(work.open).max() <= 1


def test_where_one_area_is_larger_than_all_others_these_get_one_more_at_most() -> None:
    areas = np.repeat([0, 1, 2], [100, 10, 10])
    work = exchange(areas, np.full(120, 9), np.zeros(120, dtype=np.int64), 0.2)
    work.up_to_the_rate()
    assert work.open.tolist() == [20 - 6, -1, -1]


def test_rare_households_are_drawn_more_often() -> None:
    areas, like = np.arange(4000) % 4, np.repeat([4, 40], 2000)
    work = exchange(areas, like, np.zeros(4000, dtype=np.int64), 0.1)
    work.up_to_the_rate()
    swapped = work.partner >= 0
    assert swapped.sum() == 400
    # A pair comes by its rarer member, so that its partner may be any household.
    assert swapped[:2000].sum() > 1.8 * swapped[2000:].sum()


def test_donors_come_from_areas_that_have_not_reached_their_quota() -> None:
    areas = np.repeat([0, 1, 2], [10, 50, 50])
    like = np.full(110, 9)
    like[:10] = 1
    work = exchange(areas, like, np.zeros(110, dtype=np.int64), 0.0)
    work.quota = np.array([0, 0, 20])
    work.those_at_risk(2)
    assert work.open.tolist() == [-10, 0, 10]
