"""CREST's kernels and partitions against a twin that computes every candidate at every step."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.contracts import Context
from discreet.kernels.class_restricted_tree import class_restricted_tree
from discreet.kernels.tree_divergence import cut_by_ratio
from discreet.microaggregation.class_restriction import farthest_from_centroid
from discreet.microaggregation.partition.crest import CREST
from discreet.microdata.embedding import Embedding
from tests.kernels.crest_twin import (
    classes_of,
    lengths_of,
    slow_cut,
    slow_tree,
    start_of,
    table,
)


@pytest.mark.parametrize("seed", range(20))
def test_same_tree_and_same_groups_as_the_slow_twin(seed: int) -> None:
    for case in range(15):
        rng = np.random.default_rng([seed, case])
        data = table(1_000 * seed + case, int(rng.integers(4, 17)), int(rng.integers(2, 6)))
        columns, classes, printed = data.quasi_identifiers, classes_of(data), case % 2 == 0
        divisor = len(columns) if printed else np.sqrt(len(columns))
        lengths = lengths_of(data, divisor)
        k, b = int(rng.integers(2, 5)), int(rng.integers(2, 7))
        alpha = float(rng.choice([0.0, 0.1, 0.5, 0.5, 0.8, 1.0]))
        points = Embedding.fit(data, columns, "range").points(data)
        start = farthest_from_centroid(data, columns, points)
        assert start == start_of(data)
        edges, found = class_restricted_tree(
            points,
            len(columns) ** 2 if printed else len(columns),
            classes,
            alpha=alpha,
            b=b,
            start=start,
        )
        expected = slow_tree(lengths, classes, alpha, b, start)
        assert list(map(tuple, edges.tolist())) == expected, (seed, case)
        assert found.tolist() == [lengths[edge] for edge in expected]
        labels = slow_cut(expected, lengths, classes, k)
        assert cut_by_ratio(edges, found, k, classes).tolist() == labels.tolist(), (seed, case)
        if len(data) >= k:
            distance = "printed" if printed else "scaled"
            partition = CREST(k=k, alpha=alpha, b=b, distance=distance)
            groups = partition.groups(data, columns, Context())
            assert groups.labels.tolist() == labels.tolist()


@pytest.mark.parametrize("seed", range(4))
def test_larger_trees_with_hubs_and_equal_records(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 36
    points = rng.integers(0, 3, (n, 2)) / 2
    classes = np.unique(rng.integers(0, 3, n), return_inverse=True)[1]
    lengths = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2) / 2)
    lengths = np.rint(lengths * 2**40) / 2**40
    edges, found = class_restricted_tree(points, 2, classes, alpha=0.3, b=6, start=7)
    expected = slow_tree(lengths, classes, 0.3, 6, 7)
    assert list(map(tuple, edges.tolist())) == expected
    labels = slow_cut(expected, lengths, classes, 3)
    assert np.array_equal(cut_by_ratio(edges, found, 3, classes), labels)


def test_a_single_record_and_no_coordinate() -> None:
    edges, lengths = class_restricted_tree(
        np.zeros((1, 0)), 1, np.zeros(1, np.int64), alpha=0.5, b=5, start=0
    )
    assert edges.shape == (0, 2)
    assert len(lengths) == 0
    assert cut_by_ratio(edges, lengths, 2, np.zeros(1, np.int64)).tolist() == [0]


def test_progress_counts_every_record() -> None:
    rng = np.random.default_rng(1)
    points, classes = rng.random((500, 2)), rng.integers(0, 2, 500)
    joined: list[int] = []
    cut: list[int] = []
    edges, lengths = class_restricted_tree(
        points, 2, classes, alpha=0.5, b=5, start=0, advance=joined.append
    )
    cut_by_ratio(edges, lengths, 5, classes, cut.append)
    assert (sum(joined), sum(cut)) == (499, 500)
