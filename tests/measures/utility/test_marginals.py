"""Distances between the distributions of columns, by hand and by their laws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build, find
from discreet.errors import NotApplicable

MARGINALS: Any = build("measure", "marginals")


def score(before: Any, after: Any, measure: Any = MARGINALS, **options: Any) -> Any:
    tables = [discreet.read(table, **options) for table in (before, after)]
    return measure.score(*tables, Context())


def test_categories_by_hand() -> None:
    found = score({"t": ["a", "a", "b", "c"]}, {"t": ["a", "b", "b", "c"]})
    assert found.value == 0.25
    # √p − √q: √½ − ½, ½ − √½, 0.
    expected = math.sqrt((math.sqrt(0.5) - 0.5) ** 2)
    assert found.detail["hellinger"]["t"] == pytest.approx(expected)
    other: Any = find("measure", "marginals")(distance="hellinger")
    assert score({"t": ["a", "a", "b", "c"]}, {"t": ["a", "b", "b", "c"]}, other).value == (
        pytest.approx(expected)
    )


def test_missing_is_a_category() -> None:
    found = score({"t": ["a", "b", None, None]}, {"t": ["a", "b", "b", None]})
    assert found.value == 0.25
    numbers = score({"x": [1.0, 2.0, None, None]}, {"x": [1.0, 2.0, 2.0, None]})
    assert numbers.value == 0.25


def test_columns_are_averaged() -> None:
    found = score({"a": ["x", "y"], "b": ["x", "y"]}, {"a": ["x", "x"], "b": ["x", "y"]})
    assert found.detail["total-variation"] == {"a": 0.5, "b": 0.0}
    assert found.value == 0.25


def test_a_recoded_column_is_drawn_from_its_labels() -> None:
    values = list(range(100)) * 20
    tens = [f"{v // 10 * 10}–{v // 10 * 10 + 9}" for v in values]
    found = score({"a": values}, {"a": tens})
    assert found.value < 0.05
    # All of one label: what an even spread over it has in common with the original.
    skewed = [v if v < 10 else 10 for v in values]
    found = score({"a": skewed}, {"a": ["0–10"] * 2000})
    assert found.value == pytest.approx(0.9 - 1 / 11, abs=0.05)


@pytest.mark.parametrize("column", [["*"] * 4, [None] * 4, ["old"] * 4, None])
def test_a_lost_column_is_as_far_away_as_can_be(column: Any) -> None:
    for values in ([1, 2, 3, 4], ["x", "y", "x", "y"]):
        after = {"t": ["x", "y", "x", "y"]} | ({} if column is None else {"a": column})
        found = score({"a": values, "t": ["x", "y", "x", "y"]}, after)
        assert found.parts == {("a",): 1.0, ("t",): 0.0}
        assert found.note == "the release says nothing about a, which counts as lost"


def test_what_cannot_be_measured_is_said() -> None:
    data = discreet.read({"a": [1, 2]})
    with pytest.raises(NotApplicable, match="no records"):
        MARGINALS.score(data, data.take(np.zeros(0, dtype=np.int64)), Context())
