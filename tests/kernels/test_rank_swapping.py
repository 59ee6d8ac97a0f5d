"""The rank swapping kernel against a slow, obvious one, and its draws against their definition."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.kernels.rank_swapping import TRIES, swap_partners


def slow(starts: list[int], windows: list[int], seed: int) -> list[int]:
    """Draw places of the window until one is free, or count the free ones, in plain Python."""
    ranks = starts[-1]
    draws = iter(np.random.default_rng(seed).random(ranks + TRIES).tolist())
    left = ranks + TRIES
    partner: dict[int, int] = {}
    for start, stop, window in zip(starts, starts[1:], windows, strict=False):
        for one in range(start, stop):
            if one in partner:
                continue
            ahead = list(range(one + 1, min(one + window, stop - 1) + 1))
            free = [place for place in ahead if place not in partner]
            other = one
            tries = min(TRIES, left - (ranks - one) // 2 - 1) if ahead else 0
            for _ in range(tries):
                place = ahead[int(next(draws) * len(ahead))]
                left -= 1
                if place in free:
                    other = place
                    break
            if other == one and free:
                other = free[int(next(draws) * len(free))]
                left -= 1
            partner[one], partner[other] = other, one
    return [partner[rank] for rank in range(ranks)]


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 12)), min_size=1, max_size=4),
    st.integers(0, 2**32),
)
def test_it_is_the_slow_one(stretches: list[tuple[int, int]], seed: int) -> None:
    starts = [0, *itertools.accumulate(size for size, _ in stretches)]
    windows = [window for _, window in stretches]
    found = swap_partners(np.array(starts), np.array(windows), np.random.default_rng(seed))
    assert found.tolist() == slow(starts, windows, seed)


@settings(deadline=None)
@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 1000))
def test_each_is_exchanged_once_within_the_window(ranks: int, window: int, seed: int) -> None:
    found = swap_partners(np.array([0, ranks]), np.array([window]), np.random.default_rng(seed))
    assert found[found].tolist() == list(range(ranks))
    apart = np.abs(found - np.arange(ranks))
    assert apart.max(initial=0) <= window
    # Who stayed found nobody free ahead: two that stayed are never within one window.
    stayed = np.flatnonzero(apart == 0)
    assert (np.diff(stayed) > window).all()


def exact_chances(ranks: int, window: int) -> dict[tuple[int, ...], float]:
    """The chance of each outcome by the definition, followed through all draws."""
    outcomes: dict[tuple[int, ...], float] = defaultdict(float)

    def follow(partner: tuple[int, ...], chance: float) -> None:
        waiting = [r for r in range(ranks) if partner[r] < 0]
        if not waiting:
            outcomes[partner] += chance
            return
        one = waiting[0]
        free = [r for r in waiting if one < r <= one + window]
        for other in free or [one]:
            now = list(partner)
            now[one], now[other] = other, one
            follow(tuple(now), chance / max(len(free), 1))

    follow((-1,) * ranks, 1.0)
    return dict(outcomes)


@pytest.mark.parametrize(("ranks", "window"), [(4, 3), (5, 2), (6, 3)])
def test_partners_are_drawn_with_equal_chances(ranks: int, window: int) -> None:
    from scipy.stats import chisquare

    rng = np.random.default_rng(7)
    trials = 6000
    starts = np.arange(trials + 1) * ranks
    found = swap_partners(starts, np.full(trials, window), rng).reshape(trials, ranks)
    seen = Counter(map(tuple, (found - starts[:-1, None]).tolist()))
    expected = exact_chances(ranks, window)
    assert set(seen) == set(expected)
    counts = [seen[outcome] for outcome in expected]
    assert chisquare(counts, [trials * p for p in expected.values()]).pvalue > 1e-4


def test_a_large_window_leaves_nobody_out() -> None:
    found = swap_partners(np.array([0, 100_001]), np.array([100_001]), np.random.default_rng(1))
    assert (found == np.arange(100_001)).sum() == 1
