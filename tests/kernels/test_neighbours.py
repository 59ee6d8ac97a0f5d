"""The nearest and the farthest record in a tree of boxes, against a scan of all."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from discreet.kernels import kdtree, kdtree_leaves
from discreet.kernels.kdtree import NOBODY, build, remove
from discreet.kernels.lanes import LANES
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
    while len(left) > 7:
        centre = points[rng.integers(700)] if rng.random() < 0.7 else 3.0 * rng.normal(size=4)
        distances = squared_distances(points[left], centre)
        order = left[np.lexsort((left, distances))]
        found = np.empty(5, np.int64)
        nearest(tree, centre, np.empty(5), found, order[1:3])
        assert sorted(found) == sorted([order[0], *order[3:7]][: len(found)])
        for count in (1, 4):
            keys, far = np.empty(count), np.empty(count, np.int64)
            farthest(tree, centre, keys, far)
            expected = np.lexsort((left, -distances))[:count]
            assert sorted(far) == sorted(left[expected])
            assert sorted(-keys) == sorted(distances[expected])
        for record in rng.choice(left, 5, replace=False):
            remove(tree, points, record)
            left = left[left != record]


@pytest.mark.parametrize("maker", MAKERS)
def test_threads_build_the_same_tree(maker: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    points = np.hstack([MAKERS[maker](rng, 3_000, 3), rng.integers(0, 3, (3_000, 2))])
    left = np.sort(rng.choice(3_000, 2_500, replace=False))
    expected = build(points, left, points.mean(axis=0), 2)
    monkeypatch.setattr(kdtree_leaves, "PIECE", 100)
    monkeypatch.setattr(kdtree, "FILLED", LANES)
    with ThreadPoolExecutor(4) as threads:
        tree = build(points, left, points.mean(axis=0), 2, threads.map)
    working_space = ("steps", "most", "slope", "sums", "limits", "stack", "bounds")
    for name, value in expected._asdict().items():
        if name not in working_space:
            np.testing.assert_array_equal(getattr(tree, name), value, err_msg=name)


def test_the_farthest_of_fewer_records_are_all_of_them() -> None:
    points = np.arange(6.0)[:, None]
    far = np.empty(4, np.int64)
    farthest(build(points, np.array([1, 2, 5]), np.zeros(1)), np.zeros(1), np.empty(4), far)
    assert sorted(far) == [1, 2, 5, NOBODY]


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
