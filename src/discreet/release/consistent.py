"""Consistent households: what follows from the members is computed from the released members.

A size that is not the number of members, or a total that is not the sum, says that something was
changed, and often what. A total that was left as it was gives back what was suppressed in one of
its parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from discreet.contracts import Masked
from discreet.microdata import Column, Microdata, Role
from discreet.microdata.clusters import Clusters, clusters_of
from discreet.microdata.derived import Derived
from discreet.release.suppression_by_household import emptied

EXACT = ("sum", "least", "largest")
"""Ways in which a column of a household has values of its members in it."""


def consistent(
    masked: Masked,
    before: Microdata,
    homes: Clusters,
    derived: Mapping[str, Derived],
    other_members: bool = False,
) -> Masked:
    """Return the outcome with what follows from the members of households computed again.

    `before` is what the step was given, row for row. What follows from a column that is released as
    something coarser, such as intervals, and was left as it is, is suppressed: the age of the
    oldest would be exact beside the intervals of all ages. So is a count that claims would
    count by. A column that was treated, but can still be computed from the members, is reported.
    With `other_members`, a household has different members, however few were changed.

    >>> import discreet
    >>> data = discreet.read({"home": [1, 1, 2], "pay": [10, 5, 7], "total": [15, 15, 7]},
    ...                      roles={"home": "household"})
    >>> halved = Masked(data.replace([data.column("pay").with_values(data["pay"] / 2)]))
    >>> way = {"total": Derived("total", "sum", "pay")}
    >>> consistent(halved, data, clusters_of(data), way).data["total"]
    array([7.5, 7.5, 3.5])
    """
    table = masked.data
    made: list[Column] = []
    coarse, open_to_all = [], []
    for name, way in derived.items():
        if not other_members and _unchanged(way, table, before):
            if _treated(name, table, before):
                open_to_all.append(name)
        elif table.schema[way.source].kind is not before.schema[way.source].kind:
            worth_telling = way.how in EXACT or before.schema[name].role is Role.QUASI_IDENTIFIER
            if worth_telling and table.column(name).same_as(before.column(name)):
                coarse.append(name)
        elif table.schema[name].categories == before.schema[name].categories:
            new = way.column(table.replace([before.column(name)]), homes, before)
            made.append(emptied(new, table.column(name).missing))
    changed = [column for column in made if not column.same_as(table.column(column.name))]
    notes = notes_on_derived([c.name for c in changed], coarse, open_to_all, derived, homes.word)
    everywhere = np.ones(len(table), dtype=bool)
    changed += [emptied(table.column(name), everywhere) for name in coarse]
    return replace(masked, data=table.replace(changed), notes=(*masked.notes, *notes))


def notes_on_derived(
    again: Sequence[str],
    coarse: Sequence[str],
    open_to_all: Sequence[str],
    derived: Mapping[str, Derived],
    word: str,
) -> list[str]:
    """Return notes on columns that are computed again, suppressed, or treated in vain.

    >>> notes_on_derived(["total"], [], [], {}, "household")
    ["'total': computed again from the released members of each household"]
    """
    notes = []
    if again:
        notes.append(f"{_listed(again)}: computed again from the released members of each {word}")
    notes += [
        f"'{name}' is suppressed: it is {derived[name].words}, which is released in another form, "
        "and would give its values back"
        for name in coarse
    ]
    notes += [
        f"'{name}' was treated, but it is {derived[name].words}, as anyone can work out; treat "
        f"these too, or leave out the number of the {word}"
        for name in open_to_all
    ]
    return notes


def consistent_as_drawn(masked: Masked, data: Microdata, derived: Mapping[str, Derived]) -> Masked:
    """Make records that were drawn from the file, or changed with it as a whole, consistent.

    A size that the method changed is counted again. One that it left says how large the household
    was from which some members were drawn; if a member was drawn twice, it is another household.
    Records that come from no record of the file keep what their method made.
    """
    homes, origin = clusters_of(masked.data), masked.origin
    if homes is None or (origin is not None and origin.min(initial=0) < 0):
        return masked
    before = data if origin is None else data.take(origin)
    ways = {
        n: way
        for n, way in derived.items()
        if {n, way.source or n} <= set(masked.data.schema.names)
    }
    twice = origin is not None and len(np.unique(origin)) < len(origin)
    sizes = [
        way.column(masked.data.replace([before.column(name)]), homes)
        for name, way in ways.items()
        if way.how == "size" and (twice or _treated(name, masked.data, before))
    ]
    counted = replace(masked, data=masked.data.replace(sizes))
    left = {name: way for name, way in ways.items() if way.source}
    return consistent(counted, before, homes, left, twice)


def _unchanged(way: Derived, table: Microdata, before: Microdata) -> bool:
    """Whether the members' column is as it was; the number of members always is."""
    return not way.source or table.column(way.source).same_as(before.column(way.source))


def _treated(name: str, table: Microdata, before: Microdata) -> bool:
    """Whether a column has new values, not only gaps where it had some."""
    column = table.column(name)
    if table.schema[name].categories != before.schema[name].categories:
        return True
    return not column.same_as(emptied(before.column(name), column.missing))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
