"""Levels: which columns belong to a household or a person, with one value for all its records.

Official microdata are samples of persons in households. Region, tenure and the weight of the
household are repeated for each of its members; treated person by person they would be protected
in one record and readable in the next. So would the sex of a patient who has a record for every
visit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from discreet.errors import UnknownColumn, UsageError
from discreet.microdata.clusters import Clusters, clusters_of, keys_of, persons_of, unit_key
from discreet.microdata.schema import Level, Role
from discreet.microdata.table import Column, Microdata
from discreet.microdata.unknown_column import unknown_column

ONE_VALUE = 0.99
"""A column belongs to households if this share of those with two or more members agrees in it."""
CHANCE = 1e-3
"""And that must be less likely than this for values assigned without regard to households."""
FIRST_LOOK = 10_000
"""This many records usually suffice to show the level of a column."""
SHOWN_ROWS = 5
RECORD = "record"
DIFFERENT = "different-households"
UNITS = {
    "household": Role.HOUSEHOLD,
    "person": Role.PERSON,
    DIFFERENT: Role.HOUSEHOLD,
    RECORD: None,
}
"""What claims may count, and the role of its key; groups are of whole ones, unless only different
ones are asked for. Records have no key."""


@dataclass(frozen=True, eq=False)
class Deviation:
    """Records whose value differs from most of their household in a household-level column."""

    name: str
    rows: NDArray[np.int64]
    clusters: int
    word: str = "household"

    def __str__(self) -> str:
        listed = ", ".join(str(row + 1) for row in self.rows[:SHOWN_ROWS].tolist())
        more = ", …" if len(self.rows) > SHOWN_ROWS else ""
        many = self.clusters != 1
        differing = f"{self.clusters:,} {self.word}{'s have' if many else ' has'}"
        return (
            f"'{self.name}' is of {self.word} level, but {differing} several values of it (rows "
            f"{listed}{more})"
        )


def levels_between(homes: Clusters) -> tuple[Level, Level]:
    """Return the level of what the records of a cluster share, and of what belongs to each record.

    >>> levels_between(Clusters(np.array([0]), Role.PERSON))
    (<Level.PERSON: 'person'>, <Level.RECORD: 'record'>)
    """
    if homes.role is Role.PERSON:
        return Level.PERSON, Level.RECORD
    return Level.HOUSEHOLD, Level.PERSON


def persons_within(data: Microdata) -> Microdata | None:
    """Return the table with persons as its only clusters, where they are within households.

    None unless persons have several records in a file that has households too. If claims count
    households, they still do.

    >>> import discreet
    >>> waves = discreet.read({"hid": [1, 1, 1], "pid": [1, 1, 2]},
    ...                       roles={"hid": "household", "pid": "person"})
    >>> persons_within(waves).having(Role.HOUSEHOLD)
    ()
    """
    keys, persons = data.having(Role.HOUSEHOLD), persons_of(data)
    if not keys or persons is None or not (persons.sizes > 1).any():
        return None
    counted = unit_key(data)
    return data.with_attributes(
        replace(data.schema[name], role=Role.OTHER, unit=name == counted or None, whole=False)
        for name in keys
    )


def with_levels(data: Microdata, levels: Mapping[str, str] | None = None) -> Microdata:
    """Return the table with the level of each column: as given or known, or as its values show.

    Without a column of the role household or person there are no levels to distinguish; with both,
    there are three: what a household shares, what a person has in all records, and the rest.

    >>> import discreet
    >>> data = discreet.read({"home": np.arange(60) // 2, "age": np.arange(60) % 31,
    ...                       "rooms": np.arange(60) // 2 % 4}, roles={"home": "household"})
    >>> {a.name: a.level.value for a in data.schema if a.level}
    {'age': 'person', 'rooms': 'household'}
    """
    given = {name: Level.parse(level, column=name) for name, level in (levels or {}).items()}
    for name in given:
        if name not in data.schema:
            raise UnknownColumn(
                unknown_column(name, data.schema.names, asked_by="the list of levels", asked=given)
            )
    homes = clusters_of(data)
    if Level.HOUSEHOLD in given.values() and not data.having(Role.HOUSEHOLD):
        raise UsageError(
            "a column of household level needs to know which records form a household; "
            "give the column with the household's number the role household"
        )
    if homes is None:
        return data
    inner = persons_within(data)
    persons = None if inner is None else clusters_of(inner)

    def shown(column: Column) -> Level:
        level = _level(column, homes)
        return level if level is Level.HOUSEHOLD or persons is None else _level(column, persons)

    return data.with_attributes(
        replace(
            column.attribute,
            level=given.get(column.name) or column.attribute.level or shown(column),
        )
        for column in data
        if column.attribute.role not in (Role.IDENTIFIER, Role.HOUSEHOLD, Role.PERSON)
    )


def with_unit(data: Microdata, unit: str | None) -> Microdata:
    """Return the table with what claims count: households or persons, whole ones in each group,
    different households, of which a group may have some members only, or records.

    If nothing is said, different households are counted where there is a key for them, or else
    persons: see `discreet.microdata.clusters.unit_key`.

    >>> import discreet
    >>> for unit in ("household", "different-households", "record", None):
    ...     data = discreet.read({"hid": [1, 1, 2]}, roles={"hid": "household"}, unit=unit)
    ...     data.schema["hid"].unit, data.schema["hid"].whole, stated_unit(data)
    (True, True, 'household')
    (True, False, 'different-households')
    (False, False, 'record')
    (None, False, None)
    """
    if unit is None:
        return data
    if unit not in UNITS:
        raise UsageError(
            f"the unit is one of {', '.join(UNITS)}, or is left out, but '{unit}' was given"
        )
    role = UNITS[unit]
    if role is None:
        keys = [data.schema[name] for name in keys_of(data)]
        return data.with_attributes(replace(key, unit=False, whole=False) for key in keys)
    named = data.having(role)
    if not named:
        raise UsageError(
            f"the unit {unit} needs a column that numbers the {role}s, but none has that role; "
            f"give it to the column with the {role}'s number"
        )
    return data.with_attributes(
        replace(data.schema[name], unit=True, whole=unit != DIFFERENT) for name in named[:1]
    )


def unit_named(roles: Mapping[str, str], unit: str | None) -> str | None:
    """Return the column by which claims will count, from what a plan says alone.

    >>> unit_named({"age": "quasi-identifier", "hid": "household"}, None)
    'hid'
    """
    role = UNITS.get(unit or "")
    asked = (Role.HOUSEHOLD, Role.PERSON) if unit is None else () if role is None else (role,)
    return next((name for key in asked for name in roles if roles[name] == key), None)


def stated_unit(data: Microdata) -> str | None:
    """Return what claims were said to count, as a plan says it; None if nobody said so."""
    stated = [(a.unit, a.whole, a.role) for a in data.schema if a.unit is not None]
    if not stated:
        return None
    unit, whole, role = max(stated)
    return RECORD if not unit else role.value if whole else DIFFERENT


def of_household(data: Microdata) -> tuple[str, ...]:
    """Return the names of the columns that households share; without households, persons."""
    shared = Level.HOUSEHOLD if data.having(Role.HOUSEHOLD) else Level.PERSON
    persons = shared is Level.PERSON and not data.having(Role.PERSON)
    return () if persons else tuple(a.name for a in data.schema if a.level is shared)


def deviations(data: Microdata, homes: Clusters) -> Iterator[Deviation]:
    """Yield the columns of household level in which some household has several values.

    >>> import discreet
    >>> data = discreet.read({"home": [1, 1, 1, 2], "town": ["Ayle", "Ayle", "Bron", "Bron"]},
    ...                      roles={"home": "household"}, levels={"town": "household"})
    >>> [str(deviation) for deviation in deviations(data, clusters_of(data))]
    ["'town' is of household level, but 1 household has several values of it (rows 3)"]
    """
    for name in of_household(data):
        column = data.column(name)
        broken = ~homes.agreeing(column)
        if broken.any():
            apart = _differ(column.values, homes.shared(column))
            yield Deviation(name, np.flatnonzero(apart), int(broken.sum()), homes.word)


def corrected(data: Microdata, homes: Clusters) -> tuple[Microdata, tuple[str, ...]]:
    """Return the table with one value for each household in the columns of its level, and notes.

    It is the value that most of its members have, the first among equally frequent ones.
    """
    deviating = list(deviations(data, homes))
    columns = [data.column(deviation.name) for deviation in deviating]
    table = data.replace(c.with_values(homes.shared(c)) for c in columns) if deviating else data
    ending = f"; all {homes.members} were given the most frequent one"
    return table, tuple(f"{deviation}{ending}" for deviation in deviating)


def _level(column: Column, homes: Clusters) -> Level:
    shared, of_each = levels_between(homes)
    several = np.count_nonzero(homes.sizes > 1)
    if not several:
        return of_each
    for among in (FIRST_LOOK, None):
        agreeing = homes.agreeing(column, among)
        if len(agreeing) - np.count_nonzero(agreeing) > (1 - ONE_VALUE) * several:
            return of_each
    mates = float(np.dot(homes.sizes - 1, agreeing))

    def by_chance(alike: float) -> bool:
        # Two records drawn at random agree with the chance Σ p², all of a household with less than
        # that for each further member.
        return bool(mates * np.log(alike) >= np.log(CHANCE))

    # Σ p² is convex: over all records it is at most the average of the parts, and over the rest
    # at most 1. That usually decides.
    first = column.values[:FIRST_LOOK]
    part = len(first) / len(column.values)
    alike = part * _alike(first) + 1 - part
    return of_each if by_chance(alike) and by_chance(_alike(column.values)) else shared


def _alike(values: NDArray[np.generic]) -> float:
    """Return the chance Σ p² that two records drawn at random have one value."""
    _, counts = np.unique(values, return_counts=True)
    return float(((counts / len(values)) ** 2).sum())


def _differ(first: NDArray[np.generic], second: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Return where two arrays differ; NaN is one value."""
    return np.asarray((first != second) & ~((first != first) & (second != second)))
