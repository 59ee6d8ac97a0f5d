"""Roles as people state them: by column or by role, in the words of the field."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from discreet.errors import UsageError
from discreet.microdata import Role
from discreet.microdata.schema import SYNONYMS, plain_word

Roles = Mapping[str, str | Sequence[str]]


def roles_by_column(
    roles: Roles | None, names: Collection[str]
) -> tuple[dict[str, Any], list[str]]:
    """Return the role of each column, and notes on words that were understood as another.

    >>> roles_by_column({"quasi-identifier": ["age", "sex"], "sensitive": "income"},
    ...                 ["age", "sex", "income"])
    ({'age': 'quasi-identifier', 'sex': 'quasi-identifier', 'income': 'sensitive'},
     ["the role 'sensitive' is understood as confidential"])
    """
    by_column: dict[str, Any] = {}
    for key, value in (roles or {}).items():
        of_a_role = plain_word(key) in {*Role, *SYNONYMS}
        listed = not isinstance(value, str) and isinstance(value, Sequence)
        stated: dict[str, Any] = {key: value}
        if of_a_role and (listed or (key not in names and value in names)):
            stated = dict.fromkeys([value] if isinstance(value, str) else value, key)
        for column, role in stated.items():
            if column in by_column and by_column[column] != role:
                raise UsageError(
                    f"a column has one role, but '{column}' is called {by_column[column]} and "
                    f"{role}; leave one out"
                )
            by_column[column] = role
    notes = [
        f"the role '{word}' is understood as {SYNONYMS[plain_word(word)]}"
        for word in dict.fromkeys(str(role) for role in by_column.values())
        if plain_word(word) in SYNONYMS
    ]
    return by_column, notes
