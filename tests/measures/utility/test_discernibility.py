"""Discernibility: pairs of records that cannot be told apart, counted."""

from __future__ import annotations

import pytest

import discreet
from tests.measures.utility.recoded_files import ROLES, files, score


@pytest.mark.parametrize("seed", range(3))
def test_beside_counting_pairs(seed: int) -> None:
    original, released, _, sets = files(seed)
    pairs = sum(a == b for a in sets for b in sets)
    found = score("discernibility", original, released)
    assert found.detail["C_DM"] == pytest.approx(pairs)
    assert found.value == pytest.approx(pairs / len(sets) ** 2)


def test_a_suppressed_record_costs_the_whole_file() -> None:
    original = discreet.read({"age": [1, 1, 2, 3], "town": list("aabb")}, roles=ROLES)
    released = discreet.read({"age": [1, 1, 2, None], "town": ["a", "a", "b", None]}, roles=ROLES)
    found = score("discernibility", original, released)
    assert found.detail["C_DM"] == pytest.approx(4 + 1 + 4)
    assert found.detail["suppressed records"] == 1


def test_without_quasi_identifiers_nothing_is_told_apart() -> None:
    original = discreet.read({"age": [1, 2], "town": ["a", "b"]}, roles=ROLES)
    released = discreet.read({"other": [1, 2]})
    assert score("discernibility", original, released).value == 1
