"""The local search region by region: the same for any number of threads, and a partition."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from discreet.kernels import refine, refine_regions
from discreet.kernels.mdav import mdav_labels
from discreet.kernels.refine import refine_labels, within_sse
from discreet.kernels.refine_cooling import Stretch
from discreet.kernels.refine_neighbours import candidate_lists
from discreet.kernels.refine_regions import Regions, _near_within
from discreet.kernels.refine_state import pad_columns
from tests.kernels.refining import Labels, Points, slow_sse


@pytest.fixture
def small_regions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files are searched as large ones are."""
    monkeypatch.setattr(refine, "LARGE", 0)
    monkeypatch.setattr(refine_regions, "REGION", 60)


def table(kind: str, records: int, rng: np.random.Generator) -> Points:
    points = rng.standard_normal((records, 3))
    if kind == "heavy":
        return np.asarray(np.exp(3 * points))
    return np.round(points) if kind == "duplicates" else points


@pytest.mark.usefixtures("small_regions")
@pytest.mark.parametrize("kind", ["normal", "heavy", "duplicates"])
@pytest.mark.parametrize(("records", "k"), [(7, 3), (130, 2), (900, 3), (901, 40)])
def test_any_number_of_threads_gives_the_same_better_partition(
    kind: str, records: int, k: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = table(kind, records, np.random.default_rng(records))
    labels = mdav_labels(points, k)
    results = []
    for threads in ("1", "2", "4"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        rng = np.random.default_rng(1)
        results.append(refine_labels(points, labels, k, steps=30 * records, rng=rng))
    for result in results[1:]:
        np.testing.assert_array_equal(result, results[0])
    sizes = np.bincount(results[0])
    assert sizes.sum() == records
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1
    before = slow_sse(points, labels)
    assert slow_sse(points, results[0]) <= before * (1 + 1e-9)
    if (kind, records) == ("normal", 900):
        assert slow_sse(points, results[0]) < 0.95 * before


def neighbours_within(near: Any, rows: Labels, region: Any, here: int) -> list[list[int]]:
    """By search: the neighbours in the region, again from the first until the list is full."""
    lists = []
    for row in rows.tolist():
        inside = [rows.tolist().index(o) for o in near[row].tolist() if region[o] == here]
        inside = inside or [rows.tolist().index(row)]
        lists.append([inside[r % len(inside)] for r in range(near.shape[1])])
    return lists


def test_lists_of_near_records_are_those_within_the_region() -> None:
    rng = np.random.default_rng(2)
    near = rng.integers(0, 50, (50, 6)).astype(np.int32)
    region = rng.integers(0, 12, 50).astype(np.uint16)
    for here in range(12):
        rows = np.flatnonzero(region == here)
        place = np.full(50, -1, np.int32)
        place[rows] = np.arange(len(rows))
        within = np.empty((len(rows), 6), np.int32)
        _near_within(near, rows, region, place, here, within)
        assert within.tolist() == neighbours_within(near, rows, region, here)


@pytest.mark.usefixtures("small_regions")
def test_a_round_returns_the_sum_of_squares_that_it_leaves() -> None:
    rng = np.random.default_rng(3)
    points = pad_columns(rng.standard_normal((600, 3)))
    labels = np.arange(600) // 3
    near, _ = candidate_lists(points, 20, rng)
    with ThreadPoolExecutor(2) as threads:
        regions = Regions(points, near, labels.copy(), 3, rng, threads)
        before = within_sse(points, labels)
        for hot in (0.1, 0.0):
            sse = regions.round(Stretch(np.arange(600), hot, hot / 2), 6_000)
            assert sse == pytest.approx(within_sse(points, regions.labels))
            assert sse < before
            assert np.bincount(regions.labels).min() >= 3
    assert not np.array_equal(regions.labels, labels)


@pytest.mark.usefixtures("small_regions")
def test_seconds_are_kept() -> None:
    points = np.random.default_rng(4).standard_normal((2_000, 3))
    labels = mdav_labels(points, 3)
    refine_labels(points, labels, 3, steps=100, rng=np.random.default_rng(1))  # compiles
    reached: list[float] = []
    result = refine_labels(
        points, labels, 3, seconds=0.5, rng=np.random.default_rng(1), advance=reached.append
    )
    assert reached == sorted(reached)
    assert reached[-1] == 1.0
    assert slow_sse(points, result) < 0.95 * slow_sse(points, labels)
