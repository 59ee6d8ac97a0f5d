"""The columns of a plan: the role, the kind and the level of each."""

from __future__ import annotations

from typing import Any

from discreet.errors import UsageError
from discreet.microdata import Kind, Level, Role
from discreet.release.plan_file import Path, PlanText


def columns_of(text: PlanText, value: Any) -> tuple[dict[str, str], dict[str, Any], dict[str, str]]:
    """Return the roles, kinds and levels that a plan states, by column.

    >>> from discreet.release.plan_file import parse_plan_text
    >>> text = parse_plan_text("region: {role: quasi-identifier, level: household}")
    >>> columns_of(text, text.content)
    ({'region': 'quasi-identifier'}, {}, {'region': 'household'})
    """
    roles: dict[str, str] = {}
    kinds: dict[str, Any] = {}
    levels: dict[str, str] = {}
    if value is None:
        return roles, kinds, levels
    for name, entry in text.mapping(("columns",), value, None).items():
        path: Path = ("columns", name)
        if isinstance(entry, str):
            entry = {"role": entry}
        entry = text.mapping(path, entry, ("role", "kind", "categories", "level"))
        for key, known, target in (
            ("role", Role, roles),
            ("kind", Kind, kinds),
            ("level", Level, levels),
        ):
            try:
                if key in entry:
                    target[name] = known.parse(entry[key], column=name).value
            except UsageError as error:
                text.wrong((*path, key), str(error))
        if "categories" in entry:
            if not isinstance(entry["categories"], list):
                text.wrong((*path, "categories"), "this must be a list of categories")
            if kinds.get(name, Kind.ORDINAL) != Kind.ORDINAL:
                text.wrong((*path, "categories"), "only ordinal columns have categories")
            kinds[name] = entry["categories"]
    return roles, kinds, levels
