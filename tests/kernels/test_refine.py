"""The local search for microaggregation, against recomputed sums of squares and enumeration."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.kernels.mdav import mdav_labels
from discreet.kernels.refine import refine_labels, within_sse
from tests.kernels.refining import Labels, Points, slow_sse, small_partition


def any_partition(records: int, k: int, rng: np.random.Generator) -> Labels:
    """Groups of k or more of any size, in random order, with gaps in their numbers."""
    labels = np.zeros(records, dtype=np.int64)
    begin, label = 0, 5
    while records - begin >= 2 * k:
        size = min(int(rng.integers(k, 4 * k)), records - begin)
        size = size if records - begin - size >= k else records - begin
        labels[begin : begin + size] = label
        begin, label = begin + size, label + 3
    labels[begin:] = label
    return labels[rng.permutation(records)]


@st.composite
def tables(draw: st.DrawFn) -> tuple[Points, Labels, int, int]:
    k = draw(st.integers(2, 5))
    records = draw(st.integers(0, 60))
    columns = draw(st.integers(1, 6))
    seed = draw(st.integers(0, 2**32))
    rng = np.random.default_rng(seed)
    kind = draw(st.sampled_from(["normal", "heavy", "duplicates", "equal", "constant column"]))
    points = rng.standard_normal((records, columns))
    if kind == "heavy":
        points = np.exp(3 * points)
    elif kind == "duplicates":
        points = np.round(points)
    elif kind == "equal":
        points[:] = 7.25
    elif kind == "constant column":
        points[:, 0] = -1e6
    labels = any_partition(records, k, rng) if records >= k else np.zeros(records, dtype=np.int64)
    return points, labels, k, seed


@settings(max_examples=150, deadline=None)
@given(tables())
def test_result_is_a_better_partition_into_groups_of_k_to_2k_minus_1(
    table: tuple[Points, Labels, int, int],
) -> None:
    points, labels, k, seed = table
    before_points, before_labels = points.copy(), labels.copy()
    result = refine_labels(points, labels, k, steps=3000, rng=np.random.default_rng(seed))
    np.testing.assert_array_equal(points, before_points)
    np.testing.assert_array_equal(labels, before_labels)
    assert result.dtype == np.int64
    assert result.shape == labels.shape
    if labels.size < 2 * k:
        assert not result.any()
    else:
        sizes = np.bincount(result)
        assert sizes.min() >= k
        assert sizes.max() <= 2 * k - 1
        # Numbered in the order of first appearance.
        _, first = np.unique(result, return_index=True)
        assert (np.diff(first) > 0).all()
    before = slow_sse(points, labels)
    assert slow_sse(points, result) <= before + 1e-9 * (1.0 + before)
    again = refine_labels(points, labels, k, steps=3000, rng=np.random.default_rng(seed))
    assert again.tobytes() == result.tobytes()


@pytest.mark.parametrize("records", [0, 1, 2, 5])
def test_fewer_than_2k_records_are_one_group(records: int) -> None:
    points = np.arange(2.0 * records).reshape(records, 2)
    labels = np.zeros(records, dtype=np.int64)
    result = refine_labels(points, labels, 3, rng=np.random.default_rng(0))
    np.testing.assert_array_equal(result, labels)


def test_k_of_one_leaves_each_record_alone() -> None:
    points = np.array([[1.0], [1.0], [4.0]])
    result = refine_labels(points, np.zeros(3, dtype=np.int64), 1, rng=np.random.default_rng(0))
    np.testing.assert_array_equal(result, [0, 1, 2])


def test_one_large_group_is_split_and_no_columns_are_no_obstacle() -> None:
    rng = np.random.default_rng(0)
    for points in (rng.standard_normal((1001, 3)), np.empty((1001, 0)), np.zeros((1001, 2))):
        result = refine_labels(points, np.full(1001, 9), 4, steps=20_000, rng=rng)
        sizes = np.bincount(result)
        assert sizes.min() >= 4
        assert sizes.max() <= 7


@pytest.mark.parametrize("scale", [1e-150, 1e120])
def test_extreme_units_do_not_matter(scale: float) -> None:
    rng = np.random.default_rng(3)
    points = rng.standard_normal((60, 3))
    labels = small_partition(60, 3, rng)
    plain = refine_labels(points, labels, 3, steps=20_000, rng=np.random.default_rng(1))
    scaled = refine_labels(points * scale, labels, 3, steps=20_000, rng=np.random.default_rng(1))
    assert slow_sse(points, plain) < 0.5 * slow_sse(points, labels)
    assert slow_sse(points, scaled) < 0.5 * slow_sse(points, labels)


@pytest.mark.parametrize(
    ("points", "labels", "k", "options", "message"),
    [
        (np.zeros(4), np.zeros(4), 2, {}, "table"),
        (np.zeros((4, 1)), np.zeros(3), 2, {}, "one number per row"),
        (np.full((4, 1), np.nan), np.zeros(4), 2, {}, "finite"),
        (np.zeros((4, 1)), np.zeros(4), 0, {}, "at least 1"),
        (np.zeros((4, 1)), np.array([0, 0, 0, 1]), 2, {}, "at least k = 2"),
        (np.zeros((4, 1)), np.zeros(4), 2, {"steps": 1, "seconds": 1.0}, "not both"),
        (np.zeros((4, 1)), np.zeros(4), 2, {"steps": -1}, "negative"),
    ],
)
def test_wrong_arguments_are_explained(
    points: Points, labels: Labels, k: int, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        refine_labels(points, labels, k, rng=np.random.default_rng(0), **options)


def partitions(records: tuple[int, ...], k: int) -> Iterator[list[tuple[int, ...]]]:
    """All partitions into groups of k to 2k-1."""
    if not records:
        yield []
        return
    first, rest = records[0], records[1:]
    for size in range(k, 2 * k):
        for others in itertools.combinations(rest, size - 1):
            left = tuple(r for r in rest if r not in others)
            if not left or len(left) >= k:
                for tail in partitions(left, k):
                    yield [(first, *others), *tail]


@cache
def optimum(seed: int, records: int, k: int) -> float:
    points = np.random.default_rng(seed).standard_normal((records, 2))
    return min(
        sum(float(((points[list(g)] - points[list(g)].mean(axis=0)) ** 2).sum()) for g in groups)
        for groups in partitions(tuple(range(records)), k)
    )


@pytest.mark.parametrize(("records", "k"), [(6, 2), (8, 2), (9, 2), (7, 3), (9, 3)])
def test_small_tables_reach_the_optimum(records: int, k: int) -> None:
    for seed in range(6):
        points = np.random.default_rng(seed).standard_normal((records, 2))
        start = small_partition(records, k, np.random.default_rng(seed))
        result = refine_labels(points, start, k, steps=30_000, rng=np.random.default_rng(seed))
        assert slow_sse(points, result) == pytest.approx(optimum(seed, records, k), rel=1e-9)


def test_seconds_bound_the_search_and_progress_is_told() -> None:
    rng = np.random.default_rng(0)
    points = rng.standard_normal((500, 4))
    labels = mdav_labels(points, 5)
    told: list[float] = []
    result = refine_labels(points, labels, 5, seconds=1.2, rng=rng, advance=told.append)
    assert within_sse(points, result) < 0.97 * within_sse(points, labels)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert 3 <= len(told) <= 7


def test_an_interrupt_passes() -> None:
    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    points = np.random.default_rng(0).standard_normal((200, 2))
    labels = np.arange(200) // 4
    with pytest.raises(KeyboardInterrupt):
        refine_labels(
            points, labels, 4, seconds=30.0, rng=np.random.default_rng(0), advance=interrupt
        )


def test_census_gains_clearly_over_mdav(reference_data: Path) -> None:
    with (reference_data / "casc_census.csv").open() as file:
        table = np.array([[float(v) for v in row] for row in list(csv.reader(file))[1:]])
    points = (table - table.mean(axis=0)) / table.std(axis=0)
    labels = mdav_labels(points, 3)
    result = refine_labels(points, labels, 3, steps=2_000_000, rng=np.random.default_rng(0))
    total = float((points**2).sum())
    assert 100 * within_sse(points, labels) / total == pytest.approx(5.6922, abs=5e-5)
    assert 100 * within_sse(points, result) / total < 4.9
