"""Bounds against the true optimum, edge cases, and the reference files."""

from __future__ import annotations

import csv
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from discreet.errors import UsageError
from discreet.kernels.mdav import mdav_labels
from discreet.kernels.refine import refine_labels, within_sse
from discreet.microaggregation.certificate import MOST_RECORDS, Certificate, certify

Numbers = NDArray[np.float64]


def _certify(points: Numbers, labels: NDArray[np.int64], k: int, **more: object) -> Certificate:
    return certify(points, labels, k, rng=np.random.default_rng(1), **more)  # type: ignore[arg-type]


def _optimum(points: Numbers, k: int) -> float:
    """The least SSE of all partitions, by trying all groups of the first record left."""

    @cache
    def cost(group: tuple[int, ...]) -> float:
        own = points[list(group)]
        return float(((own - own.mean(axis=0)) ** 2).sum())

    @cache
    def least(left: tuple[int, ...]) -> float:
        if len(left) < 2 * k:
            return cost(left) if len(left) >= k or not left else np.inf
        best = np.inf
        for size in range(k, min(2 * k - 1, len(left)) + 1):
            for others in combinations(left[1:], size - 1):
                rest = tuple(i for i in left[1:] if i not in others)
                best = min(best, cost((left[0], *others)) + (least(rest) if rest else 0.0))
        return best

    return least(tuple(range(len(points))))


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    k=st.sampled_from([2, 3]),
    n=st.integers(4, 9),
    columns=st.integers(1, 3),
    shape=st.sampled_from(["normal", "coarse", "outliers", "offset"]),
)
def test_the_bound_never_exceeds_the_optimum(
    seed: int, k: int, n: int, columns: int, shape: str
) -> None:
    n = max(n, k)
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, columns))
    if shape == "coarse":
        points = np.round(points)
    if shape == "outliers":
        points[0] *= 1000
    if shape == "offset":
        points += 1e6
    optimum = _optimum(points, k)
    found = _certify(points, mdav_labels(points, k), k)
    assert found.bound <= optimum * (1 + 1e-12)
    assert found.sse >= optimum * (1 - 1e-9)
    assert found.finished
    # The programme is not the optimum itself, but near it on files this small.
    assert found.bound >= 0.4 * optimum * (1 - 1e-9)
    if found.optimal:
        assert found.sse == pytest.approx(optimum, rel=1e-6)


def test_separate_clusters_are_proven_optimal() -> None:
    centres = np.array([[0.0, 0.0], [100.0, 0.0], [0.0, 100.0], [100.0, 100.0]])
    points = np.repeat(centres, 3, axis=0) + np.random.default_rng(2).normal(size=(12, 2))
    found = _certify(points, np.repeat(np.arange(4), 3), 3)
    assert found.optimal
    assert found.finished
    assert found.statement == "the best possible partition into groups of at least 3"


def test_the_scale_of_the_values_does_not_matter() -> None:
    points = np.random.default_rng(3).normal(size=(30, 2))
    labels = mdav_labels(points, 3)
    gaps = [_certify(points * scale, labels, 3).gap for scale in (1.0, 1e-120, 1e120)]
    assert gaps == pytest.approx([gaps[0]] * 3, rel=1e-4)


def test_one_column_against_the_exact_partition() -> None:
    values = np.sort(np.random.default_rng(4).normal(size=90))
    # The best partition of sorted values is into runs: shortest path.
    least = np.full(91, np.inf)
    least[0] = 0.0
    for end in range(3, 91):
        for start in range(max(0, end - 5), end - 2):
            run = values[start:end]
            least[end] = min(least[end], least[start] + ((run - run.mean()) ** 2).sum())
    found = _certify(values[:, None], mdav_labels(values[:, None], 3), 3)
    assert found.finished
    assert 0.8 * least[90] <= found.bound <= least[90]


def test_fewer_than_two_groups_and_equal_records() -> None:
    points = np.random.default_rng(5).normal(size=(5, 2))
    one = _certify(points, np.zeros(5, np.int64), 3)
    assert one.optimal
    assert one.bound == one.sse == pytest.approx(within_sse(points, np.zeros(5, np.int64)))
    equal = _certify(np.ones((9, 2)), np.arange(9) // 3, 3)
    assert (equal.sse, equal.bound, equal.gap, equal.optimal) == (0.0, 0.0, 0.0, True)
    pairs = np.repeat(np.random.default_rng(6).normal(size=(6, 2)), 2, axis=0)
    bad = _certify(pairs, np.arange(12) % 6, 2)
    assert bad.bound == 0
    assert bad.gap == np.inf
    assert bad.statement.startswith("no bound above zero")


def test_out_of_time_the_bound_is_lower_but_valid() -> None:
    points = np.random.default_rng(7).normal(size=(200, 3))
    labels = mdav_labels(points, 4)
    told: list[float] = []
    short = _certify(points, labels, 4, seconds=1e-6)
    full = _certify(points, labels, 4, advance=told.append)
    assert not short.finished
    assert 0 < short.bound <= full.bound * (1 + 1e-4)
    assert full.finished
    assert told == sorted(told)
    assert told[-1] == 1.0


@pytest.mark.parametrize(
    ("n", "k", "groups", "message"),
    [
        (2, 3, 1, "cannot form a group"),
        (MOST_RECORDS + 1, 3, 10, "blocks"),
        (9, 1, 3, "at least 2"),
        (9, 4, 3, "the smallest has 3"),
    ],
)
def test_what_cannot_be_certified_is_explained(n: int, k: int, groups: int, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        _certify(np.zeros((n, 1)), np.arange(n) % groups, k)


def test_unusable_arguments_are_explained() -> None:
    points, labels = np.zeros((4, 1)), np.zeros(4, np.int64)
    with pytest.raises(UsageError, match="finite"):
        _certify(points + np.nan, labels, 2)
    with pytest.raises(UsageError, match="shapes"):
        _certify(points, labels[:3], 2)
    with pytest.raises(UsageError, match="seconds"):
        _certify(points, labels, 2, seconds=0)


@pytest.mark.parametrize(
    ("name", "least", "value"), [("census", 4.4, 4.646), ("tarragona", 13.2, 13.8575)]
)
def test_the_reference_files(reference_data: Path, name: str, least: float, value: float) -> None:
    with (reference_data / f"casc_{name}.csv").open(newline="") as file:
        table = np.array(list(csv.reader(file))[1:], dtype=np.float64)
    points = (table - table.mean(axis=0)) / table.std(axis=0)
    rng = np.random.default_rng(1)
    labels = refine_labels(points, mdav_labels(points, 3), 3, steps=100 * len(points), rng=rng)
    found = certify(points, labels, 3, seconds=6, rng=rng)
    unit = 100 / (points**2).sum()
    assert least < found.bound * unit < found.sse * unit
    assert found.bound * unit < value + 0.001
    if found.finished:
        assert found.bound * unit == pytest.approx(value, abs=0.001)
