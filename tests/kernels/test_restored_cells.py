"""Restored cells: sets of bits find what comparing two records at a time finds."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from discreet.kernels.restored_cells import compatible_counts, compatible_with, holders, restore

LAW = settings(max_examples=25, deadline=None, derandomize=True, database=None)


def agreeing(codes: NDArray[np.int32], gaps: NDArray[np.bool_], i: int, j: int) -> bool:
    either = gaps[i] | gaps[j]
    return bool((either | (codes[i] == codes[j])).all())


@LAW
@given(st.integers(0, 10_000), st.integers(2, 70), st.integers(2, 4))
def test_restoring_leaves_k_and_stops_where_no_single_cell_can_be(
    seed: int, rows: int, k: int
) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (rows, 3)).astype(np.int32)
    weight = rng.integers(1, 3, rows)
    suppressed = rng.random((rows, 3)) < 0.6
    gaps = suppressed | (rng.random((rows, 3)) < 0.1)
    first = np.array([0, 3, 6, 9])
    sets = holders(codes, gaps, first)
    counts = compatible_counts(codes, gaps, first, sets, weight)
    found = np.empty(rows, np.int64)

    def counted(now: NDArray[np.bool_]) -> list[int]:
        return [
            sum(int(weight[j]) for j in range(rows) if agreeing(codes, now, i, j))
            for i in range(rows)
        ]

    if rows <= 20:
        assert counts.tolist() == counted(gaps)
    many = compatible_with(rows - 1, codes, gaps, first, sets, found)
    assert found[:many].tolist() == [j for j in range(rows) if agreeing(codes, gaps, rows - 1, j)]
    enough = counts >= k
    restore(
        codes, gaps, suppressed, first, sets, weight, counts, np.arange(rows), np.arange(3), k
    )  # fmt: skip
    assert (counts[enough] >= k).all()
    assert np.array_equal(sets, holders(codes, gaps, first))
    if rows <= 20 and enough.all():
        assert counts.tolist() == counted(gaps)
        for i, c in np.argwhere(suppressed).tolist():
            gaps[i, c] = False
            assert min(counted(gaps)) < k
            gaps[i, c] = True
