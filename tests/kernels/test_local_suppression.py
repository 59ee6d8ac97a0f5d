"""Local suppression: what the moves leave is allowed, and on small files the fewest cells."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.kernels.local_suppression import annealed, improved, start
from tests.kernels.suppressing import PLENTY, slots_of, solved


@pytest.mark.parametrize(("weights", "k"), [([1.0, 1.0], 2), ([1.0, 2.5], 3)])
def test_small_files_get_few_more_cells_than_the_fewest(weights: list[float], k: int) -> None:
    outcomes = []
    for seed in range(12):
        table = np.random.default_rng(seed).integers(0, 3, (7, 2))
        outcomes.append(solved(table, weights, k))
    found, best = np.array(outcomes).T
    assert (found >= best - 1e-9).all()
    assert (found <= best + 1e-9).mean() > 0.8
    assert found.sum() <= 1.05 * best.sum()


def test_records_left_over_are_joined_by_others() -> None:
    table = np.array([[0, 0], [0, 0], [1, 1]])
    found, best = solved(table, [1.0, 1.0], k=2)
    assert found == best == 6.0


@pytest.mark.parametrize(
    ("rows", "k", "most"), [(300, 3, PLENTY), (400, 10, PLENTY), (300, 3, 20_000)]
)
def test_larger_files_are_allowed_and_not_worse_than_greedy(rows: int, k: int, most: int) -> None:
    rng = np.random.default_rng(rows)
    table = np.minimum(rng.geometric(0.3, (rows, 4)), 6)
    slots, count, cost = slots_of(table, [1.0, 2.0, 1.0, 1.5])
    state = start(slots, count, cost, np.zeros(rows, dtype=np.int32), k)
    first = float(state.total[0])
    while improved(state, most):
        pass
    annealed(state, 0, 20_000, 20_000, 0.6, most)
    used = np.bincount(slots[state.chosen, np.arange(rows)], minlength=count)
    assert np.array_equal(used, state.used)
    assert used[used > 0].min() >= k
    assert state.total[0] < first
    assert state.work[0] < most + 5_000
    assert sorted(state.away[: state.aways[0]]) == np.flatnonzero(state.chosen).tolist()
