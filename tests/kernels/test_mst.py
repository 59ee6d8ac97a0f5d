"""Spanning trees and their cutting: fast kernels against Kruskal and cutting in plain Python."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from discreet.kernels import mst, tree_growing
from discreet.kernels.closeness import closeness, distances
from discreet.kernels.mst import grow_by_comparison, minimum_spanning_tree
from discreet.kernels.tree_closeness import cut_by_closeness
from discreet.kernels.tree_cutting import cut_by_size
from discreet.kernels.tree_growing import grow_by_boxes, share_of_boxes

LAW = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
Table = np.ndarray
Edge = tuple[int, int]


def square(a: Table, b: Table) -> float:
    total = 0.0
    for x, y in zip(a.tolist(), b.tolist(), strict=True):
        total += (x - y) * (x - y)
    return total


def kruskal(points: Table) -> list[tuple[float, int, int]]:
    """All pairs, shortest first, then by lower and by higher record; a pair that joins counts."""
    n = len(points)
    part = list(range(n))
    chosen = []
    pairs = [(square(points[a], points[b]), a, b) for a in range(n) for b in range(a + 1, n)]
    for length, a, b in sorted(pairs):
        if part[a] != part[b]:
            chosen.append((length, a, b))
            gone, stays = part[b], part[a]
            part = [stays if p == gone else p for p in part]
    return chosen


def side(edges: set[Edge], start: int) -> set[int]:
    """All records that hang together with `start`."""
    seen, todo = {start}, [start]
    while todo:
        here = todo.pop()
        for a, b in edges:
            for one, other in ((a, b), (b, a)):
                if one == here and other not in seen:
                    seen.add(other)
                    todo.append(other)
    return seen


def slow_cut(
    tree: Sequence[tuple[float, int, int]],
    n: int,
    allowed: Callable[[set[int]], bool],
    once: bool = False,
) -> list[int]:
    """Cut the longest edge whose two sides are allowed, and begin again, until there is none.

    With `once` an edge that was passed over is not tried again.
    """
    edges = {(a, b) for _, a, b in tree}
    order = [(a, b) for _, a, b in sorted(tree, key=lambda e: (-e[0], e[1], e[2]))]
    while True:
        for edge in order:
            if edge in edges:
                left = edges - {edge}
                if allowed(side(left, edge[0])) and allowed(side(left, edge[1])):
                    edges = left
                    if not once:
                        break
        else:
            break
        if once:
            break
    groups: list[set[int]] = []
    for record in range(n):
        if not any(record in group for group in groups):
            groups.append(side(edges, record))
    return [next(i for i, group in enumerate(groups) if r in group) for r in range(n)]


def slow_distance(
    group: Sequence[int], everyone: Sequence[int], count: int, ordered: bool
) -> float:
    """The definitions of Li, Li & Venkatasubramanian in fractions; −1 is missing."""

    def share(classes: Sequence[int], which: int) -> Fraction:
        return Fraction(Counter(classes)[which], len(classes))

    if not ordered:
        gaps = [share(group, c) - share(everyone, c) for c in range(-1, count)]
        return float(sum(abs(gap) for gap in gaps) / 2)
    none_here, none_there = share(group, -1), share(everyone, -1)
    moved = abs(none_here - none_there)
    if count > 1 and none_here < 1 and none_there < 1:
        here, there = ([c for c in classes if c >= 0] for classes in (group, everyone))
        gaps = [share(here, c) - share(there, c) for c in range(count)]
        order = sum(abs(sum(gaps[: i + 1])) for i in range(count)) / (count - 1)
        moved += min(1 - none_here, 1 - none_there) * order
    return float(moved)


def as_list(edges: Table, squares: Table) -> list[tuple[float, int, int]]:
    return sorted((float(s), int(a), int(b)) for (a, b), s in zip(edges, squares, strict=True))


def constant_columns(rng: np.random.Generator, n: int, d: int) -> Table:
    points = rng.normal(size=(n, d))
    points[:, ::2] = 0.1
    return points


MAKERS: dict[str, Callable[[np.random.Generator, int, int], Table]] = {
    "normal": lambda rng, n, d: rng.normal(size=(n, d)),
    "lognormal": lambda rng, n, d: rng.lognormal(sigma=2.0, size=(n, d)),
    "few integers": lambda rng, n, d: rng.integers(0, 3, (n, d)).astype(float),
    "integers": lambda rng, n, d: rng.integers(-20, 20, (n, d)).astype(float),
    "signs": lambda rng, n, d: rng.choice([-0.1, 0.1], (n, d)),
    "all equal": lambda rng, n, d: np.full((n, d), 0.1),
    "constant columns": constant_columns,
    "duplicates": lambda rng, n, d: rng.normal(size=(n // 3, d))[rng.integers(0, n // 3, n)],
    "two scales": lambda rng, n, d: (
        rng.normal(size=(n, d)) * 1e-3 + 1e6 * rng.integers(0, 3, (n, 1))
    ),
    "clusters": lambda rng, n, d: rng.normal(size=(n, d)) * 0.01 + rng.integers(0, 4, (n, 1)),
}


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

        def grow(points: Table, advance=None, nominal=0, name=name, original=original):  # type: ignore[no-untyped-def]
            taken.append(name)
            return original(points, advance, nominal)

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


def tables() -> st.SearchStrategy[list[tuple[int, ...]]]:
    return st.integers(1, 2).flatmap(
        lambda d: st.lists(st.tuples(*[st.integers(0, 9)] * d), min_size=1, max_size=22)
    )


@LAW
@given(tables(), st.integers(1, 5))
def test_cutting_by_size_is_that_of_the_slow_twin(rows: list[tuple[int, ...]], k: int) -> None:
    points = np.array(rows, dtype=float)
    edges, lengths = minimum_spanning_tree(points)
    labels = cut_by_size(edges, lengths, k)
    expected = slow_cut(kruskal(points), len(points), lambda part: len(part) >= k)
    assert labels.tolist() == expected


@LAW
@given(
    tables(),
    st.integers(1, 4),
    st.integers(1, 4),
    st.sampled_from([0.1, 0.2, 0.25, 1 / 3, 0.5, 1.0]),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_cutting_by_closeness_is_that_of_the_slow_twin(
    rows: list[tuple[int, ...]], k: int, count: int, t: float, ordered: bool, seed: int
) -> None:
    points = np.array(rows, dtype=float)
    classes = np.random.default_rng(seed).integers(-1, count, len(rows))
    everyone = classes.tolist()
    # Among few records many groups lie right at t: leave out what rounding alone decides.
    slack = 1e-12

    def allowed(part: set[int]) -> bool:
        group = [everyone[r] for r in sorted(part)]
        return len(part) >= k and slow_distance(group, everyone, count, ordered) <= t + slack

    edges, lengths = minimum_spanning_tree(points)
    labels = cut_by_closeness(edges, lengths, k, classes, count, t + slack, ordered=ordered)
    once = ordered and -1 in everyone
    assert labels.tolist() == slow_cut(kruskal(points), len(points), allowed, once)


def test_the_longest_edge_that_classes_allow_is_cut() -> None:
    # A row a b | a a b b: 9 and 4 would leave three or four of a kind on one side.
    edges = np.array([[0, 1], [1, 2], [2, 3], [3, 4], [4, 5]])
    lengths = np.array([1.0, 5.0, 9.0, 4.0, 1.0])
    classes = np.array([0, 1, 0, 0, 1, 1])
    assert cut_by_closeness(edges, lengths, 2, classes, 2, t=0.1).tolist() == [0, 0, 1, 1, 1, 1]
    assert cut_by_closeness(edges, lengths, 2, classes, 2, t=0.2).tolist() == [0, 0, 0, 1, 1, 1]


@LAW
@given(st.integers(1, 40), st.integers(1, 5), st.booleans(), st.integers(0, 2**32 - 1))
def test_distances_are_the_definitions(n: int, count: int, ordered: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    classes, labels = rng.integers(-1, count, n), rng.integers(0, 3, n)
    labels = np.unique(labels, return_inverse=True)[1]
    found = distances(labels, classes, count, ordered)
    for group in range(labels.max() + 1):
        members = classes[labels == group].tolist()
        expected = slow_distance(members, classes.tolist(), count, ordered)
        assert found[group] == pytest.approx(expected)
        assert -1e-12 <= found[group] <= 1 + 1e-12


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_distances_are_the_earth_movers(count: int, ordered: bool) -> None:
    from scipy.optimize import linprog

    rng = np.random.default_rng(count)
    cost = 1 - np.eye(count + 1)
    if ordered:
        place = np.arange(count) / (count - 1)
        cost[:count, :count] = np.abs(place[:, None] - place)
    # what leaves each class, and what arrives there
    margins = np.vstack(
        [np.kron(np.eye(count + 1), np.ones(count + 1)),
         np.kron(np.ones(count + 1), np.eye(count + 1))]
    )  # fmt: skip
    for missing in (True, False):
        for _ in range(10):
            p, q = rng.integers(0, 5, count + 1), rng.integers(1, 5, count + 1)
            p[rng.integers(count)] += 1
            if not missing:
                p[count] = q[count] = 0
            shares = np.concatenate([p / p.sum(), q / q.sum()])
            least = linprog(cost.ravel(), A_eq=margins, b_eq=shares).fun
            found = closeness(p, int(p.sum()), q, int(q.sum()), ordered)
            if ordered and missing:  # the missing share first is one way, not always the cheapest
                assert least - 1e-9 <= found <= 1 + 1e-9
            else:
                assert found == pytest.approx(least, abs=1e-9)


@LAW
@given(st.integers(1, 5), st.booleans(), st.integers(0, 2**32 - 1))
def test_a_union_is_no_farther_than_its_groups(count: int, ordered: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    overall = rng.integers(1, 9, count + 1)
    one, other = rng.integers(0, 5, (2, count + 1)) + np.eye(count + 1, dtype=int)[0]
    if ordered:
        overall[count] = one[count] = other[count] = 0
    both, total = one + other, int(overall.sum())
    apart = [closeness(c, int(c.sum()), overall, total, ordered) for c in (one, other)]
    assert closeness(both, int(both.sum()), overall, total, ordered) <= max(apart) + 1e-12


@pytest.mark.parametrize("maker", MAKERS)
def test_no_group_is_too_small(maker: str) -> None:
    points = MAKERS[maker](np.random.default_rng(8), 800, 3)
    edges, lengths = minimum_spanning_tree(points)
    classes = np.random.default_rng(9).integers(-1, 3, 800)
    for k in (2, 5, 401):
        assert np.bincount(cut_by_size(edges, lengths, k)).min() >= k
        labels = cut_by_closeness(edges, lengths, k, classes, 3, 0.3)
        assert np.bincount(labels).min() >= k
        assert distances(labels, classes, 3, False).max() <= 0.3
    assert np.array_equal(
        cut_by_size(edges, lengths, 7), cut_by_closeness(edges, lengths, 7, classes, 3, 1.0)
    )


def test_progress_of_cutting_adds_up() -> None:
    edges, lengths = minimum_spanning_tree(np.random.default_rng(4).normal(size=(3000, 2)))
    told: list[int] = []
    cut_by_size(edges, lengths, 5, told.append)
    assert sum(told) == 2999
    told.clear()
    classes = np.random.default_rng(9).integers(0, 3, 3000)
    cut_by_closeness(edges, lengths, 5, classes, 3, 0.2, advance=told.append)
    assert sum(told) == 2999
