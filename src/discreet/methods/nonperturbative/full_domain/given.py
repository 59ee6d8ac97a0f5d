"""Levels as a user gives them: hierarchy files, intervals, widths and mappings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Columns, Entries
from discreet.contracts.named_entries import is_number, named, numbers
from discreet.errors import UsageError, nearest
from discreet.methods.nonperturbative.full_domain.automatic import automatic
from discreet.methods.nonperturbative.full_domain.hierarchy_levels import (
    Levels,
    encoded,
    from_hierarchy,
    leveled,
    value_texts,
)
from discreet.microdata import Column, Microdata
from discreet.microdata.dates import date_labels, moment, refuse_times, unit_of
from discreet.microdata.hierarchy import TOP, Hierarchy, hierarchies_of, text_of
from discreet.microdata.intervals import labels_between, places_between
from discreet.microdata.labels import read_labels


class Given:
    """What the user specified about the levels of the treated columns, read and checked.

    >>> import discreet
    >>> data = discreet.read({"age": [18, 30, 67], "town": ["Ayle", "Bron", "Cull"]})
    >>> given = Given(data, ["age", "town"], "GlobalRecoding", intervals={"age": [25, 65]},
    ...               mappings={"town": {"coast": ["Ayle", "Bron"]}})
    >>> given.levels("age").labels, given.levels("town").labels
    (((), ('below 25', '25–64', '65 and above'), ('*',)), ((), ('coast', 'Cull'), ('*',)))
    """

    def __init__(
        self,
        data: Microdata,
        treated: Sequence[str],
        owner: str,
        hierarchies: Columns = None,
        intervals: Entries = None,
        widths: Entries = None,
        mappings: Entries = None,
        times: NDArray[np.int64] | None = None,
    ) -> None:
        """`times` says how many records each row of the data stands for, by default one."""
        self.data, self.owner, self.times = data, owner, times
        self.hierarchies = hierarchies_of(hierarchies, data.schema, owner)
        named(self.hierarchies, treated, "hierarchies", owner)
        refuse_times(data, treated, owner)
        self.units = {name: unit_of(data, name) for name in treated}
        cuts = named(intervals, treated, "intervals", owner)
        self.cuts = {name: _cuts(name, at, self.units[name], owner) for name, at in cuts.items()}
        self.widths = numbers(widths, treated, "widths", owner)
        joined = named(mappings, treated, "mappings", owner)
        self.stated_mappings = joined
        self.mappings = {name: _new_of(name, table, owner) for name, table in joined.items()}
        ways = [*self.hierarchies, *self.cuts, *self.widths, *self.mappings]
        twice = next((name for name in ways if ways.count(name) > 1), None)
        if twice is not None:
            raise UsageError(
                f"{owner} was given two ways to recode '{twice}'; give it either a hierarchy, "
                "intervals, a width or mappings"
            )
        for name in (*self.cuts, *self.widths):
            if not data.schema[name].continuous:
                raise UsageError(
                    f"intervals and widths of {owner} are for continuous columns, but '{name}' is "
                    f"{data.schema[name].kind}; give it mappings or a hierarchy"
                )
        for name in self.widths:
            if self.units[name] is not None:
                raise UsageError(
                    f"widths of {owner} are for numbers, but '{name}' holds dates; use intervals "
                    "to say at which dates they begin, or leave it at months and years"
                )
        self.specified = tuple(ways)
        """The columns for which the user specified levels."""

    def levels(self, name: str) -> Levels:
        """Return the levels of a column, made from its values where none were specified."""
        column, unit = self.data.column(name), self.units[name]
        if name in self.hierarchies:
            return from_hierarchy(column, self.hierarchies[name], unit)
        if name in self.cuts:
            return _from_cuts(column, self.cuts[name], unit)
        if name in self.mappings:
            return _from_mapping(column, self.mappings[name], unit, self.owner)
        return automatic(column, self.widths.get(name), unit, self.times)


def _cuts(column: str, given: Any, unit: str | None, owner: str) -> list[Decimal]:
    entries = list(given) if isinstance(given, list | tuple) else [given]
    cuts = [_cut(entry, unit) for entry in entries]
    rising = [cut for cut in cuts if cut is not None]
    if not rising or len(rising) < len(cuts) or any(a >= b for a, b in pairwise(rising)):
        kind = "numbers" if unit is None else "dates"
        example = "[20, 40, 65]" if unit is None else "[1950-01-01, 1980-01-01]"
        raise UsageError(
            f"intervals of {owner} must be ascending {kind} at which they begin, such as "
            f"{example}, but {_shown(given)} was given for '{column}'"
        )
    return rising


def _cut(entry: Any, unit: str | None) -> Decimal | None:
    if unit is not None:
        return moment(entry, unit)
    return Decimal(text_of(entry)) if is_number(entry) else None


def _new_of(column: str, table: Any, owner: str) -> dict[str, str]:
    """Return the new category of each old one."""
    if not isinstance(table, Mapping) or not table:
        raise UsageError(
            f"mappings of {owner} must give each new category its old ones, such as "
            f"{{'coast': ['Ayle', 'Bron']}}, but {table!r} was given for '{column}'"
        )
    new_of: dict[str, str] = {}
    for new, olds in table.items():
        for old in olds if isinstance(olds, list | tuple) else [olds]:
            if text_of(old) in new_of:
                raise UsageError(
                    f"mappings of {owner} give '{old}' of column '{column}' two new categories"
                )
            new_of[text_of(old)] = text_of(new)
    return new_of


def _shown(given: Any) -> str:
    return repr(list(given) if isinstance(given, tuple) else given)


def _from_cuts(column: Column, cuts: Sequence[Decimal], unit: str | None) -> Levels:
    distinct, values = encoded(column)
    whole = bool((distinct == np.floor(distinct)).all()) and all(
        c == c.to_integral_value() for c in cuts
    )
    top = np.zeros(len(distinct), dtype=np.int64)
    between = labels_between(cuts, whole) if unit is None else date_labels(cuts, unit)
    places = [places_between(distinct, cuts), top]
    decodings = [read_labels(labels, column.attribute, unit) for labels in (between, [TOP])]
    return leveled(column, values, places, [between, [TOP]], decodings, unit=unit)


def _from_mapping(column: Column, new_of: dict[str, str], unit: str | None, owner: str) -> Levels:
    texts = value_texts(column, encoded(column)[0], unit)
    known = {*texts, *(text_of(category) for category in column.attribute.categories)}
    unnamed = [text for text in texts if text not in new_of]
    absent = [old for old in new_of if old not in known]
    # A small file may lack a category. A name like one that the mapping passes over is a mistake.
    wrong = absent if len(unnamed) == len(texts) > 1 else [n for n in absent if nearest(n, unnamed)]
    for old in wrong[:1]:
        raise UsageError(
            f"mappings of {owner} name '{old}', which is not a value of column '{column.name}'; "
            "spell it as in the data"
        )
    if not texts:
        return automatic(column, unit=unit)
    rows = [(text, new_of.get(text, text)) for text in texts]
    return from_hierarchy(column, Hierarchy(rows), unit)
