"""The nearest and the farthest record in a tree of boxes, against a scan of all."""

import numpy as np
import pytest

from discreet.kernels.kdtree import build, remove
from discreet.kernels.neighbours import farthest, nearest, nearest_to_each
from tests.kernels.points import (
    MAKERS,
    squared_distances,
)


@pytest.mark.parametrize("maker", MAKERS)
def test_searches_agree_with_a_scan_while_records_leave(maker: str) -> None:
    rng = np.random.default_rng(6)
    points = MAKERS[maker](rng, 700, 4)
    left = np.sort(rng.choice(700, 600, replace=False))
    tree = build(points, left, points.mean(axis=0))
    while len(left) > 5:
        centre = points[rng.integers(700)] if rng.random() < 0.7 else 3.0 * rng.normal(size=4)
        distances = squared_distances(points[left], centre)
        assert farthest(tree, centre) == left[np.argmax(distances)]
        found = np.empty(5, np.int64)
        nearest(tree, centre, np.empty(5), found)
        assert sorted(found) == sorted(left[np.lexsort((left, distances))[:5]])
        for record in rng.choice(left, 5, replace=False):
            remove(tree, points, record)
            left = left[left != record]


@pytest.mark.parametrize("maker", MAKERS)
def test_the_nearest_to_each_point_are_those_of_a_scan(maker: str) -> None:
    rng = np.random.default_rng(7)
    points, others = MAKERS[maker](rng, 60, 3), MAKERS[maker](rng, 400, 3)
    tree = build(others, np.arange(400), others.mean(axis=0))
    found = np.empty((60, 2), np.int64)
    nearest_to_each(tree, points, found)
    for point, pair in zip(points, found, strict=True):
        distances = squared_distances(others, point)
        assert sorted(pair) == sorted(np.lexsort((np.arange(400), distances))[:2])
