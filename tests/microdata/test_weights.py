"""Weights relative to their mean, whatever a file has in them."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.microdata.weights import effective_size, weight_column, weights_of


def test_records_that_stand_for_nobody() -> None:
    data = discreet.read({"w": [2.0, None, -1.0, 6.0]}, roles={"w": "weight"})
    assert weights_of(data) == pytest.approx([1, 0, 0, 3])


def test_equal_weights_and_none_at_all_are_no_weights() -> None:
    assert weights_of(discreet.read({"w": [7, 7]}, roles={"w": "weight"})) is None
    assert weights_of(discreet.read({"age": [7, 8]})) is None


def test_the_first_column_of_numbers_counts() -> None:
    roles = {"a": "weight", "b": "weight"}
    data = discreet.read(
        {"a": ["x", "y"], "b": [1, 3]}, roles=roles, kinds={"a": "nominal", "b": "continuous"}
    )
    assert weight_column(data) == "b"


def test_equal_weights_say_as_much_as_there_are() -> None:
    assert effective_size(np.full(5, 0.3)) == pytest.approx(5)
