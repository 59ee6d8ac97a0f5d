"""The local search for microaggregation, against recomputed sums of squares and enumeration."""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from discreet.kernels import refine_moves
from discreet.kernels.mdav import mdav_labels
from discreet.kernels.refine import refine_labels, within_sse
from discreet.kernels.refine_cooling import Cooling
from discreet.kernels.refine_neighbours import candidate_lists
from discreet.kernels.refine_state import (
    Clusters,
    clusters_from_labels,
    join_cost,
    leave_gain,
    move_record,
    pad_columns,
    swap_delta,
    swap_records,
    total_sse,
)

Points = NDArray[np.float64]
Labels = NDArray[np.int64]


def slow_sse(points: Points, labels: Labels) -> float:
    """The definition: squared distances to the mean of the own group."""
    total = 0.0
    for label in set(labels.tolist()):
        rows = points[labels == label]
        total += float(((rows - rows.mean(axis=0)) ** 2).sum())
    return total


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


def small_partition(records: int, k: int, rng: np.random.Generator) -> Labels:
    """Consecutive numbers and sizes k to 2k-1, as inside the search."""
    groups = records // k
    labels = np.arange(records) % groups
    assert np.bincount(labels).max() < 2 * k
    return labels[rng.permutation(records)].astype(np.int64)


def check_state(clusters: Clusters, k: int) -> None:
    """All arrays of the search tell the same partition, and it is allowed."""
    count = int(clusters.group_count[0])
    sizes = clusters.sizes[:count]
    assert sizes.sum() == clusters.group.size
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1
    np.testing.assert_array_equal(np.bincount(clusters.group, minlength=count), sizes)
    records = np.arange(clusters.group.size)
    np.testing.assert_array_equal(clusters.members[clusters.group, clusters.slot], records)
    for group in range(count):
        rows = clusters.points[clusters.group == group]
        np.testing.assert_allclose(clusters.centroids[group], rows.mean(axis=0), atol=1e-9)


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
    points: Points, labels: Labels, k: int, options: dict[str, int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        refine_labels(points, labels, k, rng=np.random.default_rng(0), **options)


def laid_out(seed: int, records: int = 40, columns: int = 5, k: int = 3) -> Clusters:
    rng = np.random.default_rng(seed)
    points = pad_columns(np.exp(rng.standard_normal((records, columns))))
    near, _ = candidate_lists(points, 12, rng)
    return clusters_from_labels(points, near, small_partition(records, k, rng), k, seed)


@pytest.mark.parametrize("seed", range(5))
def test_deltas_are_those_of_the_recomputed_sum_of_squares(seed: int) -> None:
    clusters = laid_out(seed)
    rng = np.random.default_rng(seed)
    for _ in range(60):
        x, y = (int(i) for i in rng.integers(0, clusters.group.size, size=2))
        if clusters.group[x] == clusters.group[y]:
            continue
        before = slow_sse(clusters.points, clusters.group)
        delta = swap_delta(clusters, x, y)
        swap_records(clusters, x, y)
        after = slow_sse(clusters.points, clusters.group)
        assert delta == pytest.approx(after - before, abs=1e-9)
        source, target = int(clusters.group[x]), int(clusters.group[y])
        delta = join_cost(clusters, x, target) - leave_gain(clusters, x)
        move_record(clusters, x, target)
        assert delta == pytest.approx(slow_sse(clusters.points, clusters.group) - after, abs=1e-9)
        move_record(clusters, x, source)
    check_state(clusters, 3)
    assert total_sse(clusters) == pytest.approx(slow_sse(clusters.points, clusters.group))


@pytest.mark.parametrize("temperature", [0.0, 0.1, 1e9])
@pytest.mark.parametrize("move", ["dissolve", "create", "resplit"])
def test_compound_moves_return_their_change_and_keep_the_sizes(
    move: str, temperature: float
) -> None:
    made = 0
    for seed in range(40):
        clusters = laid_out(seed, records=44)
        before = slow_sse(clusters.points, clusters.group)
        labels = clusters.group.copy()
        if move == "dissolve":
            delta = refine_moves.dissolve_group(clusters, seed % 14, 3, temperature)
        elif move == "create":
            # Room for a new group comes from the dissolution of two others.
            refine_moves.dissolve_group(clusters, seed % 14, 3, 1e9)
            refine_moves.dissolve_group(clusters, seed % 12, 3, 1e9)
            before, labels = slow_sse(clusters.points, clusters.group), clusters.group.copy()
            delta = refine_moves.create_group(clusters, seed, 3, temperature)
        else:
            delta = refine_moves.resplit_pair(clusters, seed % 14, (seed + 3) % 14, 3, temperature)
        check_state(clusters, 3)
        after = slow_sse(clusters.points, clusters.group)
        assert delta == pytest.approx(after - before, abs=1e-9)
        if temperature == 0.0:
            assert delta <= 1e-9
        made += not np.array_equal(labels, clusters.group)
    if temperature == 1e9:
        assert made > 0


@pytest.mark.parametrize("temperature", [0.0, 0.01, 10.0])
@pytest.mark.parametrize("k", [2, 3, 7])
def test_annealing_keeps_a_sound_partition(k: int, temperature: float) -> None:
    clusters = laid_out(k, records=97, k=k)
    everyone = np.arange(97)
    for _ in range(5):
        sse = refine_moves.anneal(clusters, k, everyone, 2000, temperature, temperature / 2)
        check_state(clusters, k)
        assert sse == pytest.approx(slow_sse(clusters.points, clusters.group))


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


def test_cooling_goes_from_the_outliers_to_the_crowd() -> None:
    scales = np.concatenate([np.full(900, 1.0), np.full(100, 1e6)])
    cooling = Cooling(scales, tries=10_000)
    begin, end = cooling.stretch(0.0, 0.01), cooling.stretch(0.94, 0.95)
    assert set(begin.active) == set(range(900, 1000))
    assert set(end.active) == set(range(900))
    assert begin.hot > begin.cold > end.hot > end.cold > 0.0
    # The crowd is nine times as many and gets nine times as much of the budget.
    assert cooling.stretch(0.2, 0.21).hot < 1.1
    assert cooling.stretch(1.0, 1.0).active.size == 1000


def test_a_long_search_cools_several_times() -> None:
    cooling = Cooling(np.full(50, 2.0), tries=65_000)
    assert cooling.rounds == 3
    for begin in (0.0, 1 / 3, 2 / 3):
        assert cooling.stretch(begin + 1e-9, begin + 0.01).hot == pytest.approx(2.0)
        assert cooling.stretch(begin + 0.33, begin + 0.332).hot == 0.0


def test_census_gains_clearly_over_mdav(reference_data: Path) -> None:
    with (reference_data / "casc_census.csv").open() as file:
        table = np.array([[float(v) for v in row] for row in list(csv.reader(file))[1:]])
    points = (table - table.mean(axis=0)) / table.std(axis=0)
    labels = mdav_labels(points, 3)
    result = refine_labels(points, labels, 3, steps=2_000_000, rng=np.random.default_rng(0))
    total = float((points**2).sum())
    assert 100 * within_sse(points, labels) / total == pytest.approx(5.6922, abs=5e-5)
    assert 100 * within_sse(points, result) / total < 4.9
