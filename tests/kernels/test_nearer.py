"""Counting nearer originals by the tree, against comparison with all of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.kernels.kdtree import build, for_thread
from discreet.kernels.nearer import count_nearer_by_tree

# The code −2 stands for any, −3 and −4 for sets, of which the second has no member.
STARTS, MEMBERS = np.array([0, 3, 3]), np.array([-1, 0, 2], dtype=np.int32)
ALLOWED = {-2: {-1, 0, 1, 2}, -3: {-1, 0, 2}, -4: set()}
RANGES = {-2: (-np.inf, np.inf), -3: (-1, 2), -4: (-2, -2)}


@settings(deadline=None, derandomize=True, database=None)
@given(
    st.integers(0, 2**32),
    st.sampled_from([1, 15, 16, 17, 300]),
    st.integers(1, 5),
    st.integers(0, 4),
    st.integers(1, 3),
)
def test_counts(seed: int, size: int, dimensions: int, coded: int, enough: int) -> None:
    rng = np.random.default_rng(seed)
    originals = rng.integers(0, 5, (size, dimensions)).astype(float)
    codes = rng.integers(-1, 3, (size, coded)).astype(np.int32)
    times = rng.integers(1, 4, size)
    least = rng.integers(0, 5, (8, dimensions)).astype(float)
    most = least + rng.integers(0, 2, (8, dimensions)).astype(float)
    anywhere = rng.random((8, dimensions)) < 0.1
    least[anywhere], most[anywhere] = -np.inf, np.inf
    cells = rng.integers(-4, 3, (8, coded)).astype(np.int32)
    ends = np.array([[RANGES.get(c, (c, c)) for c in row] for row in cells.tolist()])
    first, last = ends.reshape(8, coded, 2).transpose(2, 0, 1) + 1.0
    low = rng.uniform(0, 6, 8)
    high = low + rng.uniform(0, 3, 8)
    nearer, as_near = np.zeros(8, dtype=np.int64), np.zeros(8, dtype=np.int64)
    points = np.hstack([originals, codes + 1.0])
    tree = for_thread(build(points, np.arange(size), points.mean(axis=0), coded))
    boxes = np.hstack([least, first]), np.hstack([most, last])
    visits = count_nearer_by_tree(
        tree, times, *boxes, cells, STARTS, MEMBERS, low, high, enough, nearer, as_near
    )
    assert visits >= 8
    for i in range(8):
        gaps = np.maximum(np.maximum(least[i] - originals, originals - most[i]), 0)
        refused = [
            sum(c not in ALLOWED.get(r, {r}) for r, c in zip(cells[i].tolist(), row, strict=True))
            for row in codes.tolist()
        ]
        squared = (gaps**2).sum(axis=1) + refused
        below = int(times[squared < low[i]].sum())
        assert nearer[i] == min(below, enough)
        if below < enough:
            assert as_near[i] == times[(low[i] <= squared) & (squared <= high[i])].sum()


def test_threads_have_working_space_of_their_own() -> None:
    tree = build(np.zeros((3, 2)), np.arange(3), np.zeros(2))
    other = for_thread(tree)
    assert other.values is tree.values
    for name in ("sums", "limits", "stack", "bounds"):
        assert getattr(other, name) is not getattr(tree, name)
        assert getattr(other, name).shape == getattr(tree, name).shape


@pytest.mark.parametrize("dimensions", [1, 40])
def test_many_equal_points(dimensions: int) -> None:
    originals = np.zeros((1000, dimensions))
    tree = build(originals, np.arange(1000), np.zeros(dimensions))
    nearer, as_near = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    one, box = np.ones(1000, dtype=np.int64), originals[:1]
    cells = np.zeros((1, 0), dtype=np.int32)
    limit = np.zeros(1)
    count_nearer_by_tree(
        tree, one, box, box, cells, STARTS, MEMBERS, limit, limit, 1, nearer, as_near
    )
    assert (nearer[0], as_near[0]) == (0, 1000)
