"""Counting nearer originals by the tree, against comparison with all of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.kernels.kdtree import build
from discreet.kernels.nearer import count_nearer_by_tree, for_thread


@settings(deadline=None, derandomize=True, database=None)
@given(
    st.integers(0, 2**32),
    st.sampled_from([1, 15, 16, 17, 300]),
    st.integers(1, 6),
    st.integers(1, 3),
)
def test_counts(seed: int, size: int, dimensions: int, enough: int) -> None:
    rng = np.random.default_rng(seed)
    originals = rng.integers(0, 5, (size, dimensions)).astype(float)
    least = rng.integers(0, 5, (8, dimensions)).astype(float)
    most = least + rng.integers(0, 2, (8, dimensions)).astype(float)
    anywhere = rng.random((8, dimensions)) < 0.1
    least[anywhere], most[anywhere] = -np.inf, np.inf
    low = rng.uniform(0, 6, 8)
    high = low + rng.uniform(0, 3, 8)
    nearer, as_near = np.zeros(8, dtype=np.int64), np.zeros(8, dtype=np.int64)
    tree = for_thread(build(originals, np.arange(size), originals.mean(axis=0)))
    rows = rng.permutation(8)
    count_nearer_by_tree(tree, least, most, rows, low, high, enough, nearer, as_near)
    for i in range(8):
        gaps = np.maximum(np.maximum(least[i] - originals, originals - most[i]), 0)
        squared = (gaps**2).sum(axis=1)
        below = int((squared < low[i]).sum())
        assert nearer[i] == min(below, enough)
        if below < enough:
            assert as_near[i] == ((low[i] <= squared) & (squared <= high[i])).sum()


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
    box = (originals[:1], originals[:1])
    args = (tree, *box, np.zeros(1, dtype=np.int64), np.zeros(1), np.zeros(1), 1)
    count_nearer_by_tree(*args, nearer, as_near)
    assert (nearer[0], as_near[0]) == (0, 1000)
