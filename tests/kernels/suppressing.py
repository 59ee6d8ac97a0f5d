"""Local suppression of a table whose patterns are listed one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.kernels.local_suppression import annealed, improved, start

Table = NDArray[np.int64]
PLENTY = 10**9


def slots_of(
    table: Table, weights: list[float]
) -> tuple[NDArray[np.int32], int, NDArray[np.float64]]:
    """Slots, their number, and the cost of each pattern, by tuples of the remaining values."""
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
    while improved(state, PLENTY):
        pass
    local = float(state.total[0])
    annealed(state, 0, steps, steps, 0.6, PLENTY)
    used = np.bincount(slots[state.chosen, np.arange(len(table))], minlength=count)
    assert np.array_equal(used, state.used)
    assert used[used > 0].min() >= k
    assert cost[state.chosen].sum() == pytest.approx(state.total[0])
    assert state.total[0] <= local + 1e-9 <= greedy + 2e-9
    return float(state.total[0]), fewest(slots, cost, k)
