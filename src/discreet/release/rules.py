"""Rules between columns: what holds for every record of the file must not be broken unnoticed.

Such as "if pregnant = yes then sex = f", "always low <= high" or "always total = rent + heating": a
comparison of a column with a value, or of sums of columns with one another, that holds always or
under conditions. Records of the original that break a rule are reported, and so are those of the
release, which turn the light amber if they are more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.errors import UsageError
from discreet.microdata import Column, Microdata
from discreet.models.sequential.rules import Comparison, Rule, comparisons

_SUMS = re.compile(
    r"\s*(?:if\s+(?P<conditions>.+?)\s+then|always)\s+(?P<left>[^<>=!]+?)\s*"
    r"(?P<sign><=|>=|!=|==|=|<|>)\s*(?P<right>[^<>=!]+?)\s*",
    re.DOTALL,
)
NEAR = 1e-9
"""Sums that differ by no more than this share of their size are equal."""


@dataclass(frozen=True)
class Sums:
    """A rule that compares sums of columns: a part with the whole, the least with the largest.

    >>> import discreet
    >>> data = discreet.read({"rent": [3, 4], "heat": [1, 1], "total": [4, 6]})
    >>> rule = rule_of("always total = rent + heat", data)
    >>> rule.broken({column.name: column for column in data})
    array([False,  True])
    """

    text: str
    conditions: tuple[Comparison, ...]
    left: tuple[str, ...]
    sign: str
    right: tuple[str, ...]

    @property
    def columns(self) -> frozenset[str]:
        """The columns that the rule mentions."""
        return frozenset((*self.left, *self.right, *(c.column for c in self.conditions)))

    def broken(self, columns: Mapping[str, Column]) -> NDArray[np.bool_]:
        """Return which records break the rule; one with a missing value does not."""
        left, right = (
            np.sum([columns[name].values for name in names], axis=0)
            for names in (self.left, self.right)
        )
        equal = np.isclose(left, right, rtol=NEAR, atol=NEAR)
        holds = {
            "=": equal,
            "!=": ~equal,
            "<": (left < right) & ~equal,
            "<=": (left < right) | equal,
            ">": (left > right) & ~equal,
            ">=": (left > right) | equal,
        }[self.sign]
        broken = ~holds & ~np.isnan(left + right)
        for condition in self.conditions:
            broken &= condition.holds(columns[condition.column])
        return np.asarray(broken)


@dataclass(frozen=True)
class Kept:
    """How many records of the original and of the release break a rule, as far as can be seen.

    `after` is None where a column was left out or recoded, so that the release does not show it.
    """

    text: str
    columns: tuple[str, ...]
    before: int
    records: int
    after: int | None
    released: int

    @property
    def worse(self) -> bool:
        """Whether a larger share of the records breaks it than before."""
        return self.after is not None and self.after * self.records > self.before * self.released

    @property
    def words(self) -> str:
        """The same in a sentence; empty if nobody breaks it."""
        before = f"{self.before:,} of {self.records:,} original records"
        if self.after is None:
            left = f"{before} break it" if self.before else "no original record breaks it"
            return f"columns of the rule '{self.text}' changed, so it cannot be checked; {left}"
        if not (self.before or self.after):
            return ""
        after = f"{self.after:,} of {self.released:,} released records"
        return f"{after} break the rule '{self.text}', and {before} do"


def rule_of(text: str, data: Microdata) -> Rule | Sums:
    """Read a rule; raise a usage error that says how one is written if it is malformed.

    >>> import discreet
    >>> rule_of("always age >= 0", discreet.read({"age": [30]})).columns
    frozenset({'age'})
    """
    match = _SUMS.fullmatch(text)
    if match:
        left, right = (
            tuple(part.strip() for part in match[side].split("+")) for side in ("left", "right")
        )
        if all(name in data.schema for name in (*left, *right)):
            owner = f"the rule '{text.strip()}'"
            for name in (*left, *right):
                if not data.schema[name].continuous:
                    raise UsageError(
                        f"{owner} must compare columns of numbers, but '{name}' is "
                        f"{data.schema[name].kind}; compare it with one of its categories"
                    )
            sign = match["sign"].replace("==", "=")
            given = comparisons(match["conditions"] or "", data, owner)
            return Sums(text.strip(), given, left, sign, right)
    return Rule.read(text, data)


def kept_rules(original: Microdata, released: Microdata, texts: Sequence[str]) -> tuple[Kept, ...]:
    """Count the records that break each rule, before and after.

    >>> import discreet
    >>> data = discreet.read({"low": [1, 5], "high": [2, 6]})
    >>> worse = data.replace([data.column("low").with_values(np.array([3.0, 5.0]))])
    >>> print(kept_rules(data, worse, ["always low <= high"])[0].words)
    1 of 2 released records break the rule 'always low <= high', and 0 of 2 original records do
    """
    counts = []
    for text in texts:
        rule = rule_of(text, original)
        before, after = breaking(rule, original, original), breaking(rule, original, released)
        assert before is not None
        names = tuple(sorted(rule.columns))
        counts.append(Kept(rule.text, names, before, len(original), after, len(released)))
    return tuple(counts)


def breaking(rule: Rule | Sums, original: Microdata, table: Microdata) -> int | None:
    """Return how many records of a table break a rule; None if columns have other scales.

    >>> import discreet
    >>> data = discreet.read({"low": [1, 5], "high": [2, 4]})
    >>> breaking(rule_of("always low <= high", data), data, data)
    1
    """
    shown = [as_before(original, table, name) for name in sorted(rule.columns)]
    if None in shown:
        return None
    return int(rule.broken({c.name: c for c in shown if c is not None}).sum())


def as_before(original: Microdata, released: Microdata, name: str) -> Column | None:
    """Return a released column on the scale of the original; None if it has another one."""
    if name not in released.schema:
        return None
    before, column = original.schema[name], released.column(name)
    if before.continuous or column.attribute.continuous:
        return column if before.continuous and column.attribute.continuous else None
    place = {category: code for code, category in enumerate(before.categories)}
    if not set(column.attribute.categories) <= set(place):
        return None
    codes = np.array([*(place[c] for c in column.attribute.categories), -1], dtype=np.int32)
    return Column(before, codes[column.values])
