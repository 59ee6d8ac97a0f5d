"""Roles said by column or by role, and in the words of the field."""

from __future__ import annotations

from typing import Any

import pytest

import discreet
from discreet import Role, UsageError

FRAME = {"age": [31, 47], "sex": ["f", "m"], "id": [1, 2], "pay": [5, 6]}


@pytest.mark.parametrize(
    "roles",
    [
        {"quasi-identifier": ["age", "sex"], "identifier": ["id"], "confidential": ["pay"]},
        {"age": "quasi-identifier", "sex": "qi", "id": "id", "pay": "sensitive"},
        {"key": ["age", "sex"], "id": "identifier", "sensitive": "pay"},
        {"quasi": ("age", "sex"), "id": ["id"], "Confidential": ["pay"]},
    ],
)
def test_roles_are_understood_either_way(roles: dict[str, Any]) -> None:
    data = discreet.read(FRAME, roles)
    assert data.quasi_identifiers == ("age", "sex")
    assert data.having(Role.IDENTIFIER) == ("id",)
    assert data.having(Role.CONFIDENTIAL) == ("pay",)


def test_other_words_are_noted() -> None:
    data = discreet.read(FRAME, {"qi": ["age"], "pay": "sensitive"})
    assert data.source is not None
    assert data.source.notes == (
        "the role 'qi' is understood as quasi-identifier",
        "the role 'sensitive' is understood as confidential",
    )


def test_a_column_has_one_role() -> None:
    with pytest.raises(UsageError, match="'age' is called qi and confidential"):
        discreet.read(FRAME, {"qi": ["age"], "confidential": ["age"]})
    with pytest.raises(UsageError, match="column 'ago'"):
        discreet.read(FRAME, {"qi": ["ago"]})
