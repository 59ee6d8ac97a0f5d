"""Which columns of a release can be set against the original."""

from __future__ import annotations

from typing import Any

import discreet
from discreet.microdata.comparison import comparable, comparable_numbers, in_same_categories


def table(**columns: Any) -> discreet.Microdata:
    return discreet.read(columns, roles=dict.fromkeys(columns, "quasi-identifier"))


def test_columns_that_are_gone_or_recoded_are_not_comparable() -> None:
    original = table(age=[20, 40], town=["a", "b"], pay=[1, 2])
    released = table(age=["20-39", "40+"], town=["b", "a"])
    assert comparable(original, released, ["age", "town", "pay"]) == ["town"]
    assert comparable_numbers(original, released) == []
    assert comparable_numbers(original, original) == ["age", "pay"]


def test_fewer_categories_are_the_same_scale_and_new_ones_are_not() -> None:
    original = table(town=["a", "b", "c"])
    assert comparable(original, table(town=["c", "a", "a"]), ["town"]) == ["town"]
    assert comparable(original, table(town=["a", "b", "d"]), ["town"]) == []


def test_codes_are_those_of_the_original_and_missing_stays_missing() -> None:
    original = table(town=["a", "b", "c"], age=[1, 2, 3])
    released = table(town=["c", None, "b"], age=[3, 2, 1])
    found = in_same_categories(original, released, ["town", "age"])
    assert found["town"].tolist() == [2, -1, 1]
    assert found.schema["town"].categories == ("a", "b", "c")
    assert found["age"].tolist() == [3, 2, 1]
    assert released["town"].tolist() == [1, -1, 0], "the release itself is left alone"


def test_equal_categories_are_not_copied() -> None:
    original, released = table(town=["a", "b"]), table(town=["b", "a"])
    found = in_same_categories(original, released, ["town"])
    assert found.column("town") is released.column("town")
