"""Recipes as columns of a table: one for each parameter."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Row = dict[str, Any]


def flat(recipe: Mapping[str, Any]) -> Row:
    """Return the parameters of a step and of its parts, each under a name of its own.

    >>> flat({"microaggregation": {"partition": {"mdav": {"k": 5}}, "columns": ["age", "pay"]}})
    {'microaggregation.partition': 'mdav', 'mdav.k': 5, 'microaggregation.columns': 'age, pay'}
    """
    cells: Row = {}
    for component, parameters in recipe.items():
        for name, value in (parameters or {}).items():
            place = f"{component}.{name}"
            if _is_component(value):
                cells[place] = next(iter(value))
                cells |= flat(value)
            else:
                cells[place] = _cell(value)
    return cells


def _is_component(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and len(value) == 1
        and all(inner is None or isinstance(inner, Mapping) for inner in value.values())
    )


def _cell(value: Any) -> Any:
    if isinstance(value, Mapping):
        return json.dumps(value, default=str)
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return value


def columns_of(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Return rows as columns, named in the order in which they first occur; None where absent.

    >>> columns_of([{"a": 1}, {"a": 2, "b": 3}])
    {'a': [1, 2], 'b': [None, 3]}
    """
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def of_one_type(columns: Mapping[str, Iterable[Any]]) -> dict[str, list[Any]]:
    """Return columns as a data frame accepts them: values of mixed types become texts.

    >>> of_one_type({"k": [3, "all", None], "p": [1, 2.5]})
    {'k': ['3', 'all', None], 'p': [1, 2.5]}
    """
    made = {}
    for name, values in columns.items():
        listed = list(values)
        kinds = {float if type(v) is int else type(v) for v in listed if v is not None}
        mixed = len(kinds) > 1
        made[name] = [v if v is None or not mixed else str(v) for v in listed]
    return made
