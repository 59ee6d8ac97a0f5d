"""The cheapest groups against all groups, and the prices that no group may exceed."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from discreet.kernels.pricing import cheapest, half_sums, split_distances

Numbers = NDArray[np.float64]


def _squares(points: Numbers) -> Numbers:
    return np.asarray(((points[:, None] - points[None]) ** 2).sum(axis=2))


def _value(squares: Numbers, charges: Numbers, group: list[int]) -> float:
    return float(sum(squares[a, b] for a, b in combinations(group, 2)) - charges[group].sum())


def _by_enumeration(squares: Numbers, charges: Numbers, k: int) -> Numbers:
    least = np.full(len(charges), np.inf)
    for group in combinations(range(len(charges)), k):
        members = list(group)
        least[members] = np.minimum(least[members], _value(squares, charges, members))
    return least


def _search(
    squares: Numbers, charges: Numbers, k: int, known: float = np.inf, steps: int = 10**9
) -> tuple[Numbers, NDArray[np.int64], int]:
    n = len(charges)
    groups, floors = np.empty((n, k), np.int64), np.empty(n)
    seeds = np.arange(n)
    open_ = cheapest(
        squares, half_sums(squares, k), charges, seeds, np.full(n, known), steps, groups, floors
    )
    return floors, groups, open_


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    k=st.integers(2, 5),
    extra=st.integers(0, 6),
    columns=st.integers(1, 4),
    spread=st.sampled_from([0.0, 0.1, 1.0, 20.0]),
    coarse=st.booleans(),
)
def test_the_cheapest_group_is_that_of_an_enumeration(
    seed: int, k: int, extra: int, columns: int, spread: float, coarse: bool
) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(k + extra, columns))
    squares = _squares(np.round(points) if coarse else points)
    charges = spread * rng.normal(size=len(points)) + spread
    expected = _by_enumeration(squares, charges, k)
    floors, groups, open_ = _search(squares, charges, k)
    assert open_ == 0
    np.testing.assert_allclose(floors, expected, rtol=1e-9, atol=1e-9)
    for record, group in enumerate(groups):
        assert record in group
        assert len(set(group.tolist())) == k
        assert _value(squares, charges, group.tolist()) == pytest.approx(floors[record], abs=1e-9)


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), k=st.integers(2, 5), steps=st.integers(0, 12))
def test_without_steps_the_floor_is_still_below_every_group(seed: int, k: int, steps: int) -> None:
    rng = np.random.default_rng(seed)
    squares = _squares(rng.normal(size=(10, 2)))
    charges = 3 * rng.random(10)
    floors, _, _ = _search(squares, charges, k, steps=steps)
    assert (floors <= _by_enumeration(squares, charges, k) + 1e-9).all()


def test_what_is_known_is_only_undercut() -> None:
    squares = _squares(np.random.default_rng(5).normal(size=(12, 3)))
    charges = np.ones(12)
    least = _by_enumeration(squares, charges, 3)
    middle = float(np.median(least))
    floors, groups, _ = _search(squares, charges, 3, known=middle)
    np.testing.assert_allclose(floors, np.minimum(least, middle), atol=1e-9)
    assert ((groups[:, 0] >= 0) == (least < middle - 1e-9)).all()


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), k=st.integers(2, 4), coarse=st.booleans())
def test_no_group_costs_less_than_its_split_distances(seed: int, k: int, coarse: bool) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(9, 2)) * rng.choice([1.0, 10.0], size=(9, 1))
    squares = _squares(np.round(points) if coarse else points)
    prices = split_distances(squares, k)
    assert (prices >= 0).all()
    assert (_by_enumeration(squares, k * prices, k) >= -1e-9).all()
