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

from discreet.models.mixture.starting import _on_axes, agglomerate, by_quantiles


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
        labels = agglomerate(points, whole=True).cut(clusters)
        found = {frozenset(np.flatnonzero(labels == g).tolist()) for g in range(clusters)}
        assert found == _slow_agglomeration(points, clusters)


def _as_mclust(x: NDArray[np.float64], clusters: int) -> set[frozenset[int]]:
    """mclust's agglomeration, by triangular factors of which it repeats the first row."""
    d = x.shape[1]
    floor = float(((x - x.mean(axis=0)) ** 2).sum()) / x.size
    groups = {i: [i] for i in range(len(x))}
    factors = {i: np.zeros((0, d)) for i in groups}
    terms = {i: np.log(floor) for i in groups}

    def factor(i: int, j: int) -> NDArray[np.float64]:
        a, b = len(groups[i]), len(groups[j])
        apart = x[groups[i]].mean(axis=0) - x[groups[j]].mean(axis=0)
        rows = [factors[i], factors[j], np.sqrt(a * b / (a + b)) * apart[None]]
        return np.asarray(np.linalg.qr(np.concatenate(rows), mode="r"))

    def rise(i: int, j: int) -> float:
        n = len(groups[i] + groups[j])
        own = x[groups[i] + groups[j]]
        inside = (float(((own - own.mean(axis=0)) ** 2).sum()) + floor) / n
        if n > d:
            inside += float(np.prod(np.diag(factor(i, j)) ** 2 / n))
        return float(n * np.log(inside) - terms[i] - terms[j])

    rises = {(i, j): rise(i, j) for i, j in combinations(groups, 2)}
    last = -1
    while len(groups) > clusters:
        i, j = min(rises, key=lambda pair: rises[pair])
        joined = factor(i, j)
        if last in groups and last not in (i, j):
            first = factors[last][0]
            factors[last] = np.triu(np.tile(first, (len(factors[last]), 1)))
        terms[i] += terms[j] + rises[i, j]
        groups[i] += groups.pop(j)
        factors[i], last = joined, i
        rises = {pair: value for pair, value in rises.items() if j not in pair}
        rises |= {tuple(sorted((i, g))): rise(i, g) for g in groups if g != i}  # type: ignore[misc]
    return {frozenset(group) for group in groups.values()}


@pytest.mark.parametrize("seed", range(6))
def test_agglomeration_as_mclust_has_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(40, 3)) + rng.integers(0, 3, 40)[:, None] * 2
    tree = agglomerate(points, rotated=False)
    for clusters in (2, 3, 6):
        labels = tree.cut(clusters)
        found = {frozenset(np.flatnonzero(labels == g).tolist()) for g in range(clusters)}
        assert found == _as_mclust(points, clusters)


def test_the_two_forms_differ_in_what_they_remember() -> None:
    rng = np.random.default_rng(2)
    points = rng.normal(size=(80, 3)) @ np.diag([1, 8, 0.3]) + rng.integers(0, 3, 80)[:, None] * 2
    cuts = [agglomerate(points, rotated=False, whole=whole).cut(4) for whole in (False, True)]
    assert not np.array_equal(cuts[0], cuts[1])


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


def _cut_as_mclust(values: list[float], clusters: int) -> list[int]:
    """mclust's qclass, written out."""
    x, count, ends = np.array(values), clusters, np.zeros(0)
    while len(ends) < clusters + 1:
        count += 1
        ends = np.unique(np.quantile(x, np.linspace(0, 1, count)))
    while len(ends) > clusters + 1:
        gaps = np.diff(ends).tolist()
        surplus = sorted(range(len(gaps)), key=gaps.__getitem__)[: len(ends) - clusters - 1]
        ends = np.array([end for i, end in enumerate(ends) if i not in surplus])
    ends[0], ends[-1] = -np.inf, np.inf
    return [next(i for i in range(clusters) if ends[i] <= v < ends[i + 1]) for v in values]


@pytest.mark.parametrize("values", [20, 5])
@pytest.mark.parametrize("clusters", [2, 3, 5])
def test_a_single_column_is_cut_at_quantiles_as_by_mclust(values: int, clusters: int) -> None:
    rng = np.random.default_rng(values)
    for _ in range(20):
        column = rng.integers(0, values, 40).astype(float)
        expected = np.unique(_cut_as_mclust(column.tolist(), clusters), return_inverse=True)[1]
        assert np.array_equal(by_quantiles(column, clusters), expected)


def test_few_values_are_cut_into_fewer_clusters() -> None:
    assert by_quantiles(np.array([1.0, 1.0, 1.0]), 3).tolist() == [0, 0, 0]
    assert set(by_quantiles(np.repeat([1.0, 2.0], 50), 9).tolist()) == {0, 1}
