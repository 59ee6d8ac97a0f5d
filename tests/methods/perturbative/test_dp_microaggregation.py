from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import discreet
from discreet.contracts import Context
from discreet.errors import DataError, UsageError
from discreet.methods.perturbative.dp_microaggregation import (
    STEPS,
    DPMicroaggregation,
    insensitive_clusters,
)
from discreet.models.private_noise import Noise

Cells = NDArray[np.int64]


def twin(values: list[tuple[int, ...]], k: int) -> list[Counter[tuple[int, ...]]]:
    """Return the clusters as the algorithm of the paper forms them, from both ends in turn."""
    left = sorted(values, key=lambda x: (sum(v * v for v in x), x))
    low: list[list[tuple[int, ...]]] = []
    high: list[list[tuple[int, ...]]] = []
    while len(left) >= 2 * k:
        low.append(left[:k])
        left = left[k:]
        if len(left) >= 2 * k:
            high.insert(0, left[-k:])
            left = left[:-k]
    return [Counter(cluster) for cluster in [*low, left, *high]]


def clusters(values: Cells, k: int) -> list[Counter[tuple[int, ...]]]:
    labels = insensitive_clusters(values, k)
    return [Counter(map(tuple, values[labels == g].tolist())) for g in range(int(labels.max()) + 1)]


@pytest.mark.parametrize("rows", [4, 5, 7, 8, 9, 13, 20, 23])
def test_clusters_are_those_of_the_paper(rows: int) -> None:
    rng = np.random.default_rng(rows)
    for k in (2, 3, 4):
        values = rng.integers(0, 4, (rows, 2))
        assert clusters(values, k) == twin([tuple(v) for v in values.tolist()], k)


def test_a_file_by_hand() -> None:
    """Two columns, k = 2: by the distance from (0, 0) the order is b, d, a, e, c."""
    values = np.array([[3, 4], [1, 1], [9, 9], [2, 0], [6, 1]])
    assert insensitive_clusters(values, 2).tolist() == [1, 0, 1, 0, 1]


def test_clusters_of_neighbouring_files_correspond_and_differ_in_one_record() -> None:
    rng = np.random.default_rng(3)
    most = 0
    for _ in range(300):
        rows, k = int(rng.integers(4, 20)), int(rng.integers(2, 5))
        if rows < k:
            continue
        values = rng.integers(0, 6, (rows, 2))
        other = values.copy()
        other[rng.integers(rows)] = rng.integers(0, 6, 2)
        pairs = list(zip(clusters(values, k), clusters(other, k), strict=True))
        assert all((a - b).total() <= 1 and (b - a).total() <= 1 for a, b in pairs)
        most = max(most, sum(a != b for a, b in pairs))
    assert most > 3, "one record can change many clusters, which the noise has to cover"


def test_no_neighbour_moves_the_sums_by_more_than_was_assumed() -> None:
    rng = np.random.default_rng(4)
    method = DPMicroaggregation(epsilon=1, k=3, bounds={}, size_is_public=True)
    for _ in range(100):
        values = rng.integers(0, 2, (14, 2)) * STEPS
        other = values.copy()
        other[rng.integers(14)] = rng.integers(0, 2, 2) * STEPS
        first, second = (
            np.array([t[insensitive_clusters(t, 3) == g].sum(axis=0) for g in range(4)])
            for t in (values, other)
        )
        assert np.abs(first - second).sum() <= method.noise(14, 2).l1


def test_the_noise_is_that_of_the_formula() -> None:
    method = DPMicroaggregation(epsilon=0.5, k=10, bounds={}, size_is_public=True)
    assert method.noise(105, 3) == Noise.for_budget(30 * STEPS, 30 * STEPS, 0.5, 0.0)
    assert method.noise(105, 3).scale == pytest.approx(30 * STEPS / 0.5)


def test_with_hardly_any_noise_values_are_the_means_of_their_clusters() -> None:
    age = [5.0, 1.0, 9.0, 2.0, 7.0]
    data = discreet.read({"age": age}, roles={"age": "quasi-identifier"})
    method = DPMicroaggregation(epsilon=1e9, k=2, bounds={"age": [0, 10]}, size_is_public=True)
    masked = method.protect(data, Context())
    assert masked.data["age"] == pytest.approx([7, 1.5, 7, 1.5, 7], abs=1e-4)


def test_values_stay_within_their_bounds_and_missing_ones_are_in_the_middle() -> None:
    data = discreet.read({"age": [-50.0, 500.0, None, None]}, roles={"age": "quasi-identifier"})
    bounds = {"age": [0, 100]}
    exact = DPMicroaggregation(epsilon=1e9, k=4, bounds=bounds, size_is_public=True)
    assert exact.protect(data, Context()).data["age"] == pytest.approx([50] * 4, abs=1e-3)
    noisy = DPMicroaggregation(epsilon=1e-3, k=2, bounds=bounds, size_is_public=True)
    made = noisy.protect(data, Context()).data["age"]
    assert made.min() >= 0
    assert made.max() <= 100


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"bounds": {}}, "bounds of column 'age'"),
        ({"bounds": {"age": [0, 100]}, "size_is_public": False}, "size_is_public must be true"),
        ({"bounds": {"age": [100, 0]}}, "do not ascend"),
    ],
)
def test_what_was_not_declared_is_asked_for(options: dict[str, Any], says: str) -> None:
    data = discreet.read({"age": [1.0, 2.0]}, roles={"age": "quasi-identifier"})
    with pytest.raises(UsageError, match=says):
        DPMicroaggregation(**{"epsilon": 1, "k": 2, "size_is_public": True, **options}).protect(
            data, Context()
        )


def test_dates_are_refused() -> None:
    import datetime

    days = [datetime.date(1990, 5, 1), datetime.date(1991, 5, 1)]
    data = discreet.read({"born": days}, roles={"born": "quasi-identifier"})
    method = DPMicroaggregation(epsilon=1, k=2, bounds={"born": [0, 1]}, size_is_public=True)
    with pytest.raises(DataError, match="dates"):
        method.protect(data, Context())
