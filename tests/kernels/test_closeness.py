"""Distances of t-closeness against their definitions in fractions and as a transport problem."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.kernels.closeness import closeness, distances
from tests.kernels.spanning_trees import LAW, slow_distance


@LAW
@given(st.integers(1, 40), st.integers(1, 5), st.booleans(), st.integers(0, 2**32 - 1))
def test_distances_are_the_definitions(n: int, count: int, ordered: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    classes, labels = rng.integers(-1, count, n), rng.integers(0, 3, n)
    labels = np.unique(labels, return_inverse=True)[1]
    found = distances(labels, classes, count, ordered)
    for group in range(labels.max() + 1):
        members = classes[labels == group].tolist()
        expected = slow_distance(members, classes.tolist(), count, ordered)
        assert found[group] == pytest.approx(expected)
        assert -1e-12 <= found[group] <= 1 + 1e-12


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_distances_are_the_earth_movers(count: int, ordered: bool) -> None:
    from scipy.optimize import linprog

    rng = np.random.default_rng(count)
    cost = 1 - np.eye(count + 1)
    if ordered:
        place = np.arange(count) / (count - 1)
        cost[:count, :count] = np.abs(place[:, None] - place)
    # what leaves each class, and what arrives there
    margins = np.vstack(
        [np.kron(np.eye(count + 1), np.ones(count + 1)),
         np.kron(np.ones(count + 1), np.eye(count + 1))]
    )  # fmt: skip
    for missing in (True, False):
        for _ in range(10):
            p, q = rng.integers(0, 5, count + 1), rng.integers(1, 5, count + 1)
            p[rng.integers(count)] += 1
            if not missing:
                p[count] = q[count] = 0
            shares = np.concatenate([p / p.sum(), q / q.sum()])
            least = float(linprog(cost.ravel(), A_eq=margins, b_eq=shares)["fun"])
            found = closeness(p, int(p.sum()), q, int(q.sum()), ordered)
            if ordered and missing:  # the missing share first is one way, not always the cheapest
                assert least - 1e-9 <= found <= 1 + 1e-9
            else:
                assert found == pytest.approx(least, abs=1e-9)


@LAW
@given(st.integers(1, 5), st.booleans(), st.integers(0, 2**32 - 1))
def test_a_union_is_no_farther_than_its_groups(count: int, ordered: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    overall = rng.integers(1, 9, count + 1)
    one, other = rng.integers(0, 5, (2, count + 1)) + np.eye(count + 1, dtype=int)[0]
    if ordered:
        overall[count] = one[count] = other[count] = 0
    both, total = one + other, int(overall.sum())
    apart = [closeness(c, int(c.sum()), overall, total, ordered) for c in (one, other)]
    assert closeness(both, int(both.sum()), overall, total, ordered) <= max(apart) + 1e-12
