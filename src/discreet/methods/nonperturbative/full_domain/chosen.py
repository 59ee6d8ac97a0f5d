"""Levels that were chosen for one file, stated so that they mean the same for another.

The number of a level does not do that: if no hierarchy was given, which levels there are and what
each joins depends on the values of the file. A width, a list of old categories for each new one, or
the word `top` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from discreet.methods.nonperturbative.full_domain.automatic import narrowest_width
from discreet.methods.nonperturbative.full_domain.given import Given
from discreet.methods.nonperturbative.full_domain.hierarchy_levels import (
    Levels,
    encoded,
    value_texts,
)
from discreet.microdata.hierarchy import text_of

TOP_LEVEL = "top"
"""The level of every column at which all its values are one."""


def chosen_levels(
    given: Given, columns: Mapping[str, Levels], node: Mapping[str, int]
) -> dict[str, Any]:
    """Return parameters of global recoding that have these levels on any file.

    >>> import discreet
    >>> data = discreet.read({"age": [18, 21, 24, 90], "grade": ["a", "b", "c", "d"]},
    ...                      kinds={"grade": ["a", "b", "c", "d"]})
    >>> given = Given(data, ["age", "grade"], "GlobalRecoding")
    >>> columns = {name: given.levels(name) for name in ("age", "grade")}
    >>> chosen_levels(given, columns, {"age": 2, "grade": 1})
    {'widths': {'age': 4.0}, 'mappings': {'grade': {'a–b': ['a', 'b'], 'c–d': ['c', 'd']}},
     'levels': {'age': 1, 'grade': 1}}
    """
    widths, mappings = dict(given.widths), dict(given.stated_mappings)
    levels: dict[str, Any] = {}
    for name, level in node.items():
        column = columns[name]
        levels[name] = TOP_LEVEL if level == column.height else level
        settled = name in (*given.hierarchies, *given.cuts, *given.mappings)
        if settled or given.units[name] is not None or not 0 < level < column.height:
            continue
        levels[name] = 1
        if column.column.attribute.continuous:
            width = given.widths.get(name)
            narrowest = (
                narrowest_width(encoded(column.column)[0])
                if width is None
                else Decimal(text_of(width))
            )
            widths[name] = float(narrowest * 2 ** (level - 1))
        else:
            mappings[name] = _joined(column, level)
    return {"widths": widths or None, "mappings": mappings or None, "levels": levels}


def _joined(column: Levels, level: int) -> dict[str, list[str]]:
    """Return the values of the column that each label of a level stands for."""
    texts = value_texts(column.column, encoded(column.column)[0])
    joined: dict[str, list[str]] = {}
    for text, code in zip(texts, column.codes[level].tolist(), strict=False):
        joined.setdefault(column.labels[level][code], []).append(text)
    return joined
