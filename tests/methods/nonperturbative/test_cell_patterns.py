"""The cheapest cells of each record alone, for combinations that stand for many records."""

from __future__ import annotations

import numpy as np

import discreet
from discreet.contracts import InMemory
from discreet.methods.nonperturbative.cell_patterns import cheapest_for_each

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
