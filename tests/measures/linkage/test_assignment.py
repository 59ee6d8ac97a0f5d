from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.measures.linkage.assignment import Owners, alike, cheapest, one_to_one


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 6))
def test_one_to_one_costs_least_of_all_permutations(seed: int, size: int) -> None:
    costs = np.random.default_rng(seed).random((size, size)).astype(np.float32)
    linked = one_to_one(costs, np.random.default_rng(0))
    assert sorted(linked.tolist()) == list(range(size))
    orders = itertools.permutations(range(size))
    least = min(sum(float(costs[i, j]) for i, j in enumerate(order)) for order in orders)
    assert np.isclose(costs[np.arange(size), linked].sum(), least, atol=1e-5)


def test_too_few_people_leave_records_unlinked() -> None:
    linked = one_to_one(np.array([[0.0], [1.0]], dtype=np.float32), np.random.default_rng(0))
    assert linked.tolist() == [0, -1]


def test_ties_are_linked_at_random_not_in_the_order_of_the_file() -> None:
    costs = np.zeros((40, 40), dtype=np.float32)
    hits = [
        float(Owners(np.arange(40)).success_of(one_to_one(costs, np.random.default_rng(s))).sum())
        for s in range(50)
    ]
    assert 0.5 < np.mean(hits) < 1.6  # a random permutation has one fixed point


def test_a_drawn_record_belongs_to_its_group() -> None:
    owners = Owners.within(np.array([0, 2]), np.array([0, 0, 1, 1]))
    costs = np.array([[1, 0, 2, 2], [0, 5, 5, 5]], dtype=np.float32)
    assert cheapest(costs, owners).tolist() == [0.5, 0.0]
    assert owners.success_of(np.array([1, 0])).tolist() == [0.5, 0.0]


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_the_expected_success_is_the_mean_over_all_orders_of_records_alike(
    seed: int, in_groups: bool
) -> None:
    rng = np.random.default_rng(seed)
    origin, same = rng.permutation(5), rng.integers(0, 2, 5)
    owners = Owners(origin)
    if in_groups:
        owners = Owners.within(origin, np.array([0, 0, 1, 1, 1]))
    linked = rng.permutation(np.array([0, 1, 2, 3, -1]))
    orders = [
        order for order in itertools.permutations(range(5)) if (same[list(order)] == same).all()
    ]
    mean = np.mean([owners.success_of(linked[list(order)]) for order in orders], axis=0)
    np.testing.assert_allclose(owners.expected_success(linked, _numbered(same)), mean)


def _numbered(labels: np.ndarray) -> np.ndarray:
    return np.asarray(np.unique(labels, return_inverse=True)[1])


def test_no_draw_decides_among_records_alike() -> None:
    costs = np.zeros((40, 40), dtype=np.float32)
    for seed in range(3):
        linked = one_to_one(costs, np.random.default_rng(seed))
        expected = Owners(np.arange(40)).expected_success(linked, alike(costs))
        np.testing.assert_allclose(expected, 1 / 40)
