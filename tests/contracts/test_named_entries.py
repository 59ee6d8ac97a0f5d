"""Entries that give something to single columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from discreet.contracts.named_entries import is_number, named, numbers
from discreet.errors import UsageError


def test_entries_are_copied_and_nothing_is_no_entry() -> None:
    given = {"age": 5}
    found = named(given, ["age", "pay"], "widths", "GlobalRecoding")
    found["pay"] = 1
    assert given == {"age": 5}
    assert named(None, ["age"], "widths", "GlobalRecoding") == {}


def test_a_column_that_is_not_treated_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"names 'pya', .*; did you mean 'pay'\? \(treated: age"):
        named({"pya": 5}, ["age", "pay"], "widths", "GlobalRecoding")
    with pytest.raises(UsageError, match="names '3', which is not a treated column"):
        named({3: 5}, ["age"], "widths", "GlobalRecoding")  # type: ignore[dict-item]


@pytest.mark.parametrize("wrong", [0, -1, "5", True, None, float("nan"), float("inf")])
def test_numbers_are_above_zero_and_the_column_is_named(wrong: Any) -> None:
    with pytest.raises(UsageError, match=r"numbers above 0, but .* was given for 'age'"):
        numbers({"pay": 2, "age": wrong}, ["age", "pay"], "widths", "GlobalRecoding")


def test_numbers_come_back_as_floats() -> None:
    found = numbers({"age": np.int64(5)}, ["age"], "widths", "GlobalRecoding")
    assert found == {"age": 5.0}
    assert type(found["age"]) is float


def test_numbers_of_numpy_are_numbers() -> None:
    assert is_number(np.float32(0.5))
    assert is_number(np.int64(3))
    assert not is_number(np.float64("nan"))
    assert not is_number(np.bool_(True))
    assert not is_number(2j)
