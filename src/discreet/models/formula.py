"""Formulas: a regression as people write it, `income ~ age + sex + age:sex`.

On the right side are columns, joined by `+`; `a:b` is a product, `a*b` both columns and their
product, `log(a)` a logarithm, `a^2` a power. A name with other characters goes in backquotes. On
the left side is the response, which may be a logarithm, or a category: `smoker == yes`.
A category enters as indicators against the first one that the original has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product

import numpy as np

from discreet.errors import DataError, UsageError
from discreet.microdata import Microdata, Numbers, unknown_column

_NAME = r"(?:`[^`]+`|[^\W\d][\w.]*)"
_FACTOR = re.compile(
    rf"\s*(?:(?P<function>log)\(\s*(?P<inner>{_NAME})\s*\)|(?P<name>{_NAME})"
    r"(?:\s*\^\s*(?P<power>[1-9]))?)\s*$"
)
_EQUALS = re.compile(rf"\s*(?P<name>{_NAME})\s*==\s*(?P<value>.+?)\s*$")


@dataclass(frozen=True)
class Factor:
    """A column as it enters a product: itself, its logarithm, or a power of it."""

    column: str
    log: bool = False
    power: int = 1

    @property
    def label(self) -> str:
        """The factor as it is written."""
        raised = f"^{self.power}" if self.power > 1 else ""
        return f"log({self.column})" if self.log else f"{self.column}{raised}"

    def parts(self, data: Microdata, like: Microdata) -> tuple[list[str], Numbers]:
        """Return the columns of numbers that the factor becomes, with a label for each.

        The categories are those that `like` has. Missing values, and undefined logarithms,
        are NaN.
        """
        column = data.column(self.column)
        if column.attribute.continuous:
            values = column.values
            if self.log:
                values = np.log(values, where=values > 0, out=np.full(len(values), np.nan))
            return [self.label], (values**self.power)[:, None]
        if self.log or self.power > 1:
            raise DataError(
                f"'{self.label}' needs numbers, but column '{self.column}' is "
                f"{column.attribute.kind}; name the column alone to use its categories"
            )
        known = like.column(self.column)
        present = np.unique(known.values[~known.missing])[1:]
        indicators = (column.values[:, None] == present).astype(np.float64)
        indicators[column.missing] = np.nan
        names = [f"{self.column} = {column.attribute.categories[code]}" for code in present]
        return names, indicators


@dataclass(frozen=True)
class Formula:
    """A response and the terms that explain it; each term is a product of factors.

    >>> formula = Formula.parse("log(income) ~ age + sex*region")
    >>> [":".join(factor.label for factor in term) for term in formula.terms]
    ['age', 'sex', 'region', 'sex:region']
    >>> formula.columns
    ('income', 'age', 'sex', 'region')
    """

    response: Factor
    terms: tuple[tuple[Factor, ...], ...]
    success: str | None = None
    """The category whose chance is explained, where the response is one."""

    @classmethod
    def parse(cls, text: str) -> Formula:
        """Parse a formula; raise a usage error if it is malformed."""
        left, tilde, right = text.partition("~")
        if not tilde or not left.strip() or not right.strip():
            raise UsageError(
                f"a formula is written as 'response ~ column + column', but '{text}' was given"
            )
        equals = _EQUALS.match(left)
        success = equals.group("value").strip("'\"") if equals else None
        response = _factor(equals.group("name") if equals else left, text)
        terms: dict[tuple[Factor, ...], None] = {}
        for piece in right.split("+"):
            crossed = [_factors(part, text) for part in piece.split("*")]
            for size in range(1, 2 ** len(crossed)):
                chosen = [part for i, part in enumerate(crossed) if size >> i & 1]
                terms[tuple(dict.fromkeys(f for part in chosen for f in part))] = None
        ordered = sorted(terms, key=len) if "*" in right else list(terms)
        return cls(response, tuple(ordered), success)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are named."""
        every = [self.response, *(factor for term in self.terms for factor in term)]
        return tuple(dict.fromkeys(factor.column for factor in every))

    def require(self, data: Microdata) -> None:
        """Raise a usage error if the data lack one of the columns."""
        for name in self.columns:
            if name not in data.schema:
                raise UsageError(unknown_column(name, data.schema.names, asked_by="a formula"))

    def matrix(self, data: Microdata, like: Microdata) -> tuple[tuple[str, ...], Numbers]:
        """Return the terms as columns of numbers, the first of them ones, with their labels.

        `like` is the table whose categories count: the original, where a release is analysed.
        """
        labels, columns = ["intercept"], [np.ones(len(data))]
        for term in self.terms:
            parts = [factor.parts(data, like) for factor in term]
            for chosen in product(*(range(len(names)) for names, _ in parts)):
                labels.append(":".join(parts[i][0][j] for i, j in enumerate(chosen)))
                factors = [parts[i][1][:, j] for i, j in enumerate(chosen)]
                columns.append(np.prod(factors, axis=0))
        return tuple(labels), np.column_stack(columns)

    def numbers(self, data: Microdata) -> Numbers:
        """Return the response as numbers."""
        column = data.column(self.response.column)
        if self.success is not None or not column.attribute.continuous:
            raise DataError(
                f"a linear regression needs a number to explain, but '{self.response.column}' is "
                f"{column.attribute.kind}; use a logistic regression"
            )
        return self.response.parts(data, data)[1][:, 0]

    def successes(self, data: Microdata) -> Numbers:
        """Return 1 for records with the category that is explained, 0 for others."""
        column = data.column(self.response.column)
        if column.attribute.continuous:
            values = np.unique(column.values[~column.missing])
            success = 1.0 if self.success is None else _number(self.success)
            if self.success is None and not set(values.tolist()) <= {0.0, 1.0}:
                raise DataError(
                    f"a logistic regression explains a yes or no, but '{column.name}' has other "
                    "numbers than 0 and 1; write 'column == value'"
                )
            is_success = (column.values == success).astype(np.float64)
        else:
            texts = [str(category) for category in column.attribute.categories]
            if self.success is None and len(texts) != 2:
                raise DataError(
                    f"a logistic regression explains a yes or no, but '{column.name}' has "
                    f"{len(texts)} categories; write '{column.name} == category'"
                )
            wanted = texts[1] if self.success is None else self.success
            if wanted not in texts:
                raise UsageError(
                    f"the formula explains a category that column '{column.name}' does not have; "
                    "write one of its categories after =="
                )
            is_success = (column.values == texts.index(wanted)).astype(np.float64)
        return np.where(column.missing, np.nan, is_success)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UsageError(
            "the formula compares a column of numbers with something else; write a number after =="
        ) from None


def _factors(text: str, formula: str) -> list[Factor]:
    return [_factor(part, formula) for part in text.split(":")]


def _factor(text: str, formula: str) -> Factor:
    match = _FACTOR.match(text)
    if match is None:
        raise UsageError(
            f"'{text.strip()}' in the formula '{formula}' is neither a column nor log(column) nor "
            "column^2; put names with other characters in backquotes"
        )
    name = (match.group("inner") or match.group("name")).strip("`")
    return Factor(name, match.group("function") is not None, int(match.group("power") or 1))
