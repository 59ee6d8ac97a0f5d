"""A spanning tree is cut only where both sides stay close to the whole file."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.kernels.mst import minimum_spanning_tree
from discreet.kernels.tree_closeness import cut_by_closeness
from tests.kernels.spanning_trees import LAW, kruskal, slow_cut, slow_distance, tables


@LAW
@given(
    tables(),
    st.integers(1, 4),
    st.integers(1, 4),
    st.sampled_from([0.1, 0.2, 0.25, 1 / 3, 0.5, 1.0]),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_cutting_by_closeness_is_that_of_the_slow_twin(
    rows: list[tuple[int, ...]], k: int, count: int, t: float, ordered: bool, seed: int
) -> None:
    points = np.array(rows, dtype=float)
    classes = np.random.default_rng(seed).integers(-1, count, len(rows))
    everyone = classes.tolist()
    # Among few records many groups lie right at t: leave out what rounding alone decides.
    slack = 1e-12

    def allowed(part: set[int]) -> bool:
        group = [everyone[r] for r in sorted(part)]
        return len(part) >= k and slow_distance(group, everyone, count, ordered) <= t + slack

    edges, lengths = minimum_spanning_tree(points)
    labels = cut_by_closeness(edges, lengths, k, classes, count, t + slack, ordered=ordered)
    once = ordered and -1 in everyone
    assert labels.tolist() == slow_cut(kruskal(points), len(points), allowed, once)


def test_the_longest_edge_that_classes_allow_is_cut() -> None:
    # A row a b | a a b b: 9 and 4 would leave three or four of a kind on one side.
    edges = np.array([[0, 1], [1, 2], [2, 3], [3, 4], [4, 5]])
    lengths = np.array([1.0, 5.0, 9.0, 4.0, 1.0])
    classes = np.array([0, 1, 0, 0, 1, 1])
    assert cut_by_closeness(edges, lengths, 2, classes, 2, t=0.1).tolist() == [0, 0, 1, 1, 1, 1]
    assert cut_by_closeness(edges, lengths, 2, classes, 2, t=0.2).tolist() == [0, 0, 0, 1, 1, 1]
