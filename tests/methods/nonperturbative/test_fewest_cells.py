"""The fewest suppressed cells by integer programming, against all choices of small tables."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.methods.nonperturbative.fewest_cells import AFFORDABLE, fewest
from tests.kernels.suppressing import fewest as by_trying
from tests.kernels.suppressing import slots_of


@pytest.mark.parametrize(
    ("rows", "columns", "weights", "k"),
    [(6, 2, [1.0, 1.0], 2), (6, 2, [1.0, 2.5], 3), (5, 3, [1.0, 1.0, 1.0], 2)],
)
def test_no_choice_costs_less(rows: int, columns: int, weights: list[float], k: int) -> None:
    for seed in range(4):
        table = np.random.default_rng(seed).integers(0, 3, (rows, columns))
        slots, _, cost = slots_of(table, weights)
        found = fewest(table.astype(np.int32), np.array(weights), k)
        assert found is not None
        assert found.cells is not None
        best = by_trying(slots, cost, k)
        assert found.cells.sum(axis=0) @ weights == pytest.approx(best)
        assert found.least == pytest.approx(best)
        shown = np.where(found.cells, -1, table)
        assert np.unique(shown, axis=0, return_counts=True)[1].min() >= k


def test_what_is_missing_anyway_costs_nothing() -> None:
    codes = np.array([[0, -1], [0, 1], [0, 2]], np.int32)
    found = fewest(codes, np.ones(2), 3)
    assert found is not None
    assert found.cells is not None
    assert found.cells.tolist() == [[False, False], [False, True], [False, True]]
    assert found.least == 2


def test_large_files_are_left_to_the_search() -> None:
    codes = np.arange(AFFORDABLE, dtype=np.int32).reshape(-1, 2)
    assert fewest(codes, np.ones(2), 2) is None
    assert fewest(np.zeros((4, 11), np.int32), np.ones(11), 2) is None
