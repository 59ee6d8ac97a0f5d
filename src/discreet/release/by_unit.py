"""Protecting by unit: groups of at least k households, not of k records.

The households of one size are a table of their own: a row for each, with what all members share,
then the members side by side, each column as often as there are members. Members are in the order
of their values, since a household has no first member. A step that forms classes of k rows of such
a table forms classes of k households, whatever is known about all their members together. A person
with several records is such a household too, whose members are the records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Claim, Context, Groups, Masked, Method
from discreet.contracts.renaming import with_columns
from discreet.errors import DataError
from discreet.microdata import Column, Microdata, Role
from discreet.microdata.clusters import Clusters
from discreet.microdata.derived import Derived
from discreet.microdata.equivalence import classes
from discreet.release.classes_of_units import with_enough_units
from discreet.release.strata import k_of_all, notes_of_all, stacked
from discreet.release.suppression_by_household import emptied

Rows = NDArray[np.int64]

WHOLE = {Role.HOUSEHOLD: "household-k-anonymity", Role.PERSON: "trajectory-k-anonymity"}
"""What is claimed for all records of a unit together."""


def by_unit(
    step: Method,
    data: Microdata,
    homes: Clusters,
    reached: tuple[str, ...],
    derived: Mapping[str, Derived],
    context: Context,
) -> Masked:
    """Run a step that makes classes on the households of each size.

    Sizes too rare for it are treated as one: their households are released as single persons,
    without the number that would bring them together again.
    """
    task = _Wide(step, data, homes, reached, derived)
    sizes, counts = np.unique(homes.sizes, return_counts=True)
    waiting = sizes[np.argsort(-counts, kind="stable")].tolist()
    done: list[tuple[int, Rows, Masked]] = []
    rare: list[int] = []
    while waiting or rare:
        size = waiting.pop(0) if not rare else 1
        rows = task.rows([size]) if not rare else task.rows(rare).reshape(-1, 1)
        try:
            masked = task.protect(rows, bool(rare), context.within("size", len(done)))
        except DataError:
            if not rare:
                rare, waiting = [size, *waiting], []
            elif done:
                rare.append(done.pop()[0])
            else:
                raise
            continue
        done.append((size, rows, masked))
        if rare:
            break
    alone = np.isin(homes.sizes, rare)[homes.labels]
    return task.folded([(rows, masked) for _, rows, masked in done], alone, len(rare))


@dataclass(frozen=True, eq=False)
class _Wide:
    step: Method
    data: Microdata
    homes: Clusters
    reached: tuple[str, ...]
    derived: Mapping[str, Derived]

    @cached_property
    def members(self) -> list[str]:
        """The columns that differ between the members of a household."""
        return [n for n in self.reached if not self.homes.agreeing(self.data.column(n)).all()]

    @cached_property
    def order(self) -> Rows:
        """The records by household, the members in the order of their values."""
        return np.lexsort((classes(self.data, self.members), self.homes.labels))

    def rows(self, sizes: list[int]) -> Rows:
        """Return the records of the households of a size, a row each; of several sizes, in one
        column.
        """
        starts = np.cumsum(self.homes.sizes) - self.homes.sizes
        parts = []
        for size in sizes:
            chosen = starts[self.homes.sizes == size]
            parts.append(self.order[chosen[:, None] + np.arange(size)])
        return parts[0] if len(parts) == 1 else np.concatenate([part.ravel() for part in parts])

    def protect(self, rows: Rows, alone: bool, context: Context) -> Masked:
        """Run the step on a table with a row for each row of `rows`, its members side by side.

        For households that are released as single persons (`alone`) the number is kept here, so
        that a class has persons of k households.
        """
        names = {n: tuple(_numbered(n, rows.shape[1])) for n in self.members}
        left = [name for name in self.reached if name in self.derived]
        columns = []
        for column in self.data:
            attribute = column.attribute
            if attribute.name in left:
                attribute = replace(attribute, role=Role.OTHER)
            if attribute.role in (Role.HOUSEHOLD, Role.PERSON) and not (alone and attribute.unit):
                continue
            for place, name in enumerate(names.get(attribute.name, (attribute.name,))):
                values = column.values[rows[:, place]]
                columns.append(Column(replace(attribute, name=name), values))
        step = with_columns(self.step, {**names, **dict.fromkeys(left, ())}, everywhere=True)
        table = Microdata(columns)
        masked = step.protect(table, context)
        if not alone:
            return masked
        treated = [new for name in self.reached for new in names.get(name, (name,))]
        return with_enough_units(masked, table, [name for name in treated if name not in left])

    def folded(
        self, outcomes: list[tuple[Rows, Masked]], alone: NDArray[np.bool_], rare: int
    ) -> Masked:
        """Put the members back in their places, and report what holds for the whole."""
        table = self.data
        for name in self.reached:
            if name in self.derived:
                continue
            parts, places = [], []
            for rows, masked in outcomes:
                width = rows.shape[1]
                wide = _numbered(name, width) if name in self.members else [name] * width
                for place, numbered in enumerate(wide):
                    column = masked.data.column(numbered)
                    attribute = replace(column.attribute, name=name)
                    parts.append(replace(column, attribute=attribute))
                    places.append(rows[:, place])
            table = table.replace([stacked(parts, places, self.data.column(name))])
        notes = notes_of_all([masked.notes for _, masked in outcomes])
        if alone.any():
            # A total would bring the members together again, as a number does.
            gone = (*self.derived, *table.having(self.homes.role))
            table = table.replace(emptied(table.column(name), alone) for name in gone)
            households = int((self.homes.sizes[np.unique(self.homes.labels[alone])] > 0).sum())
            notes.append(
                f"{households:,} {self.homes.word}s of {rare} rare sizes are released as single "
                f"{'persons' if self.homes.role is Role.HOUSEHOLD else 'records'}, without a "
                f"{self.homes.word} number: too few are of their size"
            )
        loose = [n for n in self.reached if n in self.derived and not self._same_in_class(n)]
        if loose:
            notes.append(
                f"k-anonymity is not claimed: {', '.join(repr(n) for n in loose)} can be computed "
                "from members' columns that the step does not treat, or in which values are "
                "missing; treat these too, or give it another role"
            )
        claims = k_of_all([masked.claims for _, masked in outcomes]) if not loose else ()
        groups = None
        if claims:
            k = claims[0].bound
            claims = (*claims, Claim(WHOLE[self.homes.role], k))
            groups = Groups(classes(table, self.reached), least_size=int(k))
        return Masked(table, groups, claims, tuple(notes))

    def _same_in_class(self, name: str) -> bool:
        """Whether households of a class have one value of a column that follows from members.

        They have the same members as released; but whether a member without a value is passed over
        depends on why there is none.
        """
        way = self.derived[name]
        return way.how == "size" or (way.source in self.reached and not way.passing_over)


def _numbered(name: str, count: int) -> list[str]:
    return [f"{name} ({place})" for place in range(1, count + 1)]
