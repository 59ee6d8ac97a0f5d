"""Declared domains: which values a column can have, stated by the steward and not by the data.

What is released under differential privacy may depend on the data through noise alone. A domain
that was read off the file would show which values occur in it, so it is taken from a code book or
from bounds that anyone could state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError, UsageError
from discreet.microdata import MISSING_CODE, Column, Microdata, Numbers
from discreet.microdata.dates import unit_of
from discreet.microdata.hierarchy import text_of

Cells = NDArray[np.int64]

HOW = (
    "state its categories, as in {sex: [female, male]}, or the ends of its bins, as in {age: "
    "{bins: [0, 18, 65, 120], whole: true}}; with missing: true beside them, values may be missing"
)
KEYS = ("categories", "bins", "low", "high", "whole", "missing")


@dataclass(frozen=True, eq=False)
class Domain:
    """The cells that the values of a column are counted in: its categories, or bins of numbers.

    A missing value is a cell of its own, the last, where it is allowed. Numbers beyond the declared
    ends count as the ends.

    >>> domain = Domain.declared("age", {"bins": [0, 18, 65, 120], "whole": True})
    >>> domain.cells, domain.low, domain.high
    (3, 0.0, 120.0)
    """

    name: str
    categories: tuple[Any, ...] = ()
    ends: Numbers | None = None
    whole: bool = False
    missing: bool = False

    @classmethod
    def declared(cls, name: str, stated: Any) -> Domain:
        """Return the domain that a plan states for a column; anything else is a usage error."""
        if isinstance(stated, list | tuple):
            return cls(name, categories=_categories(name, stated))
        if not isinstance(stated, Mapping) or not set(stated) <= set(KEYS):
            raise _wrong(name, f"it has other keys than {', '.join(KEYS)}")
        missing, whole = stated.get("missing", False), stated.get("whole", False)
        if not isinstance(missing, bool) or not isinstance(whole, bool):
            raise _wrong(name, "missing and whole are true or false")
        if "categories" in stated:
            if set(stated) - {"categories", "missing"}:
                raise _wrong(name, "categories cannot have bins")
            return cls(name, categories=_categories(name, stated["categories"]), missing=missing)
        return cls(name, ends=_ends(name, stated, whole), whole=whole, missing=missing)

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return (len(self.categories) if self.ends is None else len(self.ends) - 1) + self.missing

    @property
    def low(self) -> float:
        """The least number."""
        assert self.ends is not None
        return float(self.ends[0])

    @property
    def high(self) -> float:
        """The greatest number."""
        assert self.ends is not None
        return float(self.ends[-1])

    def cells_of(self, data: Microdata) -> Cells:
        """Return the cell of each record; a value for which there is none is an error."""
        column = data.column(self.name)
        if column.attribute.continuous is (self.ends is None):
            needs = "bins" if self.ends is None else "categories"
            raise DataError(
                f"column '{self.name}' is {column.attribute.kind}, so its declared domain must "
                f"state {needs}, which it does not; correct the domain, or the kind of the column"
            )
        if self.ends is None:
            cells = self._codes(column)
        else:
            if unit_of(data, self.name) is not None:
                raise DataError(
                    f"column '{self.name}' holds dates, for which no bins can be stated; recode it "
                    "before, or leave it out with the role identifier"
                )
            inside = np.clip(column.values, self.ends[0], self.ends[-1])
            cells = np.searchsorted(self.ends, inside, side="right") - 1
            cells = np.minimum(cells, len(self.ends) - 2)
        absent = column.missing
        if absent.any() and not self.missing:
            raise DataError(
                f"column '{self.name}' has missing values, but its declared domain has none; add "
                "missing: true to the domain if values may be missing"
            )
        return np.where(absent, self.cells - 1, cells).astype(np.int64)

    def _codes(self, column: Column) -> Cells:
        place = {text_of(category): i for i, category in enumerate(self.categories)}
        texts = [text_of(category) for category in column.attribute.categories]
        codes = np.array([*(place.get(text, -1) for text in texts), 0])
        cells = codes[np.where(column.missing, -1, column.values)]
        if (cells < 0).any():
            raise DataError(
                f"column '{self.name}' has, in row {int(np.argmax(cells < 0)) + 1}, a category "
                "that its declared domain lacks; declare every category that the code book knows, "
                "or make the others missing"
            )
        return cells

    def values_of(self, cells: Cells, column: Column, rng: np.random.Generator) -> Column:
        """Return a column with a value for each cell: its category, or any number of its bin."""
        absent = np.full(len(cells), self.missing) & (cells == self.cells - 1)
        if self.ends is None:
            labels = _of_type(self.categories, column.attribute.categories)
            return column.recoded(
                np.where(absent, MISSING_CODE, cells), column.attribute.kind, labels
            )
        inside = np.where(absent, 0, cells)
        low, high = self.ends[inside], self.ends[inside + 1]
        if self.whole:
            last = inside == len(self.ends) - 2
            low, high = np.ceil(low), np.ceil(high) - 1 + (last & (np.ceil(high) == high))
            numbers = np.floor(low + rng.random(len(cells)) * (high - low + 1))
        else:
            numbers = low + rng.random(len(cells)) * (high - low)
        return column.with_values(np.where(absent, np.nan, numbers))


def declared_domains(
    stated: Mapping[str, Any] | None, names: Sequence[str], owner: str
) -> list[Domain]:
    """Return the domain of each of these columns; one without is a usage error.

    >>> declared_domains({"sex": ["f", "m"]}, ["sex", "age"], "DPSynthesis")
    Traceback (most recent call last):
    discreet.errors.UsageError: DPSynthesis needs the declared domain of column 'age', ...
    """
    declared = stated or {}
    for name in names:
        if name not in declared:
            raise UsageError(
                f"{owner} needs the declared domain of column '{name}', since a domain read off "
                f"the data would show what occurs in them; below domains, {HOW}; take them from a "
                "code book, or leave the column out with the role identifier"
            )
    return [Domain.declared(name, declared[name]) for name in names]


def _categories(name: str, stated: Any) -> tuple[Any, ...]:
    if not isinstance(stated, list | tuple) or not stated:
        raise _wrong(name, "it has no list of categories")
    if len({text_of(category) for category in stated}) < len(stated):
        raise _wrong(name, "a category occurs twice")
    return tuple(stated)


def _ends(name: str, stated: Mapping[str, Any], whole: bool) -> Numbers:
    bins = stated.get("bins")
    if isinstance(bins, list | tuple):
        if "low" in stated or "high" in stated:
            raise _wrong(name, "the ends of its bins are its low and high")
        ends = bins
    else:
        ends = [stated.get("low"), stated.get("high")]
    if len(ends) < 2 or not all(_is_number(end) for end in ends):
        raise _wrong(name, "its ends are not numbers")
    made = np.array(ends, dtype=np.float64)
    if isinstance(bins, int) and not isinstance(bins, bool) and bins >= 1:
        made = np.linspace(made[0], made[1], bins + 1)
    elif bins is not None and not isinstance(bins, list | tuple):
        raise _wrong(name, "bins is a list of ends, or how many there are between low and high")
    if not (np.diff(made) > 0).all():
        raise _wrong(name, "its ends do not ascend")
    if whole:
        last = np.floor(made[-1]) + 1
        if not (np.diff([*np.ceil(made[:-1]), last]) >= 1).all():
            raise _wrong(name, "a bin has no whole number in it")
    return made


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and np.isfinite(value)


def _of_type(declared: tuple[Any, ...], present: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the declared categories as texts where those of the column are texts."""
    texts = any(isinstance(category, str) for category in present)
    return tuple(text_of(category) for category in declared) if texts else declared


def _wrong(name: str, why: str) -> UsageError:
    return UsageError(f"the declared domain of column '{name}' is not valid: {why}; {HOW}")
