"""Linkage by distance against a brute-force intruder, in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from discreet.contracts import Context
from discreet.measures.linkage import neighbours
from discreet.measures.linkage.neighbours import own_among_nearest
from discreet.measures.linkage.sets import CodeSets

LAW = settings(
    max_examples=50,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
BRANCHES = {"tree": 99, "comparison": 0}


@pytest.fixture(params=BRANCHES)
def branch(request: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a test once with the tree and once by comparison with every original."""
    monkeypatch.setattr(neighbours, "TREE_DIMENSIONS", BRANCHES[request.param])
    monkeypatch.setattr(neighbours, "FEW_PAIRS", 0)
    return str(request.param)


def slow_linkage(
    originals: list[list[int]], released: list[list[int]], origin: list[int], m: int
) -> list[float]:
    """Rank all originals by exact squared distance; ties are drawn from at random."""
    found = []
    for point, own in zip(released, origin, strict=True):
        distances = [
            sum((Fraction(x) - Fraction(y)) ** 2 for x, y in zip(point, other, strict=True))
            for other in originals
        ]
        nearer = sum(d < distances[own] for d in distances)
        tied = sum(d == distances[own] for d in distances)
        found.append(float(Fraction(min(max(m - nearer, 0), tied), tied)))
    return found


points = st.integers(1, 4).flatmap(
    lambda d: st.tuples(
        st.lists(st.lists(st.integers(-2, 2), min_size=d, max_size=d), min_size=1, max_size=12),
        st.lists(st.lists(st.integers(-2, 2), min_size=d, max_size=d), min_size=1, max_size=12),
        st.data(),
    )
)


@pytest.mark.parametrize("branch_name", BRANCHES)
@pytest.mark.parametrize("m", [1, 2, 3])
@LAW
@given(drawn=points)
def test_linkage_is_that_of_the_brute_force_intruder(
    branch_name: str, m: int, drawn: tuple[list[list[int]], list[list[int]], Any]
) -> None:
    originals, released, data = drawn
    origin = data.draw(
        st.lists(st.integers(0, len(originals) - 1), min_size=len(released), max_size=len(released))
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbours, "TREE_DIMENSIONS", BRANCHES[branch_name])
        patch.setattr(neighbours, "FEW_PAIRS", 0)
        found = own_among_nearest(
            np.array(originals, dtype=float),
            np.array(released, dtype=float),
            np.array(origin),
            m,
            Context(),
        )
    assert found.tolist() == pytest.approx(slow_linkage(originals, released, origin, m))


@pytest.mark.parametrize("m", [1, 2])
def test_many_records_in_many_blocks(branch: str, m: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "BLOCK", 40)
    rng = np.random.default_rng(4)
    originals = rng.integers(-3, 4, (150, 3))
    origin = rng.permutation(150)[:90]
    released = originals[origin] + rng.integers(-1, 2, (90, 3))
    found = own_among_nearest(originals.astype(float), released.astype(float), origin, m, Context())
    expected = slow_linkage(originals.tolist(), released.tolist(), origin.tolist(), m)
    assert found.tolist() == pytest.approx(expected)
    assert 0 < found.mean() < 1


def test_means_of_groups_are_as_far_from_one_member_as_from_the_other(branch: str) -> None:
    # In floating point the two distances differ in the last bits.
    rng = np.random.default_rng(8)
    originals = rng.normal(size=(40, 3)) / 3 + 100 * np.arange(40)[:, None] // 2
    pairs = originals.reshape(20, 2, 3).mean(axis=1).repeat(2, axis=0)
    found = own_among_nearest(originals, pairs, np.arange(40), 1, Context())
    assert found.tolist() == [0.5] * 40


def test_equal_records_share_the_chance(branch: str) -> None:
    originals = np.array([[0.0, 0.0]] * 4 + [[9.0, 9.0]])
    found = own_among_nearest(originals, originals, np.arange(5), 1, Context())
    assert found.tolist() == [0.25] * 4 + [1.0]
    second = own_among_nearest(originals, originals, np.arange(5), 2, Context())
    assert second.tolist() == [0.5] * 4 + [1.0]


@pytest.mark.parametrize("far", [1.0, 30.0, 300.0])
def test_equal_records_far_from_the_centre_share_the_chance(branch: str, far: float) -> None:
    # Outliers of 30 standard deviations are common in the Census file of the literature.
    rng = np.random.default_rng(2)
    originals = np.repeat(far * rng.normal(size=(25, 14)), 2, axis=0)
    found = own_among_nearest(originals, originals, np.arange(50), 1, Context())
    assert found.tolist() == [0.5] * 50


def test_records_that_differ_a_little_beside_an_outlier_are_told_apart(branch: str) -> None:
    # One value of 1e12 among ages: standardised, the ages differ by about 1e-11.
    ages = np.array([20.0, 30.0, 40.0, 50.0, 60.0, 1e12])
    standard = ((ages - ages.mean()) / ages.std())[:, None]
    found = own_among_nearest(standard, standard, np.arange(6), 1, Context())
    assert found.tolist() == [1.0] * 6


def test_more_candidates_than_records(branch: str) -> None:
    originals = np.array([[0.0], [5.0]])
    released = np.array([[9.0], [9.0]])
    found = own_among_nearest(originals, released, np.arange(2), 3, Context())
    assert found.tolist() == [1.0, 1.0]


def test_nothing_released(branch: str) -> None:
    none = np.zeros((0, 2))
    found = own_among_nearest(np.ones((3, 2)), none, np.zeros(0, dtype=np.int64), 1, Context())
    assert found.tolist() == []


def test_any_number_of_threads_links_the_same_records(
    branch: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(6)
    originals = rng.integers(0, 9, (700, 3)).astype(float)
    released = originals + rng.integers(-1, 2, (700, 3)).astype(float)
    codes = rng.integers(0, 4, (700, 2)).astype(np.int32)
    sets = CodeSets.single(rng.permuted(codes, axis=0))
    monkeypatch.setattr(neighbours, "PIECE", 64)
    monkeypatch.setattr(neighbours, "BLOCK", 50)
    found = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        own = np.arange(700)
        found.append(own_among_nearest(originals, released, own, 1, Context(), (codes, sets)))
    assert 0 < found[0].mean() < 1
    assert all(np.array_equal(chances, found[0]) for chances in found)
