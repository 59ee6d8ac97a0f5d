"""Where EM starts from."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_iris

from discreet.models.mixture.starting import _on_axes, agglomerate


def _cost(points: NDArray[np.float64], members: list[int], floor: float) -> float:
    x = points[members]
    n, d = x.shape
    scatter = (x - x.mean(axis=0)).T @ (x - x.mean(axis=0))
    inside = (np.trace(scatter) + floor) / n
    if n > d:
        inside += max(np.linalg.det(scatter / n), 0.0)
    return float(n * np.log(inside))


def _slow_agglomeration(points: NDArray[np.float64], clusters: int) -> set[frozenset[int]]:
    """The definition, tried on all pairs at every step."""
    x = _on_axes(points)
    floor = float(((x - x.mean(axis=0)) ** 2).sum()) / x.size
    groups = [[i] for i in range(len(x))]
    while len(groups) > clusters:
        rises = {
            (i, j): _cost(x, groups[i] + groups[j], floor)
            - _cost(x, groups[i], floor) - _cost(x, groups[j], floor)
            for i, j in combinations(range(len(groups)), 2)
        }  # fmt: skip
        i, j = min(rises, key=lambda pair: rises[pair])
        groups[i] += groups.pop(j)
    return {frozenset(group) for group in groups}


@pytest.mark.parametrize("seed", range(4))
def test_agglomeration_against_its_slow_twin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(18, 2)) + rng.integers(0, 3, 18)[:, None] * 3
    for clusters in (2, 3, 6):
        labels = agglomerate(points).cut(clusters)
        found = {frozenset(np.flatnonzero(labels == g).tolist()) for g in range(clusters)}
        assert found == _slow_agglomeration(points, clusters)


def test_the_start_does_not_depend_on_units() -> None:
    points = load_iris().data
    other = points * np.array([1000.0, 0.01, 1, 5]) + 7
    assert np.array_equal(agglomerate(points).cut(4), agglomerate(other).cut(4))


def test_kmeans_runs_on_one_thread_from_its_first_use() -> None:
    # In a process of its own, where scikit-learn has not been loaded yet.
    code = """
        import numpy as np
        from discreet.models.mixture.starting import kmeans
        seen = []
        import sys
        import threadpoolctl
        assert "sklearn" not in sys.modules
        class Limits(threadpoolctl.threadpool_limits):
            def __enter__(self):
                seen.extend(entry["num_threads"] for entry in threadpoolctl.threadpool_info())
                seen.extend(entry["user_api"] for entry in threadpoolctl.threadpool_info())
                return super().__enter__()
        threadpoolctl.threadpool_limits = Limits
        kmeans(np.random.default_rng(1).normal(size=(500, 2)), 3, np.random.default_rng(1))
        print(1 in seen, 2 in seen, "openmp" in seen)
    """
    environment = {**os.environ, "OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "True False True\n", done.stderr
