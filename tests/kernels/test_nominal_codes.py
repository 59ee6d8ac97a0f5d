"""Nominal columns as codes: the kernels against obvious twins, and against one-hot coordinates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from discreet.kernels.mdav import mdav_labels
from discreet.kernels.mdav_by_scan import labels_by_scan
from discreet.kernels.mdav_by_tree import labels_by_tree
from discreet.kernels.mst import grow_by_comparison, minimum_spanning_tree
from discreet.kernels.tree_growing import grow_by_boxes
from discreet.kernels.vmdav import vmdav_labels
from discreet.microaggregation.blocks import cut_into_blocks, within_groups
from discreet.microdata.embedding import spread_out

Table = np.ndarray[Any, np.dtype[np.float64]]
Indices = np.ndarray[Any, np.dtype[np.int64]]


class Records:
    """Squared distances of all records from one of them, and from the average of some."""

    def __init__(self, table: Table, nominal: int) -> None:
        numeric = table.shape[1] - nominal
        self.numbers, self.codes = table.T[:numeric], table.T[numeric:].astype(int)
        self.count = len(table)

    def apart(self, record: int) -> Table:
        total = np.zeros(self.count)
        for column in self.numbers:
            total += (column - column[record]) * (column - column[record])
        for codes in self.codes:
            total += codes != codes[record]
        return total

    def from_average(self, members: Indices) -> Table:
        """The means as exact as can be; shares f of the categories: ½ (Σ f² − 2 f_c + 1)."""
        n, total = len(members), np.zeros(self.count)
        for column in self.numbers:
            # the tests below have whole numbers here: their sum is exact in any order
            total += (column - column[members].sum() / n) ** 2
        for codes in self.codes:
            counts = np.bincount(codes[members], minlength=codes.max() + 1)
            squares = (counts**2).sum()
            total += 0.5 * ((squares / n - 2 * counts[codes]) / n + 1.0)
        return total


def nearest_first(distances: Table, among: Indices) -> Indices:
    """Those of equal distance in the order in which they are given."""
    return among[np.argsort(distances[among], kind="stable")]


def farthest(distances: Table, among: Indices) -> int:
    return int(among[distances[among].argmax()])


def slow_mdav(table: Table, nominal: int, k: int) -> list[int]:
    """Algorithm 1.1, word for word."""
    records, labels = Records(table, nominal), np.full(len(table), -1)

    def left() -> Indices:
        return np.flatnonzero(labels < 0)

    def group_around(seed: int) -> None:
        group = labels.max(initial=-1) + 1
        labels[seed] = group
        labels[nearest_first(records.apart(seed), left())[: k - 1]] = group

    while len(left()) >= 2 * k:
        pair = len(left()) >= 3 * k
        seed = farthest(records.from_average(left()), left())
        group_around(seed)
        if not pair:
            break
        group_around(farthest(records.apart(seed), left()))
    labels[left()] = labels.max(initial=-1) + 1
    return list(labels.tolist())


def slow_vmdav(table: Table, nominal: int, k: int, gamma: float) -> list[int]:
    """V-MDAV in the words of its docstring."""
    n, records = len(table), Records(table, nominal)
    if n < k:
        return [0] * n
    labels = np.full(n, -1)

    def left() -> Indices:
        return np.flatnonzero(labels < 0)

    order = nearest_first(-records.from_average(np.arange(n)), np.arange(n))
    apart = np.array([records.apart(record) for record in range(n)])
    formed: list[Indices] = []
    while len(left()) >= k:
        seed = next(int(i) for i in order if labels[i] < 0)
        labels[seed] = len(formed)
        nearest = nearest_first(apart[seed], left())[: k - 1]
        labels[nearest] = len(formed)
        members = [seed, *nearest.tolist()]
        while len(left()) and len(members) < 2 * k - 1:
            gaps = apart[members].min(axis=0)
            candidate = int(nearest_first(gaps, left())[0])
            others = left()[left() != candidate]
            outside = apart[candidate, others].min(initial=np.inf)
            if not gaps[candidate] < gamma * gamma * outside:
                break
            members.append(candidate)
            labels[candidate] = len(formed)
        formed.append(np.array(members))
    gaps = np.array([records.from_average(members) for members in formed])
    labels[left()] = gaps[:, left()].argmin(axis=0)
    return list(labels.tolist())


def slow_tree(table: Table, nominal: int) -> list[list[int]]:
    """Kruskal over all pairs, in the order of the kernel."""
    records, n = Records(table, nominal), len(table)
    apart = [records.apart(a) for a in range(n)]
    pairs = sorted((apart[a][b], a, b) for a in range(n) for b in range(a + 1, n))
    component, edges = list(range(n)), []
    for _, a, b in pairs:
        if component[a] != component[b]:
            edges.append([a, b])
            old, new = component[b], component[a]
            component = [new if c == old else c for c in component]
    return edges


def mixed(rng: np.random.Generator, n: int, numeric: int, widths: list[int]) -> Table:
    """Whole numbers beside codes: ties everywhere."""
    codes = [rng.integers(0, width, n) for width in widths]
    return np.column_stack([rng.integers(-2, 3, (n, numeric)), *codes]).astype(float)


TABLES = [(0, [3]), (0, [2, 5, 40]), (1, [3]), (2, [2, 2, 30]), (4, [9]), (1, [1, 6])]


@pytest.mark.parametrize(("numeric", "widths"), TABLES)
@pytest.mark.parametrize("seed", range(12))
def test_mdav_is_that_of_the_twin(numeric: int, widths: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(0, 150)), int(rng.integers(2, 7))
    table = mixed(rng, n, numeric, widths)
    expected = slow_mdav(table, len(widths), k)
    for labels in (labels_by_scan, labels_by_tree):
        assert labels(table, k, nominal=len(widths)).tolist() == expected


@pytest.mark.parametrize(("numeric", "widths"), TABLES)
@pytest.mark.parametrize("gamma", [0.0, 0.5, 1.1])
def test_vmdav_is_that_of_the_twin(numeric: int, widths: list[int], gamma: float) -> None:
    for seed in range(6):
        rng = np.random.default_rng(seed)
        n, k = int(rng.integers(1, 60)), int(rng.integers(2, 6))
        table = mixed(rng, n, numeric, widths)
        found = vmdav_labels(table, k, gamma, nominal=len(widths)).tolist()
        assert found == slow_vmdav(table, len(widths), k, gamma)


@pytest.mark.parametrize(("numeric", "widths"), TABLES)
@pytest.mark.parametrize("grow", [grow_by_comparison, grow_by_boxes])
def test_spanning_trees_are_those_of_the_twin(
    numeric: int, widths: list[int], grow: Callable[..., tuple[Any, Any]]
) -> None:
    for seed in range(4):
        table = mixed(np.random.default_rng(seed), 60, numeric, widths)
        edges, squares = grow(table, nominal=len(widths))
        order = np.lexsort((edges[:, 1], edges[:, 0], squares))
        assert edges[order].tolist() == slow_tree(table, len(widths))


def untied(n: int, seed: int = 1) -> Table:
    """Coordinates that no two pairs of records are as far apart in, and two nominal columns."""
    rng = np.random.default_rng(seed)
    codes = np.column_stack([rng.integers(0, 4, n), rng.zipf(1.5, n).clip(max=200)])
    return np.column_stack([rng.normal(size=(n, 3)), codes])


@pytest.mark.parametrize("n", [100, 3_000])
def test_without_ties_the_groups_are_those_of_one_coordinate_per_category(n: int) -> None:
    table = untied(n)
    points = spread_out(table, 2)
    assert np.array_equal(mdav_labels(table, 4, nominal=2), mdav_labels(points, 4))
    assert np.array_equal(vmdav_labels(table, 4, 0.8, nominal=2), vmdav_labels(points, 4, 0.8))
    edges, lengths = minimum_spanning_tree(table, nominal=2)
    expected, expected_lengths = minimum_spanning_tree(points)
    assert np.array_equal(edges, expected)
    assert lengths == pytest.approx(expected_lengths)
    labels = mdav_labels(table, 4, nominal=2)
    assert within_groups(table, labels, 2) == pytest.approx(within_groups(points, labels))


def test_blocks_of_codes_are_those_of_one_coordinate_per_category() -> None:
    table = untied(2_000)
    table[:, 4] = table[:, 4].clip(max=30)
    blocks, expected = (
        cut_into_blocks(table, 300, 5, 2),
        cut_into_blocks(spread_out(table, 2), 300, 5),
    )
    assert [block.tolist() for block in blocks] == [block.tolist() for block in expected]


def test_codes_beside_coordinates_beyond_all_squares_count_nothing() -> None:
    table = untied(200)
    large = np.column_stack([np.ldexp(table[:, :3], 600), table[:, 3:]])
    assert np.array_equal(mdav_labels(large, 3, nominal=2), mdav_labels(large[:, :3], 3))
    tiny = np.column_stack([np.ldexp(table[:, :3], -600), table[:, 3:]])
    flat = np.column_stack([np.zeros((200, 3)), table[:, 3:]])
    labels = mdav_labels(tiny, 3, nominal=2)
    assert within_groups(flat, labels, 2) == within_groups(flat, mdav_labels(flat, 3, nominal=2), 2)
