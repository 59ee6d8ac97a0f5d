from __future__ import annotations

import numpy as np
import pytest

from discreet.models.noisy_tables import Tables, counts_of
from discreet.models.raked_records import raked_weights, sampled


def test_weighted_records_have_all_two_way_tables_of_a_file_with_a_cycle() -> None:
    """Three columns, each pair dependent: no tree carries that."""
    rng = np.random.default_rng(1)
    shared = rng.random(3000)
    cells = [((shared + rng.random(3000)) > 1).astype(np.int64) for _ in range(3)]
    tables = Tables.fitted(counts_of(cells, [2, 2, 2]), [2, 2, 2], 3000.0)
    pool = [rng.integers(0, 2, 8000) for _ in range(3)]
    weights = raked_weights(pool, tables)
    for (i, j), table in tables.crossed.items():
        found = [
            [weights[(pool[i] == a) & (pool[j] == b)].sum() for b in range(2)] for a in range(2)
        ]
        assert np.array(found) == pytest.approx(table, rel=1e-3)


def test_a_cell_without_records_is_left_alone() -> None:
    cells = [np.array([0, 0]), np.array([0, 1])]
    margins = (np.array([1.0, 1.0]), np.array([1.0, 1.0]))
    weights = raked_weights(cells, Tables(margins, {(0, 1): np.full((2, 2), 0.5)}))
    assert weights == pytest.approx([0.5, 0.5])


def test_a_sample_has_the_shares_of_the_first_column() -> None:
    rng = np.random.default_rng(2)
    cells = [rng.integers(0, 3, 500), rng.integers(0, 2, 500)]
    weights = rng.random(500)
    taken = sampled(cells, weights, 100, rng)
    expected = 100 * np.bincount(cells[0], weights) / weights.sum()
    assert np.abs(np.bincount(cells[0][taken]) - expected).max() <= 1
