"""Rules that every synthetic record satisfies.

Such as "if age < 15 then marital != married", or "always age >= 0": comparisons of a column with a
constant, joined by `and`, then one comparison; or one comparison that always holds. A rule is
parsed by a small grammar and never run as code. A number compares by size, a date, written as
1990-05-17, by the calendar, an ordinal category by its place among the categories, a nominal one by
equality only. A comparison with a missing value neither holds nor fails, so it breaks no rule.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.errors import UsageError
from discreet.microdata import Column, Kind, Microdata, unknown_column
from discreet.microdata.dates import moment, unit_of
from discreet.microdata.hierarchy import text_of

Flags = NDArray[np.bool_]

_RULE = re.compile(
    r"\s*(?:if\s+(?P<conditions>.+?)\s+then|always)\s+(?P<conclusion>.+?)\s*", re.DOTALL
)
_COMPARISON = re.compile(
    r"(?P<column>.+?)\s*(?P<sign><=|>=|!=|==|=|<|>)\s*(?P<value>.+)", re.DOTALL
)
_SIGN = re.compile(r"[<>=]")
_COMPARE = {
    "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
    "=": np.equal, "!=": np.not_equal,
}  # fmt: skip


@dataclass(frozen=True)
class Comparison:
    """A column compared with a constant: a number, or the code of a category.

    >>> import discreet
    >>> data = discreet.read({"age": [9, 30, None]})
    >>> Comparison.read("age < 15", data, "a rule").holds(data.column("age"))
    array([ True, False, False])
    """

    column: str
    sign: str
    value: float

    @classmethod
    def read(cls, text: str, data: Microdata, owner: str) -> Comparison:
        """Parse a comparison; raise a usage error if it is malformed."""
        match = _COMPARISON.fullmatch(text.strip())
        if not match:
            raise UsageError(
                f"{owner} must compare a column with a value, such as age < 15, but '{text}' "
                "was given"
            )
        name, sign = match["column"], match["sign"].replace("==", "=")
        value = match["value"].strip()
        if name not in data.schema:
            raise UsageError(unknown_column(name, data.schema.names, asked_by=owner))
        attribute = data.schema[name]
        if attribute.continuous:
            return cls(name, sign, _number(value, data, name, owner))
        if attribute.kind is Kind.NOMINAL and sign not in ("=", "!="):
            raise UsageError(
                f"{owner} can compare the nominal column '{name}' by = and != only, but {sign} "
                "was given; its categories have no order"
            )
        texts = [text_of(category) for category in attribute.categories]
        if value not in texts:
            raise UsageError(
                f"{owner} must compare column '{name}' with one of its {len(texts)} categories, "
                f"but '{value}' was given"
            )
        return cls(name, sign, float(texts.index(value)))

    def holds(self, column: Column) -> Flags:
        """Return the records for which it holds; never those with a missing value."""
        true = _COMPARE[self.sign](column.values, self.value)
        return np.asarray(true & ~column.missing)


@dataclass(frozen=True)
class Rule:
    """If all conditions hold, so does the conclusion; without conditions it always does.

    >>> import discreet
    >>> data = discreet.read({"age": [9, 9, 30], "married": ["no", "yes", "yes"]})
    >>> rule = Rule.read("if age < 15 then married != yes", data)
    >>> rule.broken({column.name: column for column in data})
    array([False,  True, False])
    """

    text: str
    conditions: tuple[Comparison, ...]
    conclusion: Comparison

    @classmethod
    def read(cls, text: str, data: Microdata) -> Rule:
        """Parse a rule; raise a usage error if it is malformed."""
        match = _RULE.fullmatch(text)
        if not match:
            raise UsageError(
                "a rule must be written as: if column < value then column != value, or: always "
                f"column >= value, but '{text}' was given"
            )
        owner = f"the rule '{text.strip()}'"
        return cls(
            text.strip(),
            comparisons(match["conditions"] or "", data, owner),
            Comparison.read(match["conclusion"], data, owner),
        )

    @property
    def columns(self) -> frozenset[str]:
        """The columns that it mentions."""
        return frozenset(c.column for c in (*self.conditions, self.conclusion))

    def broken(self, columns: Mapping[str, Column]) -> Flags:
        """Return which records break it."""
        last = columns[self.conclusion.column]
        broken = ~self.conclusion.holds(last) & ~last.missing
        for condition in self.conditions:
            broken &= condition.holds(columns[condition.column])
        return np.asarray(broken)


def comparisons(text: str, data: Microdata, owner: str) -> tuple[Comparison, ...]:
    """Parse comparisons that are joined by `and`; a category may contain the word.

    >>> import discreet
    >>> data = discreet.read({"trade": ["art", "health and care"], "age": [9, 30]})
    >>> read = comparisons("trade = health and care and age > 18", data, "a rule")
    >>> [(comparison.column, comparison.sign, comparison.value) for comparison in read]
    [('trade', '=', 1.0), ('age', '>', 18.0)]
    """
    parts: list[str] = []
    for part in re.split(r"\s+and\s+", text) if text else ():
        if parts and not _SIGN.search(part):
            parts[-1] += f" and {part}"
        else:
            parts.append(part)
    return tuple(Comparison.read(part, data, owner) for part in parts)


def rules_of(texts: Sequence[str] | None, data: Microdata) -> tuple[Rule, ...]:
    """Read the rules of a method.

    >>> import discreet
    >>> rules_of(["age < 15"], discreet.read({"age": [9]}))
    Traceback (most recent call last):
    discreet.errors.UsageError: a rule must be written as: if column < value then ...
    """
    return tuple(Rule.read(text, data) for text in texts or ())


def _number(value: str, data: Microdata, name: str, owner: str) -> float:
    """Return a number, or a date as its internal number."""
    unit = unit_of(data, name)
    if unit is not None:
        day = moment(value, unit)
        if day is None:
            raise UsageError(
                f"{owner} must compare the column of dates '{name}' with a date such as "
                f"1990-05-17, but '{value}' was given"
            )
        return float(day)
    try:
        return float(value)
    except ValueError:
        raise UsageError(
            f"{owner} must compare the continuous column '{name}' with a number, but '{value}' was "
            "given; rules between columns are kept where they stand below 'rules:' of the plan"
        ) from None
