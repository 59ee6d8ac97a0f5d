"""Other names for columns in the parameters of a component.

A method that is run on part of a table, or on a table in which a column has become several, is
given the same parameters under other names. `Param.treated` tells which parameters name columns
that are treated; entries by column and files for columns always do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from discreet.contracts.entries import Entries
from discreet.contracts.parameters import Columns, Component, Param

Names = Mapping[str, tuple[str, ...]]
C = TypeVar("C", bound=Component)


def with_columns(component: C, names: Names, everywhere: bool = False) -> C:
    """Return the component with some columns replaced by others; by none, to remove them.

    `everywhere` also renames columns that are only read, such as strata.

    >>> from discreet import LocalSuppression
    >>> step = LocalSuppression(importance={"age": 2, "town": 3}, columns=["age", "town"])
    >>> some = with_columns(step, {"town": ()})
    >>> some.columns, some.importance
    (('age',), {'age': 2})
    >>> with_columns(step, {"age": ("age 1", "age 2")}).columns
    ('age 1', 'age 2', 'town')
    """
    values = {
        name: _renamed(value, component.params()[name], names, everywhere)
        for name, value in component.values().items()
    }
    return type(component)(**values)


def _renamed(value: Any, param: Param, names: Names, everywhere: bool) -> Any:
    if isinstance(value, Component):
        return with_columns(value, names, everywhere)
    if value is None:
        return None
    if param.type == Entries:
        entries = ((new, entry) for key, entry in value.items() for new in names.get(key, (key,)))
        return dict(entries) or None
    if param.type != Columns:
        return value
    if not (param.treated or param.path or param.name == "columns" or everywhere):
        return value
    if param.path:
        parts = (entry.partition("=") for entry in value)
        listed = [f"{new}={path}" for key, _, path in parts for new in names.get(key, (key,))]
    else:
        listed = [new for entry in value for new in _entry(entry, names, everywhere)]
    return tuple(listed) or None


def _entry(entry: str, names: Names, everywhere: bool) -> list[str]:
    """Return a column, columns joined by +, or column=columns, under other names."""
    key, equals, rest = entry.partition("=")
    if equals and entry not in names:
        rest = _joined(rest, names) if everywhere else rest
        return [f"{new}={rest}" for new in names.get(key, (key,))]
    if "+" not in entry or entry in names:
        return list(names.get(entry, (entry,)))
    joined = _joined(entry, names)
    return [joined] if joined else []


def _joined(text: str, names: Names) -> str:
    parts = (part.strip() for part in text.split("+"))
    return "+".join(new for part in parts for new in names.get(part, (part,)))
