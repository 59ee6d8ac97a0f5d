"""Synthesis of whole households: what a household shares first, then its members in their order.

The households are a table of their own, with the number of their members, and are synthesised as
records are. Each member is then drawn given the household, the place among its members, and what
the first member and the member before have in the same column: so the ages of couples, and of
parents and children, are related. A person with several records is treated like a household.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.microdata import MISSING_CODE, Attribute, Column, Kind, Microdata
from discreet.microdata.clusters import Clusters, clusters_of, key_of, numbered_anew
from discreet.microdata.derived import Derived, derived_columns
from discreet.microdata.levels import of_household
from discreet.models.sequential.even import evenly
from discreet.models.sequential.fitted import FittedColumn, Visit
from discreet.models.sequential.rules import Rule
from discreet.models.sequential.sequence import FEWEST, keep_rules, present_values, run, table_of

Rows = NDArray[np.int64]

SIZE, PLACE = "number of members", "place among the members"
LAST_PLACE = 6
"""Members after this many others are treated alike."""
FIRST, BEFORE = "of the first member", "of the member before"


def synthesise_all(
    data: Microdata,
    names: Sequence[str],
    rows: int,
    sequence: Callable[[Sequence[str]], Sequence[Visit]],
    context: Context,
    *,
    rules: Sequence[Rule] = (),
    rounded: bool = False,
    owner: str = "the synthesis",
) -> list[Column]:
    """Return these columns of new records, which form households where the file has some.

    `sequence` puts columns into the order of their visits. There are about as many households
    as this many rows have; without households there are exactly as many rows as requested.

    >>> import discreet
    >>> from discreet.models.sequential.sequence import visits
    >>> data = discreet.read({"age": np.arange(60) % 31})
    >>> made = synthesise_all(data, ["age"], 20, lambda names: visits(data, names, ()), Context())
    >>> len(made[0].values)
    20
    """
    homes = clusters_to_synthesise(data)
    if homes is None:
        ordered = sequence(names)
        return run(data, (), rows, ordered, context, rules=rules, rounded=rounded, owner=owner)
    ordered = sequence(modelled_in(data, homes, names))
    return run_by_cluster(
        data, homes, rows, ordered, context, rules=rules, rounded=rounded, owner=owner
    )


def clusters_to_synthesise(data: Microdata) -> Clusters | None:
    """Return the households, or the persons with several records, if there are enough to fit to.

    >>> import discreet
    >>> home = discreet.read({"home": np.arange(40) // 2}, roles={"home": "household"})
    >>> clusters_to_synthesise(home).sizes.tolist()[:3], clusters_to_synthesise(home.take([0, 1]))
    ([2, 2, 2], None)
    """
    homes = clusters_of(data)
    if homes is None or min(len(homes.sizes), len(data) - len(homes.sizes)) < FEWEST:
        return None
    return homes


def modelled_in(data: Microdata, homes: Clusters, names: Sequence[str]) -> tuple[str, ...]:
    """Return the columns to model, those of households first, without what follows from members.

    >>> import discreet
    >>> home = np.repeat(np.arange(40), 1 + np.arange(40) % 3)
    >>> data = discreet.read({"home": home, "age": np.arange(len(home)) % 31, "rooms": home % 4,
    ...                       "hsize": np.bincount(home)[home]}, roles={"home": "household"})
    >>> modelled_in(data, clusters_of(data), ["age", "rooms", "hsize"])
    ('rooms', 'age')
    """
    shared, follow = of_household(data), derived_columns(data, homes)
    kept = [name for name in names if name not in follow]
    return tuple(sorted(kept, key=lambda name: name not in shared))


def run_by_cluster(
    data: Microdata,
    homes: Clusters,
    rows: int,
    sequence: Sequence[Visit],
    context: Context,
    *,
    rules: Sequence[Rule] = (),
    rounded: bool = False,
    owner: str = "the synthesis",
) -> list[Column]:
    """Fit each column to the records of `data`, and draw it for households of about `rows` rows.

    The new numbers of the households are among the columns, and so is what follows from members.

    >>> import discreet
    >>> from discreet.models.sequential.sequence import visits
    >>> home = np.arange(60) // 2
    >>> data = discreet.read({"home": home, "rooms": home % 4, "age": np.arange(60) % 31},
    ...                      roles={"home": "household"})
    >>> made = run_by_cluster(data, clusters_of(data), 60, visits(data, ["rooms", "age"], []),
    ...                       Context())
    >>> [column.name for column in made], len(made[0].values)
    (['rooms', 'age', 'home'], 60)
    """
    count = max(1, round(rows / homes.sizes.mean()))
    lots = evenly(count, context.generator("sizes"))
    sizes = np.sort(homes.sizes)[(lots * len(homes.sizes)).astype(np.int64)]
    labels = np.repeat(np.arange(count), sizes)
    before, after = _Members(homes), _Members(Clusters(labels, homes.role))
    shared = set(of_household(data))
    of_households = [visit for visit in sequence if visit.column in shared]
    above = run(
        Microdata([*data.take(homes.first), _number(SIZE, homes.sizes)], rows=len(homes.sizes)),
        [_number(SIZE, sizes)],
        count,
        [replace(v, predictors=(*_among(v.predictors, shared), SIZE)) for v in of_households],
        context.within("households"),
        rules=[rule for rule in rules if rule.columns <= shared],
        rounded=rounded,
        owner=owner,
    )
    known = Microdata(
        [*data, _number(SIZE, homes.sizes[homes.labels]), before.place_column], rows=len(data)
    )
    table = {column.name: column.with_values(column.values[labels]) for column in above}
    table |= {SIZE: _number(SIZE, sizes[labels]), PLACE: after.place_column}
    of_members = [visit for visit in sequence if visit.column not in shared]
    with context.task("synthesis of members", len(of_members)) as advance:
        for visit in of_members:
            column_context = context.within(visit.column)
            fits = _fits(known, before, visit, column_context, rounded)
            column = data.column(visit.column)
            keep = partial(keep_rules, rules, partial(present_values, column), owner=owner)
            table[visit.column] = _by_place(column, fits, table, after, keep, column_context)
            advance(1)
    drawn = [table[visit.column] for visit in sequence]
    follow = [_followed(data, way, drawn, after) for way in derived_columns(data, homes).values()]
    return [*drawn, *follow, numbered_anew(data.column(key_of(data) or ""), labels)]


@dataclass(frozen=True, eq=False)
class _Members:
    """The records of each household in their order."""

    homes: Clusters

    @cached_property
    def place(self) -> Rows:
        """The number of members before each record."""
        sizes = self.homes.sizes
        place = np.empty(len(self.homes.labels), dtype=np.int64)
        place[self.homes.order] = np.arange(len(place)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return place

    @cached_property
    def place_column(self) -> Column:
        """The place as a category, since a third member is not one and a half times a second."""
        words = [str(place + 1) for place in range(LAST_PLACE)] + ["later"]
        attribute = Attribute(PLACE, kind=Kind.NOMINAL, categories=tuple(words))
        return Column(attribute, np.minimum(self.place, LAST_PLACE))

    @cached_property
    def first(self) -> Rows:
        """For each record, the record of the first member."""
        return np.asarray(self.homes.first[self.homes.labels])

    @cached_property
    def before(self) -> Rows:
        """For each record, the record of the member before; arbitrary for first members."""
        before = np.empty(len(self.homes.labels), dtype=np.int64)
        before[self.homes.order] = np.roll(self.homes.order, 1)
        return before


def _among(names: Sequence[str], kept: set[str]) -> list[str]:
    return [name for name in names if name in kept]


def _number(name: str, values: NDArray[np.integer]) -> Column:
    return Column(Attribute(name, kind=Kind.CONTINUOUS), values.astype(np.float64))


def _nothing(column: Column) -> float:
    return np.nan if column.attribute.continuous else MISSING_CODE


def _kin(column: Column, members: _Members, rows: Rows) -> list[Column]:
    """Return what the first member and the member before have in a column."""
    return [
        Column(replace(column.attribute, name=f"{column.name} {words}"), column.values[of[rows]])
        for words, of in ((FIRST, members.first), (BEFORE, members.before))
    ]


def _fits(
    data: Microdata, members: _Members, visit: Visit, context: Context, rounded: bool
) -> list[FittedColumn]:
    """Fit a column to first members, to second ones given these, and to all later ones.

    Partners are mostly second, children later: what holds for one does not hold for the other.
    """
    first = replace(visit, predictors=(*visit.predictors, SIZE))
    fits = [
        FittedColumn.of(
            data.take(members.homes.first), first, context.within("first"), rounded, True
        )
    ]
    parts = {"second": members.place == 1, "later": members.place > 1}
    if min(part.sum() for part in parts.values()) < FEWEST:
        parts = {"later": members.place > 0}
    for name, part in parts.items():
        rows = np.flatnonzero(part)
        kin = _kin(data.column(visit.column), members, rows)
        names = (*first.predictors, PLACE, *(column.name for column in kin))
        records = Microdata([*data.take(rows), *kin], rows=len(rows))
        wider = replace(visit, predictors=names)
        fits.append(FittedColumn.of(records, wider, context.within(name), rounded, True))
    return fits


def _by_place(
    column: Column,
    fits: Sequence[FittedColumn],
    table: Mapping[str, Column],
    members: _Members,
    keep: Callable[[FittedColumn, dict[str, Column], Context], None],
    context: Context,
) -> Column:
    """Draw a column for the first members, then for the second ones given these, and so on.

    `keep` redraws what breaks a rule, before anybody is drawn given it.
    """
    made = column.with_values(np.full(len(members.place), _nothing(column)))
    for place in range(int(members.homes.sizes.max())):
        rows = np.flatnonzero(members.place == place)
        fitted = fits[min(place, len(fits) - 1)]
        given = {name: Column(c.attribute, c.values[rows]) for name, c in table.items()}
        given |= {relative.name: relative for relative in _kin(made, members, rows)}
        # The last model is that of several places.
        whole = place < len(fits) - 1
        drawn = fitted.draw(table_of(given, fitted.visit.predictors, len(rows)), whole=whole)
        given[column.name] = column.with_values(drawn)
        keep(fitted, given, context.within(f"place {place}"))
        values = made.values.copy()
        values[rows] = given[column.name].values
        made = made.with_values(values)
    return made


def _followed(data: Microdata, way: Derived, drawn: Sequence[Column], members: _Members) -> Column:
    """Return a column that follows from the members, as the synthetic members make it."""
    rows = len(members.place)
    column = data.column(way.name)
    empty = column.with_values(np.full(rows, _nothing(column)))
    return way.column(Microdata([*drawn, empty], rows=rows), members.homes)
