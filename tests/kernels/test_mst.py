"""Spanning trees and their cutting: fast kernels against Kruskal and cutting in plain Python."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.kernels import mst, tree_growing
from discreet.kernels.mst import grow_by_comparison, minimum_spanning_tree
from discreet.kernels.tree_growing import boxes_of, grow_by_boxes, share_of_boxes
from tests.kernels.points import MAKERS, Table
from tests.kernels.spanning_trees import LAW, kruskal


def as_list(edges: Table, squares: Table) -> list[tuple[float, int, int]]:
    return sorted((float(s), int(a), int(b)) for (a, b), s in zip(edges, squares, strict=True))


@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("maker", MAKERS)
def test_the_tree_is_kruskals(maker: str, d: int) -> None:
    points = MAKERS[maker](np.random.default_rng(d), 60, d)
    expected = kruskal(points)
    for grow in (grow_by_comparison, grow_by_boxes):
        assert as_list(*grow(points)) == expected
    edges, lengths = minimum_spanning_tree(points)
    assert edges.dtype == np.int64
    found = [(float(length), int(a), int(b)) for (a, b), length in zip(edges, lengths, strict=True)]
    assert found == [(math.sqrt(length), a, b) for length, a, b in expected]


@LAW
@given(
    st.integers(1, 3).flatmap(
        lambda d: st.lists(st.tuples(*[st.integers(0, 4)] * d), min_size=1, max_size=24)
    )
)
def test_ties_and_equal_records_are_settled_by_the_file(rows: list[tuple[int, ...]]) -> None:
    points = np.array(rows, dtype=float)
    expected = kruskal(points)
    assert as_list(*grow_by_comparison(points)) == expected
    assert as_list(*grow_by_boxes(points)) == expected
    edges, _ = minimum_spanning_tree(points)
    assert edges.tolist() == [[a, b] for _, a, b in expected]


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize(("n", "d"), [(3000, 2), (3000, 4), (1500, 9)])
def test_both_ways_give_the_same_tree(
    maker: str, n: int, d: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = MAKERS[maker](np.random.default_rng(n), n, d)
    compared = minimum_spanning_tree(points)
    monkeypatch.setattr(mst, "_FEW_RECORDS", 1)
    monkeypatch.setattr(mst, "_MANY_BOXES", 2.0)
    boxed = minimum_spanning_tree(points)
    assert np.array_equal(compared[0], boxed[0])
    assert np.array_equal(compared[1], boxed[1])
    assert np.all(np.diff(boxed[1]) >= 0)


@pytest.mark.parametrize("nominal", [0, 2])
def test_records_of_different_categories_are_kept_apart(nominal: int) -> None:
    rng = np.random.default_rng(7)
    codes = rng.integers(0, 3, size=(3000, 2))
    points = np.column_stack([rng.uniform(0, 0.3, size=(3000, 3)), codes])
    boxes = boxes_of(points, nominal)
    assert boxes.apart
    boxed = grow_by_boxes(points, nominal=nominal, boxes=boxes)
    assert as_list(*boxed) == as_list(*grow_by_comparison(points, nominal=nominal))


def test_large_components_that_are_far_apart_get_boxes_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(7)
    points = rng.uniform(0, 0.3, size=(3000, 5))
    points[:, 3:] += rng.integers(0, 3, size=(3000, 2))
    formed = []
    original = tree_growing._by_component

    def anew(points: Table, component: Table, *given):  # type: ignore[no-untyped-def]
        formed.append(len(np.unique(component)))
        return original(points, component, *given)

    monkeypatch.setattr(tree_growing, "_by_component", anew)
    assert not boxes_of(points).apart
    boxed = grow_by_boxes(points)
    assert as_list(*boxed) == as_list(*grow_by_comparison(points))
    assert len(formed) == 1, "once, and the components of later rounds are unions of those"
    assert 1 < formed[0] <= 3000 / 200


@pytest.mark.parametrize("maker", ["normal", "integers", "clusters"])
def test_any_number_of_threads_grows_the_same_tree(
    maker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = MAKERS[maker](np.random.default_rng(4), 6000, 3)
    trees = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        trees.append([*minimum_spanning_tree(points), *grow_by_boxes(points)])
    for tree in trees[1:]:
        assert all(map(np.array_equal, tree, trees[0]))


def test_records_that_differ_by_little_among_large_numbers_are_not_equal() -> None:
    points = np.array([[1e18, 0.0], [1e18, 1.0], [1e18, 0.0], [1e18, -0.0]])
    assert minimum_spanning_tree(points)[0].tolist() == [[0, 2], [0, 3], [0, 1]]


def test_total_length_is_that_of_scipy() -> None:
    from scipy.sparse.csgraph import minimum_spanning_tree as dense
    from scipy.spatial.distance import pdist, squareform

    points = np.random.default_rng(5).normal(size=(400, 3))
    assert minimum_spanning_tree(points)[1].sum() == pytest.approx(
        dense(squareform(pdist(points))).sum()
    )


def test_the_choice_between_the_two_follows_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    many, few = rng.normal(size=(5000, 30)), rng.normal(size=(5000, 3))
    assert share_of_boxes(many) > 0.9
    assert share_of_boxes(few) < 0.02
    taken = []
    for name in ("grow_by_boxes", "grow_by_comparison"):
        original = getattr(mst, name)

        def grow(*given, name=name, original=original):  # type: ignore[no-untyped-def]
            taken.append(name)
            return original(*given)

        monkeypatch.setattr(mst, name, grow)
    minimum_spanning_tree(few)
    minimum_spanning_tree(many)
    assert taken == ["grow_by_boxes", "grow_by_comparison"]


@pytest.mark.parametrize(("n", "d"), [(0, 2), (1, 2), (2, 1), (3, 0)])
def test_the_smallest_tables(n: int, d: int) -> None:
    edges, lengths = minimum_spanning_tree(np.zeros((n, d)))
    assert edges.shape == (max(n - 1, 0), 2)
    assert lengths.tolist() == [0.0] * max(n - 1, 0)


@pytest.mark.parametrize("factor", [1e200, 1e-200, 2.0**300])
def test_huge_and_tiny_values_keep_their_tree(factor: float) -> None:
    points = np.random.default_rng(2).normal(size=(80, 3))
    edges, lengths = minimum_spanning_tree(points)
    again, scaled = minimum_spanning_tree(points * factor)
    assert np.array_equal(edges, again)
    assert scaled / factor == pytest.approx(lengths)


def test_values_that_are_not_finite_are_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        minimum_spanning_tree(np.array([[0.0], [np.nan]]))


def test_input_is_left_alone_and_any_layout_is_taken() -> None:
    points = np.random.default_rng(3).normal(size=(90, 4))
    frozen = np.asfortranarray(points)
    frozen.flags.writeable = False
    assert np.array_equal(minimum_spanning_tree(frozen)[0], minimum_spanning_tree(points)[0])
    assert np.array_equal(frozen, points)
    line = points[:, :1].copy()
    minimum_spanning_tree(line)
    assert np.array_equal(line, points[:, :1])


@pytest.mark.parametrize("grow", [grow_by_comparison, grow_by_boxes, minimum_spanning_tree])
def test_progress_adds_up_and_stops_the_run(
    grow: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mst, "_FIRST_STRETCH", 5000)
    monkeypatch.setattr(tree_growing, "_FIRST_STRETCH", 50)
    points = np.random.default_rng(3).normal(size=(500, 2))
    told: list[int] = []
    grow(points, told.append)
    assert sum(told) == 499
    assert min(told) >= 0
    assert len(told) > 2

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grow(points, stop)
