"""Distances between tables of cells, and the bins that numbers fall into."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.measures.utility.cell_distances import Cells, bin_edges, distances
from discreet.microdata.decoded import Decoded

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
    x, y, z = (np.bincount(codes, minlength=7) for codes in (a, b, c))
    for i in (0, 1):
        assert distances(x, x)[i] == 0
        assert 0 <= distances(x, y)[i] <= 1
        assert distances(x, y)[i] == pytest.approx(distances(y, x)[i])
        assert distances(x, z)[i] <= distances(x, y)[i] + distances(y, z)[i] + 1e-12
    variation, hellinger = distances(x, y)
    assert hellinger**2 <= variation + 1e-12
    assert variation <= math.sqrt(2) * hellinger + 1e-12
    # Codes far apart take the other way of counting.


@pytest.mark.parametrize("towns", [4, 900], ids=["full tables", "mostly empty tables"])
@pytest.mark.parametrize("recoded", [False, True])
def test_draws_are_counted_as_if_each_were_counted_anew(towns: int, recoded: bool) -> None:
    rng = np.random.default_rng(3)
    columns: dict[str, Any] = {
        "age": rng.integers(20, 80, 300).astype(float),
        "town": [f"t{i}" for i in rng.integers(0, towns, 300)],
        "job": [f"j{i}" for i in rng.integers(0, towns, 300)],
    }
    original = discreet.read(columns)
    gaps = {name: list(values) for name, values in columns.items()}
    for name in ("age", "job"):
        for row in rng.choice(300, 20, replace=False):
            gaps[name][row] = None
    if recoded:
        gaps["age"] = ["20-49" if age < 50 else "50-80" for age in columns["age"]]
    released = discreet.read(gaps)
    view = Decoded(original, released, ["age", "town", "job"], np.arange(300))
    assert len(view.loose) == (300 if recoded else len(set(view.loose.tolist())))
    cells = Cells.of(original, released, view, 5, np.random.default_rng(8))
    for table in (("age",), ("job",), ("age", "town"), ("town", "job")):
        found = cells.distances(table)
        draws = list(view.draws(np.random.default_rng(8)))
        assert len(found) == len(draws) == 5
        for draw, both in zip(draws, found, strict=True):
            before, after = (_tally(t, original, table) for t in (original, draw))
            every = sorted({*before, *after}, key=str)
            expected = distances(*(np.array([c[key] for key in every]) for c in (before, after)))
            assert both == pytest.approx(expected)


def _tally(
    table: discreet.Microdata, original: discreet.Microdata, names: tuple[str, ...]
) -> Counter[Any]:
    """Count the records of each cell, one by one."""
    edges = {
        name: bin_edges(original.column(name), 5) if original.schema[name].continuous else None
        for name in names
    }
    return Counter(
        tuple(
            table[name][i] if (cuts := edges[name]) is None else (cuts <= table[name][i]).sum()
            for name in names
        )
        for i in range(len(table))
    )
