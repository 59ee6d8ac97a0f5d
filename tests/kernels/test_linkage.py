"""The counting kernel against an obvious twin."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.kernels.linkage import count_nearer


@settings(deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(1, 30),
    st.integers(0, 20),
    st.integers(0, 4),
    st.integers(1, 3),
)
def test_counts(seed: int, originals: int, dimensions: int, coded: int, enough: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 3, (originals, dimensions)).astype(float)
    least = rng.integers(0, 3, (8, dimensions)).astype(float)
    most = least + rng.integers(0, 2, (8, dimensions)).astype(float)
    codes = rng.integers(-1, 3, (originals, coded)).astype(np.int32)
    released_codes = rng.integers(-4, 3, (8, coded)).astype(np.int32)
    # The code −2 stands for any, −3 and −4 for two sets.
    starts, members = np.array([0, 2, 2]), np.array([-1, 2], dtype=np.int32)
    allowed = {-2: {-1, 0, 1, 2}, -3: {-1, 2}, -4: set()}
    low = rng.uniform(0, 6, 8)
    high = low + rng.uniform(0, 3, 8)
    times = rng.integers(1, 3, originals)
    nearer = np.zeros(8, dtype=np.int64)
    as_near = np.zeros(8, dtype=np.int64)
    count_nearer(
        points,
        times,
        least,
        most,
        codes,
        released_codes,
        starts,
        members,
        low,
        high,
        enough,
        nearer,
        as_near,
    )
    for i in range(8):
        squared = [
            (np.maximum(np.maximum(least[i] - point, point - most[i]), 0) ** 2).sum()
            + sum(
                c not in allowed.get(r, {r}) for r, c in zip(released_codes[i], code, strict=True)
            )
            for point, code in zip(points, codes, strict=True)
        ]
        below = sum(t for s, t in zip(squared, times, strict=True) if s < low[i])
        assert nearer[i] == min(below, enough)
        if below < enough:
            assert as_near[i] == sum(
                t for s, t in zip(squared, times, strict=True) if low[i] <= s <= high[i]
            )
