from __future__ import annotations

import itertools

import numpy as np
import pytest

from discreet.models.noisy_tables import (
    Tables,
    counts_of,
    mutual_information,
    on_simplex,
    pairs_of,
    raked,
)

RNG = np.random.default_rng(3)


def test_counts_are_those_of_single_columns_and_pairs() -> None:
    cells = [RNG.integers(0, size, 50) for size in (2, 3, 4)]
    expected = [sum(c == v) for c, s in zip(cells, (2, 3, 4), strict=True) for v in range(s)]
    for i, j in pairs_of(3):
        for a, b in itertools.product(range((2, 3, 4)[i]), range((2, 3, 4)[j])):
            expected.append(sum((cells[i] == a) & (cells[j] == b)))
    assert counts_of(cells, [2, 3, 4]).tolist() == expected


def test_the_projection_is_the_nearest_table_without_negative_counts() -> None:
    for _ in range(20):
        noisy = RNG.normal(2, 5, 3)
        made = on_simplex(noisy, 10.0)
        # All tables of three whole tenths that add up to 10.
        tenths = [(a / 10, b / 10, (100 - a - b) / 10) for a in range(101) for b in range(101 - a)]
        best = min(((np.array(t) - noisy) ** 2).sum() for t in tenths)
        assert made.min() >= 0
        assert made.sum() == pytest.approx(10)
        assert ((made - noisy) ** 2).sum() <= best + 1e-9


def test_without_records_all_counts_are_zero() -> None:
    assert on_simplex(np.array([3.0, -1.0]), 0.0).tolist() == [0, 0]


def test_raking_meets_both_margins_and_keeps_odds() -> None:
    table = RNG.uniform(1, 9, (3, 2))
    made = raked(table, np.array([5.0, 3, 2]), np.array([6.0, 4]))
    assert made.sum(axis=1) == pytest.approx([5, 3, 2])
    assert made.sum(axis=0) == pytest.approx([6, 4], rel=1e-6)

    def odds(t: np.ndarray) -> float:
        return float(t[0, 0] * t[1, 1] / t[0, 1] / t[1, 0])

    assert odds(made) == pytest.approx(odds(table))


def test_mutual_information_is_the_entropy_that_is_shared() -> None:
    table = RNG.integers(1, 9, (3, 4)).astype(float)

    def entropy(counts: np.ndarray) -> float:
        shares = counts.ravel() / counts.sum()
        return float(-(shares * np.log(shares)).sum())

    expected = entropy(table.sum(axis=0)) + entropy(table.sum(axis=1)) - entropy(table)
    assert mutual_information(table) == pytest.approx(expected)
    assert mutual_information(np.outer([1.0, 2], [3.0, 4])) == pytest.approx(0, abs=1e-12)


def test_tables_without_noise_come_out_as_they_are() -> None:
    cells = [RNG.integers(0, size, 80) for size in (2, 3)]
    tables = Tables.fitted(counts_of(cells, [2, 3]), [2, 3], 80.0)
    assert tables.single[1] == pytest.approx(np.bincount(cells[1], minlength=3))
    expected = [[sum((cells[0] == a) & (cells[1] == b)) for b in range(3)] for a in range(2)]
    assert tables.of(0, 1) == pytest.approx(np.array(expected), abs=1e-5)
    assert tables.of(1, 0) == pytest.approx(tables.of(0, 1).T)


def test_an_unknown_total_is_estimated() -> None:
    cells = [RNG.integers(0, 2, 80), RNG.integers(0, 2, 80)]
    noisy = counts_of(cells, [2, 2]) + RNG.integers(-2, 3, 8)
    assert 70 < Tables.fitted(noisy, [2, 2], None).total < 90
