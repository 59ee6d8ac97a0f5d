"""Boxes that keep parts apart: which parts, and that no block of leaves has two."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.kernels.kdtree import NOBODY, remove
from discreet.kernels.kept_apart import LARGE, build_apart, by_few_values
from discreet.kernels.lanes import LANES


def test_parts_are_combinations_in_columns_of_few_values() -> None:
    rng = np.random.default_rng(1)
    n = 12 * LARGE
    few = np.column_stack([rng.integers(0, 3, n), rng.integers(0, 4, n)])
    part = by_few_values(np.column_stack([rng.normal(size=n), few]))
    assert part is not None
    parts = {(combination, p) for combination, p in zip(map(tuple, few), part, strict=True)}
    assert len(parts) == 12
    assert set(part) == set(range(12))


def test_a_column_that_makes_parts_too_small_is_left_out() -> None:
    rng = np.random.default_rng(1)
    n = 12 * LARGE
    few = np.column_stack([rng.integers(0, 3, n), rng.integers(0, 5, n)]).astype(float)
    part = by_few_values(few)
    assert part is not None
    assert part.max() == 2
    assert by_few_values(rng.normal(size=(n, 2))) is None
    assert by_few_values(np.ones((n, 2))) is None
    assert by_few_values(few[:LARGE]) is None


def test_parts_within_others_are_finer() -> None:
    rng = np.random.default_rng(1)
    classes, few = rng.integers(0, 3, 4000), rng.integers(0, 3, (4000, 1))
    part = by_few_values(few.astype(float), classes)
    assert part is not None
    assert all(len(np.unique(classes[part == p])) == 1 for p in range(9))
    assert by_few_values(rng.normal(size=(4000, 1)), classes) is None


def _map_in_reverse(work, items):  # type: ignore[no-untyped-def]
    return [work(item) for item in reversed(list(items))]


@pytest.mark.parametrize("nominal", [0, 1])
@pytest.mark.parametrize("sizes", [[1, 300, 16, 700], [20_000, 5, 3]])
def test_a_block_of_leaves_has_records_of_one_part(sizes: list[int], nominal: int) -> None:
    rng = np.random.default_rng(2)
    part = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    n = len(part)
    points = np.column_stack([rng.normal(size=(n, 2)), rng.integers(0, 3, n)])
    tree = build_apart(points, part, nominal)
    for block in range(-(-len(tree.size) // LANES)):
        records = tree.records[block * LANES : (block + 1) * LANES]
        assert len(set(part[records[records != NOBODY]])) == 1
    assert np.array_equal(tree.records.ravel()[tree.place], np.arange(n))
    assert np.array_equal((tree.records != NOBODY).sum(axis=1), tree.size)
    for lane in range(LANES):
        assert (tree.records[tree.size <= lane, lane] == NOBODY).all()
    values = tree.values[tree.place // LANES, :, tree.place % LANES]
    assert np.array_equal(values, points)
    again = build_apart(points, part, nominal, _map_in_reverse)
    assert np.array_equal(tree.records, again.records)
    root = len(tree.parent) - 1
    for record in rng.permutation(n)[: n - 1].tolist() if n < 2000 else []:
        remove(tree, points, record)
    assert n > 2000 or (tree.first[root] != NOBODY).sum() == 1
