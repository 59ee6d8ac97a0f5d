"""Filling gaps: the best of other columns, a tree and the members of a household."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.measures.filling import filled

DRAW = np.random.default_rng(3)


def test_a_column_that_tells_most_is_used() -> None:
    a, b = DRAW.integers(0, 5, 400), DRAW.integers(0, 5, 400)
    c = [f"c{v % 3}" for v in a]
    data = discreet.read(
        {"a": [f"a{v}" for v in a], "b": [f"b{v}" for v in b], "c": [*c[:-1], None]}
    )
    found = filled(data, "c", np.array([399]), np.random.default_rng(1))
    assert found.ways[found.way[0]] == "'a'"
    assert found.trusted[found.way[0]] == 1.0
    assert data.schema["c"].categories[int(found.guess[0])] == c[-1]


def test_what_takes_several_columns_is_told_by_a_tree() -> None:
    a, b = DRAW.integers(0, 2, 600), DRAW.integers(0, 2, 600)
    c = [f"c{v}" for v in a ^ b]
    data = discreet.read({"a": a.astype(str), "b": b.astype(str), "c": [*c[:-1], None]})
    found = filled(data, "c", np.array([599]), np.random.default_rng(1))
    assert found.ways[found.way[0]] == "the other columns together"
    assert data.schema["c"].categories[int(found.guess[0])] == c[-1]


def test_members_of_a_household_share_what_others_cannot_tell() -> None:
    home = np.repeat(np.arange(200), 2)
    rent = np.repeat(DRAW.normal(900, 100, 200), 2)
    rent[-1] = np.nan
    data = discreet.read(
        {"home": home, "rent": rent, "sex": DRAW.choice(["f", "m"], 400)},
        roles={"home": "household"},
    )
    found = filled(data, "rent", np.array([399]), np.random.default_rng(1))
    assert found.ways[found.way[0]] == "others of the household"
    assert found.guess[0] == pytest.approx(rent[-2])


def test_of_a_few_cells_only_the_commonest_value_is_known() -> None:
    data = discreet.read({"a": ["x", "y", "x", None], "b": ["1", "2", "1", "2"]})
    found = filled(data, "a", np.array([3]), np.random.default_rng(1))
    assert found.ways == ("the commonest value",)
