"""The cheapest cells of each record alone, for combinations that stand for many records."""

from __future__ import annotations

import numpy as np

import discreet
from discreet.contracts import InMemory
from discreet.methods.nonperturbative.cell_patterns import (
    Patterns,
    cheapest_for_each,
    gaps_of,
)

VALUES, SHARES = np.array(["p", "q", "r", None]), [0.7, 0.2, 0.05, 0.05]


def test_combinations_cost_what_their_records_cost() -> None:
    rng = np.random.default_rng(1)
    names = ["a", "b", "c"]
    columns = {n: rng.choice(VALUES, 200, p=SHARES) for n in names}
    data = discreet.read(columns)
    kinds, times = InMemory(data).combinations(names)
    weights = np.array([1.0, 2.0, 1.0])
    for known in (2, 3):
        one_by_one = cheapest_for_each(data, names, 7, weights, known)
        together = cheapest_for_each(kinds, names, 7, weights, known, times)
        assert np.array_equal(one_by_one.sum(axis=0), times @ together)


def test_with_few_sets_tried_no_record_costs_more_than_it_must() -> None:
    rng = np.random.default_rng(2)
    names = list("abcdef")
    data = discreet.read({n: rng.choice(VALUES, 120, p=SHARES) for n in names})
    weights, missing = np.array([1.0, 2.0, 1.0, 1.5, 1.0, 4.0]), gaps_of(data, names)
    exact = (cheapest_for_each(data, names, 7, weights, 6) & ~missing) @ weights
    seen = 0
    for most in (1, 5, 20, 64):
        tried = cheapest_for_each(data, names, 7, weights, 6, most=most) & ~missing
        cost = tried @ weights
        assert ((cost == 0) | (cost == exact)).all()
        assert np.count_nonzero(cost) >= seen
        seen = int(np.count_nonzero(cost))
    assert np.array_equal(cost, exact)


def test_of_dozens_of_columns_the_sets_of_few_are_taken() -> None:
    weights = np.append(np.ones(39), 0.5)
    patterns = Patterns(weights, 10, most=1_000)
    assert len(patterns.sets) == 1 + 40 + 780 + 1
    assert patterns.sets[-1].all()
    assert patterns.all_below == 2.5
    assert Patterns(weights[:5], 10).all_below == np.inf
