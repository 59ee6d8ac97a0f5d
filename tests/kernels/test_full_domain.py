"""Classes at a node of the lattice: the kernel and its plain twin."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.kernels.full_domain import classes_of, joined_classes, numbered_rows


def plain(rows: NDArray[np.int32], weight: NDArray[np.int64]) -> tuple[list[int], list[int]]:
    seen: dict[tuple[int, ...], int] = {}
    labels = [seen.setdefault(tuple(row), len(seen)) for row in rows.T.tolist()]
    sizes = [0] * len(seen)
    for label, w in zip(labels, weight.tolist(), strict=True):
        sizes[label] += w
    return labels, sizes


@pytest.mark.parametrize("values", [2, 40, 5000])
def test_rows_are_numbered_as_by_a_dictionary(values: int) -> None:
    rng = np.random.default_rng(values)
    table = rng.integers(0, values, (7, 900)).astype(np.int32)
    table[:, 300:600] = table[:, :300]
    chosen = np.array([0, 2, 3, 6])
    weight = rng.integers(1, 9, 900)
    labels, sizes = numbered_rows(table, chosen, np.full(4, values), weight)
    assert (labels.tolist(), sizes.tolist()) == plain(table[chosen], weight)


def test_more_combinations_than_fit_into_a_number() -> None:
    rng = np.random.default_rng(4)
    table = rng.integers(0, 2**20, (6, 500)).astype(np.int32)
    table[:, 250:] = table[:, :250]
    weight = np.ones(500, dtype=np.int64)
    labels, sizes = numbered_rows(table, np.arange(6), np.full(6, 2**20), weight)
    assert (labels.tolist(), sizes.tolist()) == plain(table, weight)


def test_a_table_and_a_hash_of_the_keys_agree() -> None:
    keys = np.random.default_rng(3).integers(0, 5000, 2000)
    weight = np.ones(2000, dtype=np.int64)
    few, many = classes_of(keys, 5000, weight), classes_of(keys, 2**61, weight)
    assert np.array_equal(few[0], many[0])
    assert np.array_equal(few[1], many[1])


@pytest.mark.parametrize("values", [2, 40, 5000])
def test_classes_are_joined_as_if_all_records_were_counted_anew(values: int) -> None:
    rng = np.random.default_rng(values)
    fine = rng.integers(0, values, (3, 900)).astype(np.int32)
    fine[:, 300:600] = fine[:, :300]
    table = np.concatenate([fine, fine // 3])
    weight = rng.integers(1, 9, 900)
    counts, members = np.full(3, values), np.arange(900)
    below, sizes = joined_classes(table, np.array([0, 1, 2]), counts, members, weight)
    assert sizes.tolist() == plain(fine, weight)[1]
    above, sizes = joined_classes(table, np.array([3, 1, 5]), counts, below, sizes)
    labels, expected = plain(table[[3, 1, 5]], weight)
    assert sizes.tolist() == expected
    assert [labels[r] for r in above] == list(range(len(expected)))
