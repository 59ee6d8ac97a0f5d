"""Distances between tables of cells, and the bins that numbers fall into."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.measures.utility.cell_distances import bin_edges, distances

MARGINALS: Any = build("measure", "marginals")


def score(before: Any, after: Any, measure: Any = MARGINALS, **options: Any) -> Any:
    tables = [discreet.read(table, **options) for table in (before, after)]
    return measure.score(*tables, Context())


def test_numbers_fall_into_bins_of_equal_counts() -> None:
    column = discreet.read({"x": np.arange(1000.0)}).column("x")
    edges = bin_edges(column, 20)
    assert edges == pytest.approx(np.arange(49.5, 999, 50))
    # All in the lowest of twenty bins: 19 of 20 would have to move.
    found = score({"x": np.arange(1000.0)}, {"x": np.full(1000, -7.0)})
    assert found.value == pytest.approx(0.95)


def test_few_values_have_a_bin_each_and_rounding_moves_none() -> None:
    before = {"x": [1, 2, 2, 3, 3, 3]}
    after = {"x": [1 + 1e-12, 2 - 1e-12, 2, 3, 3 + 1e-12, 3 - 1e-12]}
    assert score(before, after).value == 0
    assert bin_edges(discreet.read(before).column("x"), 20) == pytest.approx([1.5, 2.5])


def test_a_skewed_column_keeps_its_tail_apart() -> None:
    column = discreet.read({"x": [0.0] * 95 + list(range(1, 31))}).column("x")
    edges = bin_edges(column, 20)
    assert edges[0] == 0.5
    assert len(edges) == len(set(edges.tolist())) > 3


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(*[st.lists(st.integers(0, 6), min_size=1, max_size=20)] * 3)
def test_distances_are_distances(a: list[int], b: list[int], c: list[int]) -> None:
    x, y, z = (np.array(codes) for codes in (a, b, c))
    for i in (0, 1):
        assert distances(x, x)[i] == 0
        assert 0 <= distances(x, y)[i] <= 1
        assert distances(x, y)[i] == pytest.approx(distances(y, x)[i])
        assert distances(x, z)[i] <= distances(x, y)[i] + distances(y, z)[i] + 1e-12
    variation, hellinger = distances(x, y)
    assert hellinger**2 <= variation + 1e-12
    assert variation <= math.sqrt(2) * hellinger + 1e-12
    # Codes far apart take the other way of counting.
    assert distances(x * 10**9, y * 10**9) == pytest.approx(distances(x, y))
