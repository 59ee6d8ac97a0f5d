"""Dependency between attributes: a metric, a tree that is least, key attributes within bounds."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import discreet
from discreet import Microdata
from discreet.contracts import Context
from discreet.microaggregation.partition import MDAV
from discreet.models.dependency import (
    MOST_BINS,
    best_dependency_tree,
    coded,
    conditional_entropy,
    dependency_matrix,
    dependency_tree,
    entropy,
    key_attributes,
)
from discreet.testing.tables import edges, ordinary

LAW = settings(max_examples=150, deadline=None, derandomize=True, database=None)


@st.composite
def tables(draw: st.DrawFn, columns: int = 3) -> list[NDArray[np.int64]]:
    rows = draw(st.integers(1, 30))
    value = st.integers(0, draw(st.integers(0, 6)))
    column = st.lists(value, min_size=rows, max_size=rows)
    return [np.array(draw(column)) for _ in range(columns)]


def slow_entropy(*columns: NDArray[np.int64]) -> float:
    """The definition, term by term."""
    records = list(zip(*(column.tolist() for column in columns), strict=True))
    shares = [records.count(record) / len(records) for record in set(records)]
    return float(-sum(share * np.log2(share) for share in shares))


@LAW
@given(tables())
def test_entropy_is_the_definition(columns: list[NDArray[np.int64]]) -> None:
    for some in range(1, 4):
        expected = slow_entropy(*columns[:some])
        assert entropy(*columns[:some]) == pytest.approx(expected, abs=1e-12)


@LAW
@given(tables())
def test_proposition_1(columns: list[NDArray[np.int64]]) -> None:
    x, y, _ = columns
    conditional = conditional_entropy(y, given=x)
    assert 0 <= conditional <= entropy(y) + 1e-12
    assert entropy(x, y) == pytest.approx(entropy(x) + conditional, abs=1e-12)
    assert entropy(x, y) <= entropy(x) + entropy(y) + 1e-12
    assert entropy(y) <= np.log2(len(np.unique(y))) + 1e-12


@LAW
@given(tables())
def test_theorem_1_the_measure_is_a_metric(columns: list[NDArray[np.int64]]) -> None:
    matrix = dependency_matrix(columns)
    assert (matrix >= 0).all()
    assert np.array_equal(matrix, matrix.T)
    assert not matrix.diagonal().any()
    for i, j, k in itertools.permutations(range(3)):
        assert matrix[i, k] <= matrix[i, j] + matrix[j, k] + 1e-12
    for i, j in itertools.combinations(range(3), 2):
        a, b = columns[i], columns[j]
        assert matrix[i, j] == pytest.approx(
            conditional_entropy(a, given=b) + conditional_entropy(b, given=a), abs=1e-12
        )
        pairs = len(set(zip(a.tolist(), b.tolist(), strict=True)))
        one_to_one = pairs == len(set(a.tolist())) == len(set(b.tolist()))
        assert (matrix[i, j] == 0) == one_to_one


def test_a_wide_joint_table_is_counted_the_same() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 5000, (2, 20)).repeat(rng.integers(1, 40, 20), axis=1)
    assert entropy(a, b) == pytest.approx(slow_entropy(a, b), abs=1e-12)
    few = rng.permutation(10**6)[:300]
    assert entropy(few) == pytest.approx(np.log2(300))
    assert dependency_matrix([few, np.arange(300)])[0, 1] == 0


def weights(m: int, seed: int) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.integers(1, 9, (m, m)).astype(float), 1)
    return np.asarray(upper + upper.T)


@LAW
@given(st.integers(2, 6), st.integers(0, 10**6))
def test_the_tree_is_the_least_of_all(m: int, seed: int) -> None:
    matrix = weights(m, seed)
    found = best_dependency_tree(matrix)
    assert len(found) == m - 1
    pairs = list(itertools.combinations(range(m), 2))
    least = min(
        sum(matrix[edge] for edge in chosen)
        for chosen in itertools.combinations(pairs, m - 1)
        if spans(m, chosen)
    )
    assert sum(matrix[edge] for edge in found) == least


def spans(m: int, chosen: tuple[tuple[int, int], ...]) -> bool:
    reached = {0}
    for _ in range(m):
        reached |= {end for edge in chosen if reached & set(edge) for end in edge}
    return len(reached) == m


def test_ties_go_by_the_order_of_the_attributes() -> None:
    assert best_dependency_tree(np.ones((4, 4))) == [(0, 1), (0, 2), (0, 3)]
    almost = np.ones((4, 4))
    almost[2, 3] = almost[3, 2] = 1 - 1e-13
    assert best_dependency_tree(almost) == [(0, 1), (0, 2), (0, 3)], "rounding decides nothing"
    assert key_attributes([1, 2, 2, 1]) == [1, 2]
    assert key_attributes([1, 1]) == [0, 1]


@LAW
@given(st.integers(3, 60), st.integers(0, 10**6))
def test_theorem_2_corrected(m: int, seed: int) -> None:
    """2 ≤ N ≤ ⌈m/2⌉ for every tree: the paper's m/2 is one short for a path of odd m."""
    rng = np.random.default_rng(seed)
    degrees = [0] * m
    for node in range(1, m):
        for end in (node, int(rng.integers(max(0, node - int(rng.integers(1, m))), node))):
            degrees[end] += 1
    key = key_attributes(degrees)
    assert 2 <= len(key) <= -(-m // 2)
    assert sum(degrees[i] for i in key) >= m > sum(degrees[i] for i in key[:-1])


@pytest.mark.parametrize(("m", "expected"), [(3, 2), (4, 2), (5, 3), (6, 3), (7, 4)])
def test_a_path_needs_the_most(m: int, expected: int) -> None:
    assert len(key_attributes([1, *[2] * (m - 2), 1])) == expected


def test_fewer_than_three_attributes_are_all_key() -> None:
    data = ordinary()
    assert dependency_tree(data, ["town", "height"]).key == ("town", "height")
    assert dependency_tree(data, ["town"]).key == ("town",)
    assert dependency_tree(data, []).key == ()
    assert dependency_tree(data, ["town", "town", "height"]).names == ("town", "height")


def read(values: object) -> Microdata:
    return discreet.read({"x": values})


def test_numbers_are_cut_into_quantile_bins() -> None:
    codes, bins = coded(read(np.random.default_rng(1).normal(size=5000)).column("x"))
    assert bins == MOST_BINS
    sizes = np.bincount(codes)[1:]
    assert len(sizes) == MOST_BINS
    assert sizes.max() - sizes.min() <= 1
    assert coded(read(np.arange(100.0)).column("x"))[1] == 10, "⌊√n⌋"


def test_bins_follow_the_order_and_never_part_equal_numbers() -> None:
    values = np.round(np.random.default_rng(2).normal(size=900), 1)
    codes, bins = coded(read(values).column("x"))
    assert bins is not None
    assert codes.max() == bins <= 30
    order = np.argsort(values, kind="stable")
    assert (np.diff(codes[order]) >= 0).all()
    assert (np.diff(codes[order])[np.diff(values[order]) == 0] == 0).all()


def test_few_different_numbers_are_used_as_they_are() -> None:
    codes, bins = coded(read([10, 20, 10, 40] * 25).column("x"))
    assert bins is None
    assert codes[:4].tolist() == [1, 2, 1, 3]


def test_missing_is_a_category_of_its_own() -> None:
    data = discreet.read({"x": [1.0, None, 2.0, None], "y": ["a", None, "b", None]})
    x, y = coded(data.column("x"))[0], coded(data.column("y"))[0]
    assert x.tolist() == y.tolist() == [1, 0, 2, 0]
    assert entropy(x) == 1.5


def test_infinite_numbers_and_many_equal_ones() -> None:
    codes, bins = coded(read([0.0] * 90 + [np.inf, -np.inf, *range(1, 30)]).column("x"))
    assert bins is not None
    assert len(np.unique(codes)) == bins < 11


@pytest.mark.parametrize("case", edges())
def test_edge_tables(case: str) -> None:
    data = edges()[case]
    tree = dependency_tree(data, data.quasi_identifiers)
    assert np.isfinite(tree.matrix).all()
    assert len(tree.edges) == 3
    assert sum(tree.degrees) == 6
    assert len(tree.key) == 2


def test_the_walk_hangs_every_attribute_on_one_before() -> None:
    data = ordinary(rows=200)
    names = ["height", "income", "grade", "town", "diagnosis", "remark", "stratum"]
    tree = dependency_tree(data, names)
    walked = list(tree.walk())
    assert sorted(name for name, _, _ in walked) == sorted(names)
    assert walked[0][1:] == (0, None)
    drawn = []
    above: list[str] = []
    for name, depth, measure in walked:
        del above[depth:]
        if above:
            assert measure is not None
            drawn.append((frozenset((above[-1], name)), measure))
        above.append(name)
    assert dict(drawn) == {frozenset((a, b)): measure for a, b, measure in tree.edges}
    assert repr(tree).count("*") == len(tree.key)


def test_a_path_is_hung_up_in_its_middle() -> None:
    base = np.random.default_rng(4).integers(0, 2, (400, 6))
    columns = {f"c{i}": base[:, : i + 1] @ (2 ** np.arange(i + 1)) for i in range(5)}
    tree = dependency_tree(discreet.read(columns), list(columns))
    assert sorted(tree.degrees) == [1, 1, 2, 2, 2]
    assert max(depth for _, depth, _ in tree.walk()) == 2
    assert len(tree.key) == 3


def test_a_partition_by_key_attributes_looks_at_them_alone() -> None:
    data = ordinary(rows=60)
    names = data.quasi_identifiers
    groups = MDAV(k=4, attributes="key").groups(data, names, Context())
    key = groups.detail["key attributes"]
    assert key == dependency_tree(data, names).key
    assert 2 <= len(key) < len(names)
    alone = MDAV(k=4).groups(data, key, Context())
    assert np.array_equal(groups.labels, alone.labels)
    assert groups.detail["SSE/SST of the key attributes"] == alone.detail["SSE/SST"]
    assert "key attributes" not in alone.detail


def test_all_attributes_is_the_default() -> None:
    assert MDAV().attributes == "all"
    with pytest.raises(discreet.UsageError, match="attributes"):
        MDAV(attributes="keys")


def test_a_census_takes_seconds_at_most() -> None:
    rng = np.random.default_rng(9)
    columns = [rng.integers(0, size, 200_000) for size in (2, 5, 9, 50, 99, 260, 520, 873) * 2]
    started = time.perf_counter()
    dependency_matrix(columns)
    assert time.perf_counter() - started < 10
