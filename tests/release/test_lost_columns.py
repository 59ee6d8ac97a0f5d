"""A column is lost if all released records agree in it, or if it is not released."""

from __future__ import annotations

import pytest

import discreet
from discreet.release.lost_columns import lost_columns

ROLES = {"age": "quasi-identifier", "w": "weight", "id": "identifier"}
ORIGINAL = discreet.read(
    {"age": [31, 47, None], "same": ["a", "a", "a"], "w": [1, 2, 3], "id": ["x", "y", "z"]},
    roles=ROLES,
)


@pytest.mark.parametrize(
    ("ages", "lost"),
    [
        ([39, 39, 39], ["age"]),
        ([None, None, None], ["age"]),
        ([39, None, None], ["age"]),
        (["*", "*", "*"], ["age"]),
        (["20-39", "40-59", "20-39"], []),
        ([31, 47, 47], []),
    ],
)
def test_what_is_lost(ages: list[object], lost: list[str]) -> None:
    released = discreet.read({"age": ages, "same": ["a", "a", "a"]}, roles={"age": "other"})
    assert lost_columns(ORIGINAL, released) == lost


def test_what_is_not_released_is_lost() -> None:
    assert lost_columns(ORIGINAL, discreet.read({"same": ["a", "a"]})) == ["age"]
