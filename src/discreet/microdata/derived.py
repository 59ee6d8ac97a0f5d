"""Derived columns: what anyone can compute about a household from its members.

The size of a household is the number of its records, a total the sum of its members' parts. What is
suppressed in such a column can be computed from the records, and changes to it contradict them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from discreet.microdata.clusters import Clusters
from discreet.microdata.levels import ONE_VALUE, levels_between, of_household
from discreet.microdata.schema import Kind, Role
from discreet.microdata.table import Column, Microdata

Floats = NDArray[np.float64]

LEAST_HOUSEHOLDS = 10
"""With fewer households of two or more, an equality may be due to chance."""
FIRST_LOOK = 200
"""Households on which an equality is tried before all of them."""
MOST_CATEGORIES = 20
REDUCED = {"sum": np.add, "least": np.minimum, "largest": np.maximum}
NOTHING = {"sum": 0.0, "least": np.inf, "largest": -np.inf}
"""What a member who is passed over adds."""


@dataclass(frozen=True)
class Derived:
    """How a column of household level follows from the records of the household.

    `how` is size, sum, least, largest, below (the number of members below a bound) or equal (the
    number of members with a category); `source` is the members' column, empty for the size. With
    `passing_over`, members without a value are passed over, as children without an income are.
    """

    name: str
    how: str = "size"
    source: str = ""
    mark: float = 0.0
    passing_over: bool = False

    @property
    def words(self) -> str:
        """What the column is, in words, without a value of a record."""
        if self.how == "size":
            return "the number of members"
        counted = self.how in ("below", "equal")
        return f"{'a count of members by' if counted else f'the {self.how} of'} '{self.source}'"

    def numbers(self, data: Microdata, homes: Clusters, before: Microdata | None = None) -> Floats:
        """Return its value for each household, NaN where a member's value is missing.

        Only members who had no value `before` are passed over: a value that has been
        suppressed since then could be computed from those of the others.

        >>> import discreet
        >>> data = discreet.read({"pay": [10, 5, 7]})
        >>> Derived("total", "sum", "pay").numbers(data, Clusters(np.array([0, 0, 1])))
        array([15.,  7.])
        """
        if self.how == "size":
            return homes.sizes.astype(np.float64)
        column = data.column(self.source)
        passed_over = column.missing & self.passing_over
        if before is not None:
            passed_over &= before.column(self.source).missing
        values = np.where(column.missing & ~passed_over, np.nan, column.values)
        if self.how in REDUCED:
            values = np.where(passed_over, NOTHING[self.how], values)
            starts = np.cumsum(homes.sizes) - homes.sizes
            # In the order of their values: sums of equal members are equal to the last digit.
            order = np.lexsort((values, homes.labels)) if self.how == "sum" else homes.order
            numbers = np.asarray(REDUCED[self.how].reduceat(values[order], starts))
        else:
            chosen = values < self.mark if self.how == "below" else values == self.mark
            chosen = np.where(column.missing & ~passed_over, np.nan, chosen & ~passed_over)
            numbers = np.asarray(np.bincount(homes.labels, chosen), dtype=np.float64)
        if not passed_over.any():
            return numbers
        nobody = np.bincount(homes.labels, ~passed_over) == 0
        stated = _per_household(data.column(self.name), homes)
        if stated is not None:
            # For nobody a file says 0 or nothing; another value is about members who are not there.
            numbers[nobody] = np.where(stated[nobody] == 0, 0.0, np.nan)
        return numbers

    def holds(self, data: Microdata, homes: Clusters) -> bool:
        """Whether the column is derived in this way, except in a few households."""
        return bool(self.agreeing(data, homes).mean() >= ONE_VALUE)

    def agreeing(self, data: Microdata, homes: Clusters) -> NDArray[np.bool_]:
        """Return which households have the value that their members make.

        >>> import discreet
        >>> data = discreet.read({"pay": [10, 5, 7], "total": [15, 15, 8]})
        >>> Derived("total", "sum", "pay").agreeing(data, Clusters(np.array([0, 0, 1])))
        array([ True, False])
        """
        stated = _per_household(data.column(self.name), homes)
        if stated is None:
            return np.zeros(len(homes.sizes), dtype=bool)
        derived = self.numbers(data, homes)
        close = np.isclose(stated, derived, rtol=1e-9, atol=0)
        return np.asarray(close | (np.isnan(stated) & np.isnan(derived)))

    def column(self, data: Microdata, homes: Clusters, before: Microdata | None = None) -> Column:
        """Return the column as the records of the table make it."""
        column = data.column(self.name)
        numbers = self.numbers(data, homes, before)
        if column.attribute.continuous:
            return column.with_values(numbers[homes.labels])
        present = np.unique(numbers[~np.isnan(numbers)])
        known = {float(c): code for code, c in enumerate(column.attribute.categories)}
        new = [int(n) for n in present.tolist() if n not in known]
        categories = (*column.attribute.categories, *new)
        if column.attribute.kind is Kind.ORDINAL:
            categories = tuple(sorted(categories, key=float))
        code_of = {float(c): code for code, c in enumerate(categories)}
        table = np.array([code_of[n] for n in present.tolist()], dtype=np.int32)
        codes = np.where(
            np.isnan(numbers), -1, table[np.searchsorted(present, numbers).clip(0, len(table) - 1)]
        )
        if not new:
            return column.with_values(codes[homes.labels])
        return column.recoded(codes[homes.labels], column.attribute.kind, categories)


def derived_columns(data: Microdata, homes: Clusters) -> dict[str, Derived]:
    """Return the columns of household level that follow from the members' records, by name.

    >>> import discreet
    >>> home = np.repeat(np.arange(40), 1 + np.arange(40) % 3)
    >>> size = np.bincount(home)[home]
    >>> data = discreet.read({"home": home, "hsize": size, "age": np.arange(len(home)) % 30},
    ...                      roles={"home": "household"})
    >>> {name: rule.words for name, rule in derived_columns(data, Clusters(home)).items()}
    {'hsize': 'the number of members'}
    """
    several = np.flatnonzero(homes.sizes > 1)
    if len(several) < LEAST_HOUSEHOLDS:
        return {}
    first = np.flatnonzero(np.isin(homes.labels, several[:FIRST_LOOK]))
    part = data.take(first)
    few = Clusters(np.unique(homes.labels[first], return_inverse=True)[1], homes.role)
    incomplete = [column.name for column in data if column.missing.any()]
    derived: dict[str, Derived] = {}
    for way in likely(part, few, incomplete, derived):
        if way.holds(data, homes):
            derived[way.name] = way
    return derived


def likely(
    part: Microdata, homes: Clusters, incomplete: Collection[str], known: Collection[str] = ()
) -> Iterator[Derived]:
    """Yield how columns follow from the members of some households, in the order of trial.

    In `incomplete` columns some values of the file are missing. Once a column is `known`, no other
    way is tried.
    """
    for name in of_household(part):
        stated = _per_household(part.column(name), homes)
        if stated is None or len(np.unique(stated)) < 2:
            continue
        for way in _ways(part, homes, name, stated, incomplete):
            if way.holds(part, homes):
                yield way
            if name in known:
                break


def _ways(
    data: Microdata, homes: Clusters, name: str, stated: Floats, incomplete: Collection[str]
) -> Iterator[Derived]:
    """Yield how a column might be derived; the bounds of counts are those that fit these data.

    In `incomplete` columns some values are missing.
    """
    yield Derived(name)
    shared, _ = levels_between(homes)
    whole = not np.isnan(stated).any() and bool((stated == np.rint(stated)).all())
    for column in data:
        attribute = column.attribute
        if attribute.level in (None, shared) or attribute.role is Role.WEIGHT:
            continue
        ways: list[Derived] = []
        if attribute.continuous:
            ways += [Derived(name, how, column.name) for how in REDUCED]
            ways += _below(column, homes, name, stated) if whole else ()
        elif whole and len(attribute.categories) <= MOST_CATEGORIES:
            codes = range(len(attribute.categories))
            ways += [Derived(name, "equal", column.name, float(code)) for code in codes]
        yield from ways
        if column.name in incomplete:
            yield from (replace(way, passing_over=True) for way in ways)


def _below(column: Column, homes: Clusters, name: str, stated: Floats) -> Iterator[Derived]:
    """Yield the bound below which as many members are as the column says, if there is one.

    For a household with n such members it lies above the n-th lowest value, and not above the next.
    """
    if ((stated < 0) | (stated > homes.sizes)).any():
        return
    values = column.values[np.lexsort((column.values, homes.labels))]
    starts = np.cumsum(homes.sizes) - homes.sizes
    at = starts + stated.astype(np.int64)
    some, not_all = stated > 0, stated < homes.sizes
    low = values[at[some] - 1].max(initial=-np.inf)
    # Members without a value come last, and set no bound.
    high = np.fmin.reduce(values[at[not_all]], initial=np.inf)
    if low < high < np.inf:
        yield Derived(name, "below", column.name, float(high))


def _per_household(column: Column, homes: Clusters) -> Floats | None:
    """Return the numbers of a column of household level; None if it does not hold numbers."""
    values = column.values[homes.first]
    if column.attribute.continuous:
        return np.asarray(values, dtype=np.float64)
    numbers = []
    for category in column.attribute.categories:
        try:
            numbers.append(float(category))
        except (TypeError, ValueError):
            return None
    return np.asarray(np.array([*numbers, np.nan])[values])
