"""The columns of a plan: role, kind and level of each, and what its values must be like."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NoReturn

from discreet.errors import UsageError
from discreet.microdata import Kind, Level, Role
from discreet.release.plan_file import Path, PlanText
from discreet.release.plan_schema import TYPES

COLUMN_KEYS = ("role", "kind", "categories", "level", "type")


@dataclass(frozen=True)
class StatedColumns:
    """What a plan says about columns, by column.

    The list of categories of an ordinal column is its kind, since it gives them an order; that of
    another column is in `allowed`.
    """

    roles: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, Any] = field(default_factory=dict)
    levels: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    allowed: dict[str, list[Any]] = field(default_factory=dict)


def columns_of(
    text: PlanText, value: Any, strict: bool = False, at: Path = ("columns",)
) -> StatedColumns:
    """Return what a plan states about its columns; a strict plan must state the kind of each.

    `at` is the place of the columns in the plan.

    >>> from discreet.release.plan_file import parse_plan_text
    >>> text = parse_plan_text("region: {role: quasi-identifier, level: household}")
    >>> stated = columns_of(text, text.content)
    >>> stated.roles, stated.levels
    ({'region': 'quasi-identifier'}, {'region': 'household'})
    """
    stated = StatedColumns()
    content = {} if value is None else text.mapping(at, value, None)
    for name, entry in content.items():
        path: Path = (*at, name)
        if isinstance(entry, str):
            entry = {"role": entry}
        entry = text.mapping(path, entry, COLUMN_KEYS)
        for key, known, target in (
            ("role", Role, stated.roles),
            ("kind", Kind, stated.kinds),
            ("level", Level, stated.levels),
        ):
            try:
                if key in entry:
                    target[name] = known.parse(entry[key], column=name).value
            except UsageError as error:
                text.wrong((*path, key), str(error))
        if "type" in entry:
            if entry["type"] not in TYPES:
                text.wrong((*path, "type"), f"a type is one of {', '.join(TYPES)}")
            stated.types[name] = entry["type"]
        if "categories" in entry:
            _categories(text, path, entry["categories"], stated)
        if strict and name not in stated.kinds and stated.roles.get(name) != Role.IDENTIFIER:
            _without_kind(text, path)
        if not entry:
            stated.roles[name] = Role.OTHER.value
    return stated


def _categories(text: PlanText, path: Path, listed: Any, stated: StatedColumns) -> None:
    name = str(path[-1])
    if not isinstance(listed, list):
        text.wrong((*path, "categories"), "this must be a list of categories")
    kind = stated.kinds.get(name, Kind.ORDINAL)
    if kind == Kind.CONTINUOUS:
        text.wrong((*path, "categories"), "only ordinal and nominal columns have categories")
    if kind == Kind.NOMINAL:
        stated.allowed[name] = listed
    else:
        stated.kinds[name] = listed


def _without_kind(text: PlanText, path: Path) -> NoReturn:
    text.wrong(
        path,
        "a plan with 'schema: strict' states the kind of every column that is released, such as "
        "{role: other, kind: nominal}",
    )
