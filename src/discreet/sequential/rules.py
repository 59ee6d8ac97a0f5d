"""Rules that every synthetic record keeps.

Such as "if age < 15 then marital != married", or "always age >= 0": comparisons of a column with a
constant, joined by `and`, then one comparison; or one comparison that always holds. A rule is read
by a grammar of its own and never run as a program. A number compares by size, an ordinal category
by its place among the categories, a nominal one by equality only. A comparison with a missing
value neither holds nor fails, so it breaks no rule.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.errors import UsageError
from discreet.hierarchy import text_of
from discreet.microdata import Column
from discreet.schema import Kind, Schema, unknown_column

Flags = NDArray[np.bool_]

_RULE = re.compile(
    r"\s*(?:if\s+(?P<conditions>.+?)\s+then|always)\s+(?P<conclusion>.+?)\s*", re.DOTALL
)
_COMPARISON = re.compile(
    r"(?P<column>.+?)\s*(?P<sign><=|>=|!=|==|=|<|>)\s*(?P<value>.+)", re.DOTALL
)
_COMPARE = {
    "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
    "=": np.equal, "!=": np.not_equal,
}  # fmt: skip


@dataclass(frozen=True)
class Comparison:
    """A column compared with a constant: a number, or the code of a category.

    >>> import discreet
    >>> data = discreet.read({"age": [9, 30, None]})
    >>> Comparison.read("age < 15", data.schema, "a rule").holds(data.column("age"))
    array([ True, False, False])
    """

    column: str
    sign: str
    value: float

    @classmethod
    def read(cls, text: str, schema: Schema, owner: str) -> Comparison:
        """Read a comparison, or say what is wrong with it."""
        found = _COMPARISON.fullmatch(text.strip())
        if not found:
            raise UsageError(
                f"{owner} must compare a column with a value, such as age < 15, but '{text}' "
                "was given"
            )
        name, sign = found["column"], found["sign"].replace("==", "=")
        value = found["value"].strip()
        if name not in schema:
            raise UsageError(unknown_column(name, schema.names, asked_by=owner))
        attribute = schema[name]
        if attribute.continuous:
            try:
                return cls(name, sign, float(value))
            except ValueError:
                raise UsageError(
                    f"{owner} must compare the continuous column '{name}' with a number, but "
                    f"'{value}' was given"
                ) from None
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
        """Return for which records it holds; for none with a missing value."""
        found = _COMPARE[self.sign](column.values, self.value)
        return np.asarray(found & ~column.missing)


@dataclass(frozen=True)
class Rule:
    """If all conditions hold, so does the conclusion; without conditions it always does.

    >>> import discreet
    >>> data = discreet.read({"age": [9, 9, 30], "married": ["no", "yes", "yes"]})
    >>> rule = Rule.read("if age < 15 then married != yes", data.schema)
    >>> rule.broken({column.name: column for column in data})
    array([False,  True, False])
    """

    text: str
    conditions: tuple[Comparison, ...]
    conclusion: Comparison

    @classmethod
    def read(cls, text: str, schema: Schema) -> Rule:
        """Read a rule, or say what is wrong with it."""
        found = _RULE.fullmatch(text)
        if not found:
            raise UsageError(
                "a rule must be written as: if column < value then column != value, or: always "
                f"column >= value, but '{text}' was given"
            )
        owner = f"the rule '{text.strip()}'"
        conditions = found["conditions"]
        parts = re.split(r"\s+and\s+", conditions) if conditions else []
        return cls(
            text.strip(),
            tuple(Comparison.read(part, schema, owner) for part in parts),
            Comparison.read(found["conclusion"], schema, owner),
        )

    @property
    def columns(self) -> frozenset[str]:
        """The columns that it speaks of."""
        return frozenset(c.column for c in (*self.conditions, self.conclusion))

    def broken(self, columns: Mapping[str, Column]) -> Flags:
        """Return which records break it."""
        last = columns[self.conclusion.column]
        found = ~self.conclusion.holds(last) & ~last.missing
        for condition in self.conditions:
            found &= condition.holds(columns[condition.column])
        return np.asarray(found)


def rules_of(texts: Sequence[str] | None, schema: Schema) -> tuple[Rule, ...]:
    """Read the rules of a method.

    >>> rules_of(["age < 15"], Schema([]))
    Traceback (most recent call last):
    discreet.errors.UsageError: a rule must be written as: if column < value then ...
    """
    return tuple(Rule.read(text, schema) for text in texts or ())
