"""V-MDAV: the fast kernel against an obvious twin, its sizes, and what γ does."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from discreet.kernels import vmdav
from discreet.kernels.vmdav import vmdav_labels

Table = np.ndarray[Any, np.dtype[np.float64]]
Indices = np.ndarray[Any, np.dtype[np.int64]]
LAW = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def slow_vmdav(points: Table, k: int, gamma: float) -> list[int]:
    """The algorithm as it is told, one record at a time."""
    n = len(points)
    if n < k:
        return [0] * n
    labels = np.full(n, -1)
    centre = np.array([math.fsum(column) / n for column in points.T.tolist()])

    def squared(centre: Table) -> Table:
        total = np.zeros(n)
        for j, x in enumerate(centre):
            total += (points[:, j] - x) ** 2
        return total

    def left() -> Indices:
        return np.flatnonzero(labels < 0)

    from_centre = squared(centre)
    apart = np.array([squared(point) for point in points])
    groups: list[list[int]] = []
    while len(left()) >= k:
        # of equals, the first
        seed = int(left()[np.argmax(from_centre[left()])])
        others = left()[left() != seed]
        nearest = others[np.argsort(apart[seed, others], kind="stable")]
        group = [seed, *nearest[: k - 1].tolist()]
        labels[group] = len(groups)
        while len(group) < 2 * k - 1 and len(left()):
            gaps = apart[group][:, left()].min(axis=0)
            inside, candidate = gaps.min(), int(left()[gaps.argmin()])
            outside = apart[candidate, left()[left() != candidate]].min(initial=math.inf)
            if gamma == 0 or not inside < gamma * gamma * outside:
                break
            group.append(candidate)
            labels[candidate] = len(groups)
        groups.append(group)
    rest = left()
    gaps = np.array(
        [squared(np.array([sum(x) / len(x) for x in points[sorted(g)].T.tolist()])) for g in groups]
    )
    labels[rest] = gaps[:, rest].argmin(axis=0)
    return list(labels.tolist())


MAKERS: dict[str, Callable[[np.random.Generator, int, int], Table]] = {
    "normal": lambda rng, n, d: rng.normal(size=(n, d)),
    "lognormal": lambda rng, n, d: rng.lognormal(sigma=2.0, size=(n, d)),
    "few integers": lambda rng, n, d: rng.integers(0, 3, (n, d)).astype(float),
    "integers": lambda rng, n, d: rng.integers(-20, 20, (n, d)).astype(float),
    "all equal": lambda rng, n, d: np.full((n, d), 0.1),
    "clumps": lambda rng, n, d: rng.normal(size=(n, d)) * 0.01 + rng.integers(0, 9, (n, 1)),
    "duplicates": lambda rng, n, d: rng.normal(size=(n // 4 + 1, d))[
        rng.integers(0, n // 4 + 1, n)
    ],
}


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("seed", range(12))
def test_labels_are_those_of_the_twin(maker: str, seed: int) -> None:
    rng = np.random.default_rng([seed, len(maker)])
    n, d, k = int(rng.integers(0, 90)), int(rng.integers(1, 6)), int(rng.integers(1, 8))
    gamma = float(rng.choice([0.0, 0.2, 0.8, 1.1, 3.0]))
    points = MAKERS[maker](rng, n, d)
    assert vmdav_labels(points, k, gamma).tolist() == slow_vmdav(points, k, gamma)


@pytest.fixture
def far_sighted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small tables are grouped as large ones are."""
    monkeypatch.setattr(vmdav, "AHEAD_FROM", 0)
    monkeypatch.setattr(vmdav, "QUEUED", 9)
    monkeypatch.setattr(vmdav, "WINDOW", 2)


@pytest.mark.usefixtures("far_sighted")
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("seed", range(20))
def test_any_number_of_threads_gives_the_labels_of_the_twin(maker: str, seed: int) -> None:
    rng = np.random.default_rng([seed, len(maker), 1])
    n, d, k = int(rng.integers(0, 120)), int(rng.integers(1, 6)), int(rng.integers(1, 8))
    gamma = float(rng.choice([0.0, 0.2, 0.8, 1.1, 3.0]))
    points = MAKERS[maker](rng, n, d)
    expected = slow_vmdav(points, k, gamma)
    for threads in (2, 4):
        assert vmdav_labels(points, k, gamma, threads=threads).tolist() == expected


@pytest.mark.usefixtures("far_sighted")
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("gamma", [0.0, 0.2, 1.1])
def test_any_number_of_threads_gives_the_same_labels(maker: str, gamma: float) -> None:
    rng = np.random.default_rng(1)
    points = np.hstack([MAKERS[maker](rng, 3_000, 4), rng.integers(0, 4, (3_000, 2))])
    expected = vmdav_labels(points, 4, gamma, None, 2, threads=1)
    for threads in (2, 4):
        labels = vmdav_labels(points, 4, gamma, None, 2, threads)
        np.testing.assert_array_equal(labels, expected)


@LAW
@given(
    st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), max_size=30),
    st.integers(1, 6),
    st.sampled_from([0.0, 0.25, 1.0, 1.5]),
)
def test_ties_go_to_the_lowest_index(rows: list[tuple[int, int]], k: int, gamma: float) -> None:
    points = np.array(rows, dtype=float).reshape(-1, 2)
    assert vmdav_labels(points, k, gamma).tolist() == slow_vmdav(points, k, gamma)


@pytest.mark.parametrize("gamma", [0.0, 0.2, 1.1, 5.0])
@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize("n", [0, 1, 4, 5, 9, 10, 23, 400, 2_000])
def test_no_group_is_smaller_than_k(n: int, k: int, gamma: float) -> None:
    labels = vmdav_labels(np.random.default_rng(n).lognormal(size=(n, 3)), k, gamma)
    sizes = np.bincount(labels)
    assert labels.dtype == np.int64
    assert sizes.sum() == n
    if n >= k:
        assert sizes.min() >= k
        # up to 2k − 1 as formed, and all of the fewer than k records left may join one group
        assert sizes.max() <= 3 * k - 2
    else:
        assert sizes.tolist() == ([n] if n else [])


def test_gamma_zero_gives_groups_of_k() -> None:
    points = np.random.default_rng(1).normal(size=(300, 3))
    assert (np.bincount(vmdav_labels(points, 5, 0.0)) == 5).all()


def test_a_large_gamma_fills_groups_up() -> None:
    points = np.random.default_rng(1).normal(size=(270, 3))
    assert (np.bincount(vmdav_labels(points, 5, 1e9)) == 9).all()


def test_a_clump_stays_together() -> None:
    # Two clumps of four with k = 3: fixed sizes cut one of them, variable sizes need not.
    points = np.array([[0.0], [0.1], [0.2], [0.3], [9.0], [9.1], [9.2], [9.3]])
    assert vmdav_labels(points, 3, 0.2).tolist() == [0, 0, 0, 0, 1, 1, 1, 1]


@pytest.mark.parametrize("power", [-1000, 1000])
def test_huge_and_tiny_values_group_as_moderate_ones(power: int) -> None:
    points = np.random.default_rng(1).normal(size=(200, 3))
    scaled = np.ldexp(points, power)
    np.testing.assert_array_equal(vmdav_labels(scaled, 3), vmdav_labels(points, 3))


def test_the_table_is_left_alone_and_its_layout_does_not_matter() -> None:
    points = np.random.default_rng(3).normal(size=(200, 3))
    copy = points.copy()
    points.setflags(write=False)
    expected = vmdav_labels(points, 3)
    np.testing.assert_array_equal(points, copy)
    np.testing.assert_array_equal(vmdav_labels(np.asfortranarray(points), 3), expected)


def test_no_columns_no_distances() -> None:
    assert sorted(np.bincount(vmdav_labels(np.empty((7, 0)), 2))) == [2, 2, 3]


def test_what_cannot_be_grouped_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        vmdav_labels(np.array([[1.0], [np.nan]]), 2)
    with pytest.raises(ValueError, match="k is 0"):
        vmdav_labels(np.zeros((3, 1)), 0)
    with pytest.raises(ValueError, match="gamma is -1"):
        vmdav_labels(np.zeros((3, 1)), 2, -1)


@pytest.mark.parametrize("n", [0, 2, 7, 5_000])
def test_progress_adds_up(n: int) -> None:
    steps: list[int] = []
    vmdav_labels(np.random.default_rng(4).normal(size=(n, 3)), 3, 0.2, steps.append)
    assert sum(steps) == n
    assert all(step > 0 for step in steps)


def test_an_interrupt_gets_through() -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        vmdav_labels(np.random.default_rng(5).normal(size=(5_000, 9)), 3, 0.2, interrupt)
