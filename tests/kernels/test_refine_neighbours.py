"""The records that a record may be moved to are the nearest ones."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from discreet.kernels.refine_neighbours import candidate_lists
from discreet.kernels.refine_state import (
    pad_columns,
)


def test_candidates_are_the_nearest_in_small_tables() -> None:
    rng = np.random.default_rng(0)
    points = pad_columns(rng.standard_normal((300, 3)))
    near, distances = candidate_lists(points, 10, rng)
    squares = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    np.fill_diagonal(squares, math.inf)
    np.testing.assert_allclose(distances, np.sort(squares, axis=1)[:, :10])
    np.testing.assert_allclose(np.take_along_axis(squares, near, axis=1), distances)


def test_candidates_of_large_tables_are_near_and_complete() -> None:
    rng = np.random.default_rng(0)
    points = pad_columns(rng.standard_normal((6000, 5)))
    points[:500] = points[0]
    near, distances = candidate_lists(points, 10, rng)
    assert near.min() >= 0
    assert (near != np.arange(6000)[:, None]).all()
    assert all(len(set(row)) == 10 for row in near.tolist())
    rows = rng.integers(500, 6000, size=200)
    exact = np.sort(((points[rows, None] - points[None]) ** 2).sum(axis=2), axis=1)[:, 1:11]
    assert np.median(distances[rows, 9] / exact[:, 9]) < 1.6


def test_threads_make_the_same_lists() -> None:
    points = pad_columns(np.random.default_rng(0).standard_normal((20_000, 5)))
    expected = candidate_lists(points, 10, np.random.default_rng(1))
    with ThreadPoolExecutor(4) as threads:
        lists = candidate_lists(points, 10, np.random.default_rng(1), threads.map)
    for one, other in zip(lists, expected, strict=True):
        np.testing.assert_array_equal(one, other)
