"""Columns of a table are ranked as SciPy ranks them, whatever the pieces."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import rankdata

import discreet
from discreet.contracts import rearranging
from discreet.contracts.rearranging import SortableTable, with_ranks


@pytest.mark.parametrize("piece", [1, 7, 1000])
def test_ranks_of_the_largest_numbers_are_those_of_small_ones(
    piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rearranging, "PIECE", piece)
    small = np.random.default_rng(3).integers(-9, 10, 1000) / 10
    data = discreet.read({"x": np.append(small * 1e308, np.nan)})
    ranks = with_ranks(SortableTable(data), "x").data["x"]
    assert np.array_equal(ranks[:-1], rankdata(small) / 1001)
    assert np.isnan(ranks[-1])


def test_equal_values_come_at_random_if_asked() -> None:
    table = SortableTable(discreet.read({"x": [2.0] * 50 + [1.0]}))
    assert table.in_order("x").rows.tolist() == [50, *range(50)]
    rows = table.in_order("x", np.random.default_rng(1)).rows
    assert rows[0] == 50
    assert sorted(rows.tolist()) != rows[1:].tolist() != list(range(50))
