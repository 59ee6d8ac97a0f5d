"""Random plans: methods of the registry, their parameters drawn from their declarations.

A parameter that is a number, a choice, a list of columns or a component is drawn from what its
declaration says. The few that have a language of their own (rules, matrices, files) are drawn in
`entries`, by their names.
"""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

from bench.campaign.entries import SPECIAL
from bench.campaign.tables import Table
from bench.campaign.values import chance
from discreet.contracts import Component
from discreet.contracts.parameters import Columns, Param
from discreet.contracts.registry import entries, find

Files = dict[str, bytes]
OFTEN = {"k", "base", "partition", "replacement", "domains", "bounds", "size_is_public"}
"""Parameters that decide what happens; they are drawn more often than omitted."""
NEVER = {"refine_seconds", "seconds"}
"""Parameters that would make the outcome depend on the speed of the machine."""
ABOUT_CONFIDENTIAL = {"confidential", "responses", "outcomes"}
"""Lists of columns that are mostly the confidential ones."""
SMALL = 3


def draw_component(
    draw: Any, family: str, name: str, table: Table, files: Files, depth: int = 0
) -> dict[str, Any]:
    """Return a component as in a plan; the files that it names are added to `files`."""
    kind = find(family, name)
    values: dict[str, Any] = {}
    for param in kind.params().values():
        if param.name in NEVER:
            continue
        often = param.name in OFTEN or param.required
        if chance(draw, 10) if often else not chance(draw, 6):
            continue
        if any(other in values for other in APART.get(param.name, ())) and not chance(draw, 10):
            continue
        value = _value(draw, name, param, table, files, depth)
        if value is not None:
            values[param.name] = value
    needed = NEEDED.get(name, ())
    if needed and not any(param in values for param in needed):
        chosen = draw(st.sampled_from(needed))
        value = _value(draw, name, kind.params()[chosen], table, files, depth)
        if value is not None:
            values[chosen] = value
    return {name: values}


APART = {"target_linkage": ("k",), "size": ("fraction",), "matrix_files": ("matrices",)}
"""Parameters that a method takes only if certain others are not given."""
NEEDED = {
    "matrix-masking": ("displacement", "attributes", "records"),
    "camp-crest": ("k", "k", "target_linkage"),
    "partial-camp-crest": ("k", "k", "target_linkage"),
    "k-anonymised-crest": ("k", "k", "target_linkage"),
    "t-closeness-benchmark": ("k", "k", "target_linkage"),
}
"""Methods that do nothing unless at least one of these is given."""


def _value(draw: Any, owner: str, param: Param, table: Table, files: Files, depth: int) -> Any:
    special = SPECIAL.get(f"{param.name} of {owner}")
    if special is not None:
        return special(draw, table, files)
    if param.choices is not None:
        return draw(st.sampled_from(param.choices))
    if isinstance(param.type, type) and issubclass(param.type, Component):
        if depth >= 2:
            return None
        names = [entry.spec.name for entry in entries(param.type.family)]
        chosen = draw(st.sampled_from(names))
        return draw_component(draw, param.type.family, chosen, table, files, depth + 1)
    if param.type is bool:
        return draw(st.booleans())
    if param.type in (int, int | None):
        low = math.floor(param.at_least if param.at_least is not None else 0)
        high = low + SMALL if param.at_most is None else min(int(param.at_most), low + SMALL)
        few = st.integers(low, high)
        return draw(st.sampled_from([low + 10, low + 50]) if chance(draw, 20) else few)
    if param.type in (float, float | None):
        return draw(_floats(param))
    if param.name in SPECIAL:
        return SPECIAL[param.name](draw, table, files)
    if param.type in (Columns, tuple[str, ...]):
        return _columns(draw, table, param.name in ABOUT_CONFIDENTIAL)
    if param.type in (str, str | None):
        return draw(st.sampled_from([column.name for column in table.columns]))
    return None


def _floats(param: Param) -> st.SearchStrategy[float]:
    low = next((b for b in (param.at_least, param.above) if b is not None), 0.0)
    high = next((b for b in (param.at_most, param.below) if b is not None), low + 20.0)
    shares = st.sampled_from([0.5, 0.1, 0.25, 0.9, 0.01, 1e-9])
    edges = [bound for bound in (param.at_least, param.at_most) if bound is not None]
    inside = shares.map(lambda share: low + share * (high - low))
    return (
        st.one_of(inside, inside, st.sampled_from([float(bound) for bound in edges]))
        if edges
        else inside
    )


def _columns(draw: Any, table: Table, confidential: bool) -> list[str]:
    role = "confidential" if confidential and table.having("confidential") else "quasi-identifier"
    known = [column.name for column in table.having(role)]
    every = [column.name for column in table.columns]
    pool = every if chance(draw, 4) else known
    names: list[str] = draw(st.lists(st.sampled_from(pool), min_size=1, max_size=3, unique=True))
    return names
