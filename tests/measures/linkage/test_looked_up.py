"""Costs that are looked up: with a compiled sum and without."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.measures.linkage.looked_up import COMPILED, LookedUp


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.int64, None])
def test_the_sum_is_the_same_in_large_files(kind: type[np.integer] | None) -> None:
    rng = np.random.default_rng(1)
    width = 30 if kind is None else 7
    table = rng.normal(size=(4, width)).astype(np.float32)
    codes = None if kind is None else rng.integers(0, 7, 30).astype(kind)
    part = LookedUp(table, codes)
    sums = [np.ones((4, 30), dtype=np.float32) for _ in range(2)]
    part.added_to(sums[0], COMPILED - 1)
    part.added_to(sums[1], COMPILED)
    assert sums[0].tobytes() == sums[1].tobytes() == (1 + part.matrix).tobytes()
