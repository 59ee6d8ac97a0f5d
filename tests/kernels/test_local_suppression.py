"""Local suppression: what the moves leave is allowed, and on small files the fewest cells."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.kernels import local_suppression_moves
from discreet.kernels.local_suppression import annealed, improved, start

Table = NDArray[np.int64]


def slots_of(table: Table, weights: list[float]) -> tuple[NDArray[np.int32], int, Table]:
    """Slots, how many, and the cost of each pattern, by tuples of the values that are left."""
    width = table.shape[1]
    patterns = sorted(product((0, 1), repeat=width), key=lambda p: float(np.dot(p, weights)))
    numbers: dict[tuple[int, ...], int] = {}
    slots = [
        [
            numbers.setdefault((n, *(-1 if gone else v for v, gone in zip(row, p, strict=True))),
                               len(numbers))
            for row in table.tolist()
        ]
        for n, p in enumerate(patterns)
    ]  # fmt: skip
    cost = np.array([float(np.dot(p, weights)) for p in patterns])
    return np.array(slots, dtype=np.int32), len(numbers), cost


def fewest(slots: NDArray[np.int32], cost: NDArray[np.float64], k: int) -> float:
    """The least cost of all choices of a pattern per record."""
    patterns, rows = slots.shape
    best = np.inf
    for chosen in product(range(patterns), repeat=rows):
        spent = sum(cost[p] for p in chosen)
        if spent < best:
            used = [slots[p, i] for i, p in enumerate(chosen)]
            if min(used.count(s) for s in used) >= k:
                best = spent
    return float(best)


def solved(table: Table, weights: list[float], k: int, steps: int = 3000) -> tuple[float, float]:
    slots, count, cost = slots_of(table, weights)
    state = start(slots, count, cost, np.zeros(len(table), dtype=np.int32), k)
    greedy = float(state.total[0])
    while improved(state):
        pass
    local = float(state.total[0])
    annealed(state, 0, steps, steps, 0.6)
    used = np.bincount(slots[state.chosen, np.arange(len(table))], minlength=count)
    assert np.array_equal(used, state.used)
    assert used[used > 0].min() >= k
    assert cost[state.chosen].sum() == pytest.approx(state.total[0])
    assert state.total[0] <= local + 1e-9 <= greedy + 2e-9
    return float(state.total[0]), fewest(slots, cost, k)


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


@pytest.mark.parametrize(("rows", "k"), [(300, 3), (400, 10)])
def test_larger_files_are_allowed_and_not_worse_than_greedy(rows: int, k: int) -> None:
    rng = np.random.default_rng(rows)
    table = np.minimum(rng.geometric(0.3, (rows, 4)), 6)
    slots, count, cost = slots_of(table, [1.0, 2.0, 1.0, 1.5])
    state = start(slots, count, cost, np.zeros(rows, dtype=np.int32), k)
    first = float(state.total[0])
    while improved(state):
        pass
    annealed(state, 0, 20_000, 20_000, 0.6)
    used = np.bincount(slots[state.chosen, np.arange(rows)], minlength=count)
    assert np.array_equal(used, state.used)
    assert used[used > 0].min() >= k
    assert state.total[0] < first
    assert sorted(state.away[: state.aways[0]]) == np.flatnonzero(state.chosen).tolist()


def test_each_move_is_compiled_once() -> None:
    solved(np.random.default_rng(1).integers(0, 3, (7, 2)), [1.0, 1.0], k=2)
    for name in ("cheapest", "move", "take_back", "joined", "emptied", "opened", "settled"):
        kernel = getattr(local_suppression_moves, name)
        assert len(kernel.signatures) <= 1, name  # none where the code comes from the cache
