"""Clusters: records that belong together, because they are of one household or of one person.

A release shows who belongs together, but never the number used in a register.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from discreet.microdata.equivalence import classes, numbered
from discreet.microdata.schema import Kind, Role
from discreet.microdata.table import MISSING_CODE, Column, Microdata

MOST_DAYS = 100_000
"""Days from 1970 on that every type of dates can hold."""


@dataclass(frozen=True, eq=False)
class Clusters:
    """The household or person of each record, numbered from 0.

    >>> homes = Clusters(np.array([1, 0, 1]))
    >>> homes.sizes, homes.first
    (array([1, 2]), array([1, 0]))
    """

    labels: NDArray[np.int64]
    role: Role = Role.HOUSEHOLD

    @property
    def word(self) -> str:
        """What a cluster is called."""
        return self.role.value

    @property
    def members(self) -> str:
        """What the records of a cluster are called."""
        return "members" if self.role is Role.HOUSEHOLD else "records"

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """The number of members of each household."""
        return np.bincount(self.labels)

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """The records by household, those of one in the order of the file."""
        if self._in_order:
            return np.arange(len(self.labels))
        # Household and record in one number, which sorts faster than an order is found.
        bits = len(self.labels).bit_length()
        keys = (self.labels << bits) | np.arange(len(self.labels))
        keys.sort()
        return keys & ((1 << bits) - 1)

    @cached_property
    def _in_order(self) -> bool:
        return bool((self.labels[1:] >= self.labels[:-1]).all())

    @cached_property
    def _follows(self) -> NDArray[np.bool_]:
        """Which records after the first follow, in this order, another of their household."""
        labels = self.ordered(self.labels)
        return np.asarray(labels[1:] == labels[:-1])

    def ordered(self, values: NDArray[Any], first: int | None = None) -> NDArray[Any]:
        """Return the values of all or the first records by household, as `order` has them."""
        return values[:first] if self._in_order else values[self.order[:first]]

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """The first record of each household."""
        return np.asarray(self.order[np.cumsum(self.sizes) - self.sizes])

    def agreeing(self, column: Column, among: int | None = None) -> NDArray[np.bool_]:
        """Return which households have one value in a column; a missing value is a value.

        `among` limits how many records are checked, by household: the others then count as having
        one value.
        """
        values = self.ordered(column.values, among)
        at = np.flatnonzero((values[1:] != values[:-1]) & self._follows[: len(values) - 1])
        before, after = values[at], values[at + 1]
        # Only NaN is not equal to itself.
        at = at[(before == before) | (after == after)]
        agree = np.ones(len(self.sizes), dtype=bool)
        agree[self.labels[at if self._in_order else self.order[at]]] = False
        return agree

    def shared(self, column: Column) -> NDArray[Any]:
        """Return for each record the value that most of its household has.

        Among equally frequent values it is the first in the file.

        >>> import discreet
        >>> town = discreet.read({"town": ["Ayle", "Bron", "Bron", "Cull"]}).column("town")
        >>> Clusters(np.array([0, 0, 0, 1])).shared(town)
        array([1, 1, 1, 2], dtype=int32)
        """
        chosen = self.first.copy()
        rows = np.flatnonzero(~self.agreeing(column)[self.labels])
        if len(rows):
            homes = self.labels[rows]
            _, codes = np.unique(column.values[rows], return_inverse=True)
            _, at, counts = np.unique(
                homes * (int(codes.max()) + 1) + codes, return_index=True, return_counts=True
            )
            # The last one written is kept: the most frequent pair of a household, then the
            # earliest.
            best = np.lexsort((-at, counts, homes[at]))
            chosen[homes[at][best]] = rows[at[best]]
        return np.asarray(column.values[chosen][self.labels])


_KNOWN_CLUSTERS: WeakKeyDictionary[Column, Clusters] = WeakKeyDictionary()


def key_of(data: Microdata) -> str | None:
    """Return the column that says which records belong together: of a household, or else of a
    person.
    """
    return next(iter(keys_of(data)), None)


def unit_key(data: Microdata) -> str | None:
    """Return the column by which claims count, so that the records of one unit count once.

    It is the key that was made the unit. If none was, households are counted, since k of them are
    of k persons too, or else persons with several records. A record counts for itself if there is
    no key, or if records were made the unit (`discreet.microdata.levels.with_unit`).

    >>> import discreet
    >>> unit_key(discreet.read({"patient": [1, 1, 2]}, roles={"patient": "person"}))
    'patient'
    >>> unit_key(discreet.read({"hid": [1, 1, 2]}, roles={"hid": "household"}, unit="record"))
    """
    chosen = [a.name for a in data.schema if a.unit]
    others = [name for name in keys_of(data) if data.schema[name].unit is None]
    return next(iter((*chosen, *others)), None)


def keys_of(data: Microdata) -> tuple[str, ...]:
    """Return the columns that number households, and then those that number persons."""
    return (*data.having(Role.HOUSEHOLD), *data.having(Role.PERSON))


def clusters_of(data: Microdata) -> Clusters | None:
    """Return the households of a table, or else its persons; None if no column identifies them.

    A record without a number is a separate household.

    >>> import discreet
    >>> data = discreet.read({"home": [7, None, 7, None]}, roles={"home": "household"})
    >>> clusters_of(data).labels
    array([0, 1, 0, 2])
    """
    key = key_of(data)
    return None if key is None else clusters_by(data, key)


def units_of(data: Microdata) -> Clusters | None:
    """Return what claims count, where that is not the record: see `unit_key`."""
    key = unit_key(data)
    if key is None:
        return None
    units = clusters_by(data, key)
    # While the persons of households are treated, their key is there to count by, and has no role.
    return units if key in keys_of(data) else replace(units, role=Role.HOUSEHOLD)


def households_of(data: Microdata) -> Clusters | None:
    """Return the households of a table; None if no column identifies them."""
    named = data.having(Role.HOUSEHOLD)
    return clusters_by(data, named[0]) if named else None


def persons_of(data: Microdata) -> Clusters | None:
    """Return the persons of a table of several records each; None if no column identifies them."""
    named = data.having(Role.PERSON)
    return clusters_by(data, named[0]) if named else None


def people_of(data: Microdata) -> Clusters | None:
    """Return the persons that a risk of re-identification is about; None where each record is one.

    Unlike claims of k, such a risk is never of households: it is the chance to find a *person* of
    the population. Where records are counted, a person with several records is several.
    """
    key = person_key(data)
    return None if key is None else clusters_by(data, key)


def person_key(data: Microdata) -> str | None:
    """Return the key of `people_of`."""
    persons = data.having(Role.PERSON)
    return next((name for name in persons if data.schema[name].unit is not False), None)


def clusters_by(data: Microdata, key: str) -> Clusters:
    """Return the clusters that a column numbers; a record without a number is one of its own.

    They are found once for each column, which most steps leave as it is.
    """
    column = data.column(key)
    if column not in _KNOWN_CLUSTERS:
        _KNOWN_CLUSTERS[column] = _numbered_by(column, classes(data, [key]))
    return _KNOWN_CLUSTERS[column]


def _numbered_by(column: Column, labels: NDArray[np.int64]) -> Clusters:
    if column.missing.any():
        labels = labels + 0
        labels[column.missing] = len(labels) + np.arange(column.missing.sum())
        labels = numbered(labels, 2 * len(labels))[0]
    labels.flags.writeable = False
    return Clusters(labels, column.attribute.role)


def counted_once(
    labels: NDArray[np.int64],
    units: NDArray[np.int64] | None,
    together: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """Return the number of distinct units in each class.

    `together` are the records that `recurring` returns, where they are known already.

    >>> counted_once(np.array([0, 0, 0, 1]), np.array([5, 5, 6, 5]))
    array([2, 1])
    """
    counts = np.bincount(labels)
    if units is not None:
        rows = recurring(labels, units) if together is None else together
        again = np.ones(len(rows), dtype=bool)
        again[first_of_each(labels[rows], units[rows])] = False
        counts -= np.bincount(labels[rows[again]], minlength=len(counts))
    return counts


def first_of_each(*keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the first record of each combination of labels, in the order of the records.

    >>> first_of_each(np.array([1, 1, 0]), np.array([5, 5, 6]))
    array([0, 2])
    """
    joint, space = keys[0], int(keys[0].max(initial=0)) + 1
    for key in keys[1:]:
        width = int(key.max(initial=0)) + 1
        joint, space = numbered(joint * width + key, space * width)
    first = np.full(space, len(joint), dtype=np.int64)
    np.minimum.at(first, joint, np.arange(len(joint)))
    return np.sort(first[first < len(joint)])


def recurring(labels: NDArray[np.int64], units: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the records whose label and unit another record has too, in their order.

    >>> recurring(np.array([1, 1, 0, 1]), np.array([5, 5, 6, 6]))
    array([0, 1])
    """
    width = int(units.max(initial=0)) + 1
    joint, count = numbered(labels * width + units, (int(labels.max(initial=0)) + 1) * width)
    if count == len(joint):
        return np.zeros(0, dtype=np.int64)
    return np.flatnonzero(np.bincount(joint).take(joint) > 1)


def renumbered(data: Microdata, generator: np.random.Generator) -> Microdata:
    """Give households and persons random new numbers: the old ones would link to a register.

    >>> import discreet
    >>> data = discreet.read({"hid": [70011, 70011, 70012]}, roles={"hid": "household"})
    >>> new = renumbered(data, np.random.default_rng(1))
    >>> new.schema["hid"].categories, bool(new["hid"][0] == new["hid"][1] != new["hid"][2])
    ((1, 2), True)
    """
    columns = []
    for name in data.having(Role.HOUSEHOLD, Role.PERSON):
        column = data.column(name)
        missing = column.missing
        cluster = clusters_by(data, name).labels
        if missing.any():
            cluster, _ = numbered(cluster[~missing], len(data))
        numbers = np.full(len(data), MISSING_CODE, dtype=np.int64)
        numbers[~missing] = generator.permutation(int(cluster.max(initial=-1)) + 1)[cluster]
        columns.append(numbered_anew(column, numbers))
    return data.replace(columns)


def numbered_anew(column: Column, numbers: NDArray[np.int64]) -> Column:
    """Return a column of households or persons with these numbers from 0 on, none where it is -1.

    They are of the type that the column has, and start from 1. Dates and times are a day apart, so
    that every file format distinguishes them.

    >>> import discreet
    >>> home = discreet.read({"home": ["a", "b"]}, roles={"home": "household"}).column("home")
    >>> numbered_anew(home, np.array([9, -1])).attribute.categories[-1]
    '10'
    """
    if column.attribute.continuous:
        return column.with_values(np.where(numbers < 0, np.nan, numbers + 1.0))
    count = int(numbers.max(initial=-1)) + 1
    width = len(str(count))
    categories = column.attribute.categories
    texts = any(issubclass(kind, str) for kind in set(map(type, categories)))
    names: list[Any] = [f"{i:0{width}d}" if texts else i for i in range(1, count + 1)]
    first = categories[0] if categories else None
    if isinstance(first, date) and count <= MOST_DAYS:
        start = date(1970, 1, 1)
        if isinstance(first, datetime):
            start = datetime(1970, 1, 1, tzinfo=first.tzinfo)
        names = [start + timedelta(days=i) for i in range(count)]
    return column.recoded(numbers.astype(np.int32), Kind.NOMINAL, names)


def split_clusters(data: Microdata, rows: NDArray[np.int64]) -> tuple[str, ...]:
    """Return notes on households and persons with only some of their records among these rows.

    >>> import discreet
    >>> data = discreet.read({"hid": [7, 7, 8]}, roles={"hid": "household"})
    >>> split_clusters(data, np.array([0, 2]))[0][:45]
    "1 of the 2 sampled households of column 'hid'"
    """
    notes = []
    for name in data.having(Role.HOUSEHOLD, Role.PERSON):
        word = data.schema[name].role.value
        known = ~data.column(name).missing
        labels = classes(data, [name])
        size = np.bincount(labels[known], minlength=int(labels.max(initial=-1)) + 1)
        sampled = np.bincount(labels[rows[known[rows]]], minlength=len(size))
        split = int(((sampled > 0) & (sampled < size)).sum())
        if split:
            notes.append(
                f"{split} of the {int((sampled > 0).sum())} sampled {word}s of column '{name}' are "
                "in the sample with only some of their records, since records were drawn, not "
                f"{word}s: the sample does not show the size or composition of a {word}"
            )
    return tuple(notes)
