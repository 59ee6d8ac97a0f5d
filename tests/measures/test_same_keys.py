"""Combinations of original and release are numbered alike."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.errors import NotApplicable
from discreet.measures.same_keys import same_keys


def test_combinations_share_a_number_exactly_if_they_are_equal() -> None:
    draw = np.random.default_rng(1)
    towns = ["x", "y", None]
    rows = [[(int(a), towns[a % 3]) for a in draw.integers(0, 12, 30)] for _ in range(2)]
    original, released = (
        discreet.read({"a": [a // 3 for a, _ in r], "b": [b for _, b in r]}) for r in rows
    )
    keys = same_keys(original, released, ["a", "b"], Context())
    for i, row in enumerate(rows[0]):
        for j, other in enumerate(rows[1]):
            assert (row == other) == (keys.before[i] == keys.after[j])


def test_numbers_in_classes_of_the_original() -> None:
    original = discreet.read({"pay": [1.0, 2.0, 3.0, 4.0]})
    released = discreet.read({"pay": [0.5, 2.2, 2.9, 9.0]})
    keys = same_keys(original, released, ["pay"], Context(), groups=2)
    assert keys.before.tolist() == [0, 0, 1, 1]
    assert keys.after.tolist() == [0, 0, 1, 1]


def test_recoded_columns_cannot_be_compared() -> None:
    original = discreet.read({"age": [21, 38, 47]})
    released = discreet.read({"age": ["20–39", "20–39", "40–59"]})
    with pytest.raises(NotApplicable, match="was recoded"):
        same_keys(original, released, ["age"], Context())
