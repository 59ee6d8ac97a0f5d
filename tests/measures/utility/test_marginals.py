"""Distances between the distributions of columns, by hand and by their laws."""

from __future__ import annotations

import math
from typing import Any

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


def test_recoded_columns_are_named() -> None:
    found = score({"a": [1, 2], "t": ["x", "y"]}, {"a": ["1-2", "1-2"], "t": ["x", "y"]})
    assert found.note == "released on another scale and left out: a"
    assert found.value == 0


def test_what_cannot_be_measured_is_said() -> None:
    with pytest.raises(NotApplicable, match="original scale"):
        score({"a": [1, 2]}, {"a": ["1-2", "1-2"]})
