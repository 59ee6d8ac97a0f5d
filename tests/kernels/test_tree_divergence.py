"""A tree is cut where divergence rises least for the length of the edge."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.kernels.mst import minimum_spanning_tree
from discreet.kernels.tree_divergence import cut_by_ratio
from tests.kernels.crest_twin import (
    slow_cut,
)


@pytest.mark.parametrize("k", [2, 5, 12])
@pytest.mark.parametrize("kind", ["a rare class", "a class of one record", "thirty classes"])
def test_bounds_that_spare_ratios_change_nothing(k: int, kind: str) -> None:
    """Long runs in one part, where most ratios are known only by their bound."""
    rng = np.random.default_rng(k)
    n = 90
    points = rng.normal(size=(n, 3))
    classes = {
        "a rare class": rng.choice(3, n, p=[0.3, 0.66, 0.04]),
        "a class of one record": (np.arange(n) == 40).astype(np.int64),
        "thirty classes": rng.permutation(np.arange(n) % 30),
    }[kind]
    edges, lengths = minimum_spanning_tree(points)
    lengths = np.rint(lengths / 9 * 2**40) / 2**40
    matrix = np.zeros((n, n))
    matrix[edges[:, 0], edges[:, 1]] = matrix[edges[:, 1], edges[:, 0]] = lengths
    expected = slow_cut(list(map(tuple, edges.tolist())), matrix, classes, k)
    assert np.array_equal(cut_by_ratio(edges, lengths, k, classes), expected)
