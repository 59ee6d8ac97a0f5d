"""Sums of looked-up entries, against a loop over all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.kernels.table_sums import add_looked_up


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_entries_are_added_one_by_one(kind: type[np.unsignedinteger]) -> None:
    rng = np.random.default_rng(1)
    table = rng.normal(size=(3, 5)).astype(np.float32)
    codes = rng.integers(0, 5, 40).astype(kind)
    total = rng.normal(size=(3, 40)).astype(np.float32)
    expected = total.copy()
    for i in range(3):
        for j in range(40):
            expected[i, j] = np.float32(expected[i, j] + table[i, codes[j]])
    add_looked_up(total, table, codes)
    assert total.tobytes() == expected.tobytes()
