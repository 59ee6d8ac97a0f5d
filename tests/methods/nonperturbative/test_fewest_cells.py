"""The fewest suppressed cells by integer programming, against all choices of small tables."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.methods.nonperturbative.fewest_cells import AFFORDABLE, Proved, fewest
from tests.kernels.suppressing import fewest as by_trying
from tests.kernels.suppressing import slots_of


def _cells(found: Proved) -> NDArray[np.bool_]:
    """Return the cells of records that are each a kind of their own."""
    assert found.times is not None
    return np.asarray(found.patterns[found.times.argmax(axis=1)])


@pytest.mark.parametrize(
    ("rows", "columns", "weights", "k"),
    [(6, 2, [1.0, 1.0], 2), (6, 2, [1.0, 2.5], 3), (5, 3, [1.0, 1.0, 1.0], 2)],
)
def test_no_choice_costs_less(rows: int, columns: int, weights: list[float], k: int) -> None:
    for seed in range(4):
        table = np.random.default_rng(seed).integers(0, 3, (rows, columns))
        slots, _, cost = slots_of(table, weights)
        found = fewest(table.astype(np.int32), np.ones(rows, np.int64), np.array(weights), k)
        assert found is not None
        cells = _cells(found)
        best = by_trying(slots, cost, k)
        assert cells.sum(axis=0) @ weights == pytest.approx(best)
        assert found.least == pytest.approx(best)
        shown = np.where(cells, -1, table)
        assert np.unique(shown, axis=0, return_counts=True)[1].min() >= k


def test_what_is_missing_anyway_costs_nothing() -> None:
    codes = np.array([[0, -1], [0, 1], [0, 2]], np.int32)
    found = fewest(codes, np.ones(3, np.int64), np.ones(2), 3)
    assert found is not None
    assert _cells(found).astype(int).tolist() == [[0, 1], [0, 1], [0, 1]]
    assert found.least == 2


def test_large_files_are_left_to_the_search() -> None:
    codes = np.arange(AFFORDABLE, dtype=np.int32).reshape(-1, 2)
    assert fewest(codes, np.ones(len(codes), np.int64), np.ones(2), 2) is None
    once = np.ones(4, np.int64)
    assert fewest(np.zeros((4, 11), np.int32), once, np.ones(11), 2) is None


def test_many_records_of_a_kind_are_counted_and_not_listed() -> None:
    kinds = np.array([[0, 0], [0, 1]], np.int32)
    found = fewest(kinds, np.array([10**9, 2]), np.ones(2), 3)
    assert found is not None
    assert found.times is not None
    assert found.least == 3
    assert found.times.tolist() == [[10**9 - 1, 1, 0, 0], [0, 2, 0, 0]]
