"""Levels in a large file: which columns households share, and which follow from their members.

These are the decisions of `discreet.microdata.levels` and `discreet.microdata.derived`, from counts
of all households.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from discreet.errors import UnknownColumn
from discreet.microdata import Level, unknown_column
from discreet.microdata.clusters import Clusters
from discreet.microdata.derived import FIRST_LOOK, LEAST_HOUSEHOLDS, Derived, likely
from discreet.microdata.levels import (
    CHANCE,
    ONE_VALUE,
    Deviation,
    levels_between,
    of_household,
    with_levels,
)
from discreet.scaling.agreeing import Agreement, agreement, chance_alike
from discreet.scaling.keys import households
from discreet.scaling.store import Store, slices, write_slice


@dataclass(frozen=True, eq=False)
class Households:
    """What is known about the households of a file: their key, and what follows from their members.

    `before` says what their members agreed on when the file was read, and `corrected` is the file
    in which they agree on what they share.
    """

    corrected: Store
    key: str
    clusters: Clusters
    before: Agreement
    derived: Mapping[str, Derived]
    notes: tuple[str, ...] = ()


def with_levels_of(store: Store, levels: Mapping[str, str]) -> Store:
    """Return the store with the level of each column: as given, or as its values show."""
    if not store.keys:
        with_levels(store.head, levels)  # as in memory, levels need a key
        return store
    (key,) = store.keys
    return _levelled(store, levels, agreement(store, key), _of_role(store, key))


def households_in(store: Store) -> Households | None:
    """Return what is known about the households of a store; None if no column numbers them.

    Where a household has several values of what it shares, all members get the most frequent one
    before the first step.
    """
    if not store.keys:
        return None
    (key,) = store.keys
    before, homes = agreement(store, key), _of_role(store, key)
    corrected, notes = _corrected(store, key, before)
    derived = _derived(corrected, key, before.several, homes)
    return Households(corrected, key, homes, before, derived, notes)


def _of_role(store: Store, key: str) -> Clusters:
    """Return clusters of the role of a key; the members themselves are read when needed."""
    return Clusters(np.zeros(0, dtype=np.int64), store.attributes[key].role)


def _levelled(store: Store, levels: Mapping[str, str], agreed: Agreement, homes: Clusters) -> Store:
    """Return the store with the level of each column: as given, or as its values show."""
    given = {name: Level.parse(level, column=name) for name, level in levels.items()}
    for name in given:
        if name not in store.types.names:
            raise UnknownColumn(
                unknown_column(name, store.types.names, asked_by="the list of levels")
            )
    attributes = dict(store.attributes)
    for name in agreed.apart:
        level = given.get(name) or _shown(store, name, agreed, homes)
        attributes[name] = replace(attributes[name], level=level)
    return replace(store, attributes=attributes)


def _shown(store: Store, name: str, agreed: Agreement, homes: Clusters) -> Level:
    shared, of_each = levels_between(homes)
    if not agreed.several or agreed.apart[name] > (1 - ONE_VALUE) * agreed.several:
        return of_each
    by_chance = agreed.mates[name] * np.log(chance_alike(store, name)) >= np.log(CHANCE)
    return of_each if by_chance else shared


def _corrected(store: Store, key: str, agreed: Agreement) -> tuple[Store, tuple[str, ...]]:
    """Return the store with one value for each household in the columns of its level, and notes."""
    broken = [name for name in of_household(store.head) if agreed.apart[name]]
    if not broken:
        return store, ()
    rows: dict[str, list[NDArray[np.int64]]] = {name: [] for name in broken}
    values: dict[str, list[NDArray[np.generic]]] = {name: [] for name in broken}
    word, members = "", ""
    for at, table, homes in households(store, key, broken):
        word, members = homes.word, homes.members
        for name in broken:
            shared, current = homes.shared(table.column(name)), table[name]
            apart = (shared != current) & ~((shared != shared) & (current != current))
            rows[name].append(at[apart])
            values[name].append(shared[apart])
    files = {name: f"shared-{place:04d}" for place, name in enumerate(broken)}
    after = store.with_columns([store.attributes[name] for name in broken], files)
    after.reserve(files)
    notes = []
    for name in broken:
        order = np.argsort(np.concatenate(rows[name]))
        where = np.concatenate(rows[name])[order]
        new = np.concatenate(values[name])[order]
        for first, last in slices(len(store)):
            begin, end = np.searchsorted(where, [first, last]).tolist()
            column = store.values(name, first, last)
            column[where[begin:end] - first] = new[begin:end]
            write_slice(after.folder / files[name], column, first)
        deviation = Deviation(name, where, agreed.apart[name], word)
        notes.append(f"{deviation}; all {members} were given the most frequent one")
    return after, tuple(notes)


def _derived(store: Store, key: str, several: int, homes: Clusters) -> dict[str, Derived]:
    """Return the columns of household level that follow from the members' records, by name."""
    names = [name for name in store.files if name != key]
    if several < LEAST_HOUSEHOLDS or not of_household(store.head):
        return {}
    _, table, few = next(households(store, key, names))
    chosen = np.flatnonzero(few.sizes > 1)[:FIRST_LOOK]
    rows = np.flatnonzero(np.isin(few.labels, chosen))
    part = Clusters(np.unique(few.labels[rows], return_inverse=True)[1], homes.role)
    incomplete = [name for name in names if _has_gaps(store, name)]
    ways = list(likely(table.take(rows), part, incomplete))
    same, every = np.zeros(len(ways)), 0
    if ways:
        needed = list(dict.fromkeys(n for way in ways for n in (way.name, way.source) if n))
        for _, table, lot in households(store, key, needed):
            every += len(lot.sizes)
            same += [way.agreeing(table, lot).sum() for way in ways]
    derived: dict[str, Derived] = {}
    for way, count in zip(ways, same.tolist(), strict=True):
        if way.name not in derived and count / every >= ONE_VALUE:
            derived[way.name] = way
    return derived


def _has_gaps(store: Store, name: str) -> bool:
    return any(bool(piece.column(name).missing.any()) for piece in store.pieces([name]))
