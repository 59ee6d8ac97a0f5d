"""Iterative proportional fitting: margins, odds ratios, and what a fit by regression gives."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.models.calibration import calibrated
from discreet.models.proportional_fitting import fitted_to_margins


def test_margins_hold_and_odds_ratios_stay() -> None:
    start = np.array([[1.0, 2.0], [3.0, 4.0]])
    table, off = fitted_to_margins(start, [((0,), np.array([5.0, 5.0])), ((1,), np.array([4, 6]))])
    assert off < 1e-8
    assert table.sum(axis=1) == pytest.approx([5, 5])
    assert table.sum(axis=0) == pytest.approx([4, 6])
    odds = start[0, 0] * start[1, 1] / (start[0, 1] * start[1, 0])
    assert table[0, 0] * table[1, 1] / (table[0, 1] * table[1, 0]) == pytest.approx(odds)


def test_one_way_margins_of_ones_are_independence() -> None:
    counts = np.random.default_rng(1).integers(1, 9, (3, 2, 4)).astype(float)
    margins = [((axis,), counts.sum(axis=tuple({0, 1, 2} - {axis}))) for axis in range(3)]
    table, _ = fitted_to_margins(np.ones(counts.shape), margins)
    n = counts.sum()
    a, b, c = (margin for _, margin in margins)
    assert table == pytest.approx(np.einsum("i,j,k->ijk", a, b, c) / n**2)


def test_it_is_raking_of_the_cells() -> None:
    """Newton's method of calibration comes to the same weights."""
    start = np.random.default_rng(2).integers(1, 9, (3, 4)).astype(float)
    rows, columns = np.array([10.0, 20, 30]), np.array([15.0, 15, 10, 20])
    table, _ = fitted_to_margins(start, [((0,), rows), ((1,), columns)])
    terms = np.array(
        [[*(np.arange(3) == i), *(np.arange(4) == j)] for i in range(3) for j in range(4)], float
    )
    raked = calibrated(start.ravel(), terms, np.append(rows, columns))
    assert table.ravel() == pytest.approx(raked)


def test_a_margin_over_empty_cells_stays_off() -> None:
    start = np.array([[0.0, 0.0], [1.0, 1.0]])
    assert fitted_to_margins(start, [((0,), np.array([1.0, 1.0]))], rounds=5)[1] == 0.5
