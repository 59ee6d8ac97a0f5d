"""Keeping rules: records of a release that break a rule between columns are repaired.

This is done once after all steps, whatever they were, on the released values alone, so that nothing
more about the original is given away. Only what the steps changed is changed:

- a total that is the sum of its parts is added up again; parts of a total that is released as it
  is are scaled to it (raking);
- a lower value above the upper one is exchanged with it; a value beyond a bound is moved to it
  (projection);
- a category is drawn from released records that keep the rule (redrawing).

Records that agree in all quasi-identifiers still agree afterwards, and so do the members of a
household in what they share. What cannot be repaired in this way is left, and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Column, Microdata
from discreet.microdata.clusters import clusters_of
from discreet.microdata.decimals import rounded
from discreet.microdata.equivalence import classes
from discreet.microdata.levels import of_household
from discreet.models.sequential.rules import Comparison, Rule
from discreet.release.by_level import of_one_member
from discreet.release.course import rows_at
from discreet.release.decimals import decimals_in
from discreet.release.rules import NEAR, Sums, as_before, rule_of

Rows = NDArray[np.int64]
TURNS = 4
"""Repairing one rule may break another: each is checked at most this many times."""


def keep_rules(
    original: Microdata,
    table: Microdata,
    origin: Rows,
    texts: Sequence[str],
    generator: np.random.Generator,
) -> tuple[Microdata, list[str]]:
    """Return the table with as many records as possible keeping the rules, and notes.

    >>> import discreet
    >>> data = discreet.read({"low": [1, 5], "high": [2, 6]})
    >>> worse = data.replace([data.column("low").with_values(np.array([3.0, 5.0]))])
    >>> draw = np.random.default_rng(1)
    >>> kept, notes = keep_rules(data, worse, np.arange(2), ["always low <= high"], draw)
    >>> kept["low"], notes
    (array([2., 5.]), ["1 released record that broke the rule 'always low <= high' was repaired"])
    """
    if not texts:
        return table, []
    keeping = Keeping(
        tuple(rule_of(text, original) for text in texts),
        original,
        _changed(original, table, origin),
        lambda name: decimals_in(original.column(name)),
        generator,
    )
    table, repaired = keeping.kept(table)
    return (of_one_member(table) if repaired else table), notes_on_repaired(repaired)


def notes_on_repaired(repaired: Mapping[str, int]) -> list[str]:
    """Return notes on how many records that broke each rule were repaired.

    >>> notes_on_repaired({"always low <= high": 2})
    ["2 released records that broke the rule 'always low <= high' were repaired"]
    """
    return [
        f"{count:,} released {'records that broke' if count > 1 else 'record that broke'} the rule "
        f"'{text}' {'were' if count > 1 else 'was'} repaired"
        for text, count in repaired.items()
    ]


@dataclass(frozen=True, eq=False)
class Keeping:
    """Rules, the scales of the original, the columns that steps changed, and their decimals."""

    rules: tuple[Rule | Sums, ...]
    original: Microdata
    changed: frozenset[str]
    decimals: Callable[[str], int | None]
    generator: np.random.Generator

    def kept(self, table: Microdata) -> tuple[Microdata, dict[str, int]]:
        """Return the table with its rules kept where possible, and the records repaired by rule."""
        repaired: dict[str, int] = {}
        for _ in range(TURNS):
            before = sum(repaired.values())
            for rule in self.rules:
                columns = {n: as_before(self.original, table, n) for n in rule.columns}
                shown = {name: column for name, column in columns.items() if column is not None}
                if len(shown) < len(columns):
                    continue
                broken = np.flatnonzero(rule.broken(shown))
                if not len(broken):
                    continue
                task = _Mending(rule, self.decimals, table, shown, self.changed, self.generator)
                new = task.repaired(broken)
                left = np.zeros(len(table), dtype=bool)
                left[broken] = rule.broken({**shown, **new})[broken]
                if left[broken].all():
                    continue
                table = table.replace(_where(shown[c.name], c, left) for c in new.values())
                repaired[rule.text] = repaired.get(rule.text, 0) + len(broken) - int(left.sum())
            if sum(repaired.values()) == before:
                break
        return table, repaired


def by_rows(rule: Rule | Sums, treated: Collection[str]) -> bool:
    """Whether a record that breaks a rule is repaired by its own values alone.

    That is so of sums, and where a number is moved to a bound that belongs to it. A bound that does
    not, and a category, are taken from other records. `treated` are the columns that steps change.

    >>> import discreet
    >>> data = discreet.read({"age": [9, 30], "job": ["no", "yes"]})
    >>> rules = ["if job = no then age <= 15", "if job = no then age < 15"]
    >>> [by_rows(rule_of(text, data), ["age"]) for text in rules]
    [True, False]
    """
    if isinstance(rule, Sums):
        return True
    others = {condition.column for condition in rule.conditions}
    last = rule.conclusion
    if last.column in treated and last.sign in ("<=", ">=", "="):
        return True
    return not ({*others, last.column} & set(treated))


def _changed(original: Microdata, table: Microdata, origin: Rows) -> frozenset[str]:
    """Return the columns that the steps changed."""
    before = rows_at(original, origin)
    return frozenset(
        column.name
        for column in table
        if before is None or not column.same_as(before.column(column.name))
    )


def _where(old: Column, new: Column, left: NDArray[np.bool_]) -> Column:
    """Return a column with its old values where the new ones do not help."""
    return new.with_values(np.where(left, old.values, new.values)) if left.any() else new


@dataclass(frozen=True, eq=False)
class _Mending:
    """One rule, the released columns that it is about, and those that may be changed."""

    rule: Rule | Sums
    decimals: Callable[[str], int | None]
    table: Microdata
    shown: dict[str, Column]
    changed: frozenset[str]
    generator: np.random.Generator
    free: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        shared = set(of_household(self.table)) & self.rule.columns
        # What a household shares may change only if the whole rule is about households.
        kept = shared if shared < self.rule.columns else set()
        object.__setattr__(self, "free", (self.changed & self.rule.columns) - kept)

    def repaired(self, rows: Rows) -> dict[str, Column]:
        """Return the columns with their new values in these rows."""
        if isinstance(self.rule, Sums):
            return self._sums(self.rule, rows)
        return self._comparison(self.rule, rows)

    def _with(self, name: str, rows: Rows, values: NDArray[np.generic]) -> dict[str, Column]:
        column = self.shown[name]
        new = column.values.copy()
        new[rows] = values
        if column.attribute.continuous:
            digits = self.decimals(name)
            if digits is not None:
                new[rows] = rounded(new[rows], digits)
        return {name: column.with_values(new)}

    def _sums(self, rule: Sums, rows: Rows) -> dict[str, Column]:
        sides = (rule.left, rule.right)
        sums = [self._sum(side, rows) for side in sides]
        free = [[name for name in side if name in self.free] for side in sides]
        if rule.sign in ("<", ">", "!="):
            return {}
        if rule.sign != "=" and all(len(side) == 1 and free[i] for i, side in enumerate(sides)):
            left, right = self.shown[rule.left[0]], self.shown[rule.right[0]]
            return {
                **self._with(left.name, rows, right.values[rows]),
                **self._with(right.name, rows, left.values[rows]),
            }
        for place in (0, 1):
            if len(sides[place]) == 1 and free[place]:
                return self._total(free[place][0], rows, sums[1 - place])
        for place in (0, 1):
            if free[place]:
                return self._raked(free[place], sums[1 - place] - sums[place], rows)
        return {}

    def _total(self, name: str, rows: Rows, values: NDArray[np.float64]) -> dict[str, Column]:
        """Return a total with the decimals of its column, or more where its parts have more."""
        column = self._with(name, rows, values)[name]
        new = column.values.copy()
        same = np.isclose(new[rows], values, rtol=NEAR, atol=NEAR)
        new[rows] = np.where(same, new[rows], values)
        return {name: column.with_values(new)}

    def _sum(self, names: Sequence[str], rows: Rows) -> NDArray[np.float64]:
        return np.asarray(np.sum([self.shown[name].values[rows] for name in names], axis=0))

    def _raked(
        self, names: list[str], lacking: NDArray[np.float64], rows: Rows
    ) -> dict[str, Column]:
        """Scale parts so that their sum grows by what is missing; the last takes the remainder."""
        parts = self._sum(names, rows)
        wanted = parts + lacking
        possible = (parts != 0) & (wanted / np.where(parts == 0, 1, parts) >= 0)
        rows, parts, wanted = rows[possible], parts[possible], wanted[possible]
        new: dict[str, Column] = {}
        for name in names:
            new |= self._with(name, rows, self.shown[name].values[rows] * (wanted / parts))
        rest = wanted - np.sum([new[name].values[rows] for name in names], axis=0)
        largest = np.argmax([new[name].values[rows] for name in names], axis=0)
        for place, name in enumerate(names):
            values = new[name].values[rows] + np.where(largest == place, rest, 0.0)
            new[name] = self._with(name, rows, values)[name]
        return new

    def _comparison(self, rule: Rule, rows: Rows) -> dict[str, Column]:
        last = rule.conclusion
        if last.column in self.free and self.shown[last.column].attribute.continuous:
            bound = self._bound(last)
            return {} if bound is None else self._with(last.column, rows, np.full(len(rows), bound))
        keeps = last.holds(self.shown[last.column])
        under = np.ones(len(self.table), dtype=bool)
        for condition in rule.conditions:
            under &= condition.holds(self.shown[condition.column])
        if last.column in self.free:
            return self._redrawn(last.column, rows, (under & keeps, keeps))
        for condition in rule.conditions:
            if condition.column in self.free:
                missing = self.shown[condition.column].missing
                others = ~condition.holds(self.shown[condition.column]) & ~missing
                return self._redrawn(condition.column, rows, (others & ~keeps, others))
        return {}

    def _bound(self, comparison: Comparison) -> float | None:
        """Return the nearest number that satisfies a comparison; if strict, a released number."""
        if comparison.sign in ("<=", ">=", "="):
            return comparison.value
        column = self.shown[comparison.column]
        values = column.values[comparison.holds(column)]
        if comparison.sign == "!=" or not len(values):
            return None
        return float(values.max() if comparison.sign == "<" else values.min())

    def _redrawn(
        self, name: str, rows: Rows, donors: Sequence[NDArray[np.bool_]]
    ) -> dict[str, Column]:
        """Draw values of released records that keep the rule, one for records that are alike."""
        pool = next((np.flatnonzero(mask) for mask in donors if mask.any()), None)
        if pool is None:
            return {}
        _, alike = np.unique(self._alike()[rows], return_inverse=True)
        drawn = self.generator.choice(pool, int(alike.max()) + 1)
        return self._with(name, rows, self.shown[name].values[drawn][alike])

    def _alike(self) -> Rows:
        """Return a label for each record; what has one label stays alike."""
        names = self.rule.columns
        homes = clusters_of(self.table)
        if homes is not None and names <= set(of_household(self.table)):
            return homes.labels
        if names <= set(self.table.quasi_identifiers):
            return classes(self.table, self.table.quasi_identifiers)
        return np.arange(len(self.table))
