"""A spanning tree is cut at its longest edges, as by the twin that begins anew after each cut."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.kernels.closeness import distances
from discreet.kernels.mst import minimum_spanning_tree
from discreet.kernels.tree_closeness import cut_by_closeness
from discreet.kernels.tree_cutting import cut_by_size
from tests.kernels.points import MAKERS
from tests.kernels.spanning_trees import LAW, kruskal, slow_cut, tables


@LAW
@given(tables(), st.integers(1, 5))
def test_cutting_by_size_is_that_of_the_slow_twin(rows: list[tuple[int, ...]], k: int) -> None:
    points = np.array(rows, dtype=float)
    edges, lengths = minimum_spanning_tree(points)
    labels = cut_by_size(edges, lengths, k)
    expected = slow_cut(kruskal(points), len(points), lambda part: len(part) >= k)
    assert labels.tolist() == expected


@pytest.mark.parametrize("maker", MAKERS)
def test_no_group_is_too_small(maker: str) -> None:
    points = MAKERS[maker](np.random.default_rng(8), 800, 3)
    edges, lengths = minimum_spanning_tree(points)
    classes = np.random.default_rng(9).integers(-1, 3, 800)
    for k in (2, 5, 401):
        assert np.bincount(cut_by_size(edges, lengths, k)).min() >= k
        labels = cut_by_closeness(edges, lengths, k, classes, 3, 0.3)
        assert np.bincount(labels).min() >= k
        assert distances(labels, classes, 3, False).max() <= 0.3
    assert np.array_equal(
        cut_by_size(edges, lengths, 7), cut_by_closeness(edges, lengths, 7, classes, 3, 1.0)
    )


def test_progress_of_cutting_adds_up() -> None:
    edges, lengths = minimum_spanning_tree(np.random.default_rng(4).normal(size=(3000, 2)))
    told: list[int] = []
    cut_by_size(edges, lengths, 5, told.append)
    assert sum(told) == 2999
    told.clear()
    classes = np.random.default_rng(9).integers(0, 3, 3000)
    cut_by_closeness(edges, lengths, 5, classes, 3, 0.2, advance=told.append)
    assert sum(told) == 2999
