"""Design matrix: the columns of a file as numbers that a model can be fitted to.

This module defines how each kind of column enters a model:

- a continuous or ordinal column is one number (ordinal: the number of the category), standardised
  by the original, so that a coefficient means the same for the original and for the release;
- a nominal column is one indicator per category for linear models, and for trees the mean of the
  target within its category, which puts the categories in the order that splits them best;
- a missing value is set to the mean and has its own indicator.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.passes import Passes
from discreet.microdata import Column, Kind, Microdata, Numbers, Role

ANALYSED = (Role.QUASI_IDENTIFIER, Role.CONFIDENTIAL, Role.OTHER)
"""What an analyst works with: neither identifiers nor weights and numbering."""
MOST_CATEGORIES = 50
"""A nominal column with more has too few records per category for a coefficient."""
MOST_TERMS = 400
BLOCK = 16_384
"""Rows that are turned into numbers at a time, so that a large file needs little memory."""
LEAST = 5e-324
"""The least number above 0, to which the spread of such numbers would be rounded down."""
FARTHEST = 1e30
"""In deviations; what lies farther out is put here. Trees keep numbers in single precision."""


@dataclass(frozen=True)
class Term:
    """One column of the matrix: a column's value, one of its categories, or that it is missing.

    `share` is the category's share of the original's present values.
    """

    column: str
    category: int | None = None
    missing: bool = False
    share: float = 0.0


@dataclass(frozen=True)
class DesignMatrix:
    """Maps tables to matrices by the means and deviations of the table that it was fitted to.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 50, None], "sex": ["f", "m", "m"]})
    >>> design = DesignMatrix.fit(data, ["age", "sex"])
    >>> [(term.column, term.category, term.missing) for term in design.terms]
    [('age', None, False), ('age', None, True), ('sex', 0, False), ('sex', 1, False)]
    >>> design.matrix(data)
    array([[-1.,  0.,  1.,  0.],
           [ 1.,  0.,  0.,  1.],
           [ 0.,  1.,  0.,  1.]])
    """

    terms: tuple[Term, ...]
    scales: dict[str, tuple[float, float]]
    left_out: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    """Nominal columns whose rare categories have no indicator."""

    @classmethod
    def fit(
        cls,
        original: Microdata,
        names: Sequence[str],
        also: Microdata | None = None,
        *,
        reference: bool = False,
        join_rare: bool = False,
        weights: Numbers | None = None,
    ) -> DesignMatrix:
        """Take scales from the original, with indicators for the missing values of both tables.

        With `reference` the first category of a nominal column has no indicator. A nominal column
        with too many categories is left out, and so are the largest while the terms are too many;
        with `join_rare` it keeps its frequent categories instead, as many as there is room for.
        `weights` are those of the original's records, for the shares of categories.
        """
        tables = [original] if also is None else [original, also]
        terms: dict[str, list[Term]] = {}
        scales = {}
        for name in names:
            column = original.column(name)
            missing = any(bool(table.column(name).missing.any()) for table in tables)
            if column.attribute.kind is Kind.NOMINAL:
                present = ~column.missing
                counts = np.bincount(
                    column.values[present],
                    None if weights is None else weights[present],
                    len(column.attribute.categories),
                )
                frequencies = counts / (counts.sum() or 1)
                column_terms = [Term(name, i, share=float(s)) for i, s in enumerate(frequencies)]
                column_terms = column_terms[1:] if reference else column_terms
            else:
                column_terms = [Term(name)]
                scales[name] = centre_and_spread([table.column(name) for table in tables])
            terms[name] = column_terms + [Term(name, missing=True)] * missing
        joined = _join_rare(original, terms) if join_rare else ()
        left_out = () if join_rare else tuple(_too_wide(original, terms))
        kept = tuple(term for name in names if name not in left_out for term in terms[name])
        return cls(kept, scales, left_out, joined)

    @classmethod
    def in_passes(cls, file: Passes, names: Sequence[str]) -> DesignMatrix:
        """Take scales from a file that is read in two passes, with a reference category."""
        from discreet.models.spreads import Spreads

        head = file.head
        numbers = [n for n in names if head.schema[n].kind is not Kind.NOMINAL]
        nominal = [n for n in names if n not in numbers]
        counts = {n: np.zeros(1 + len(head.schema[n].categories), dtype=np.int64) for n in nominal}
        for piece in file.pieces(nominal) if nominal else ():
            for name, count in counts.items():
                count += np.bincount(piece[name] + 1, minlength=len(count))

        def pieces() -> Iterator[Numbers]:
            for piece in file.pieces(numbers):
                columns = [piece.column(name) for name in numbers]
                yield np.column_stack([np.where(c.missing, np.nan, c.values) for c in columns])

        terms: dict[str, list[Term]] = {n: [Term(n)] for n in names}
        scales = {}
        if numbers:
            spreads = Spreads.of(pieces, len(numbers))
            for j, name in enumerate(numbers):
                scales[name] = float(spreads.centre[j]), float(spreads.deviation[j])
                terms[name] += [Term(name, missing=True)] * int(spreads.gaps[j])
        for name, count in counts.items():
            shares = count[1:] / (count[1:].sum() or 1)
            terms[name] = [Term(name, i, share=float(s)) for i, s in enumerate(shares)][1:]
            terms[name] += [Term(name, missing=True)] * int(count[0] > 0)
        left_out = tuple(_too_wide(head, terms))
        return cls(
            tuple(t for name in names if name not in left_out for t in terms[name]),
            scales,
            left_out,
        )

    def matrix(self, data: Microdata, rows: NDArray[np.int64] | slice = slice(None)) -> Numbers:
        """Return one row of numbers for each of these records."""
        count = len(np.arange(len(data))[rows])
        across = np.empty((len(self.terms), count))
        self._fill(across, data, rows)
        return np.ascontiguousarray(across.T)

    def _fill(self, across: Numbers, data: Microdata, rows: NDArray[np.int64] | slice) -> None:
        """Write one row for each term, one column for each of these records."""
        picked: dict[str, NDArray[np.generic]] = {}
        for term, row in zip(self.terms, across, strict=True):
            if term.column not in picked:
                picked[term.column] = data[term.column][rows]
            values = picked[term.column]
            if term.missing:
                row[:] = _missing(values)
            elif term.category is not None:
                np.equal(values, term.category, out=row)
            else:
                row[:] = standardised(values, self.scales[term.column])

    def blocks(self, data: Microdata, rows: NDArray[np.int64] | None = None) -> Iterator[Numbers]:
        """Yield the matrix of these records piece by piece, with a first column of ones."""
        rows = np.arange(len(data)) if rows is None else rows
        for start in range(0, len(rows), BLOCK):
            part = rows[start : start + BLOCK]
            across = np.empty((1 + len(self.terms), len(part)))
            across[0] = 1.0
            self._fill(across[1:], data, part)
            yield across.T

    def positions(self, name: str) -> list[int]:
        """Return which columns of the matrix belong to this column of the file."""
        return [i for i, term in enumerate(self.terms) if term.column == name]


def _too_wide(original: Microdata, terms: dict[str, list[Term]]) -> list[str]:
    nominal = [name for name in terms if original.schema[name].kind is Kind.NOMINAL]
    nominal.sort(key=lambda name: len(terms[name]), reverse=True)
    total = sum(map(len, terms.values()))
    left_out = []
    for name in nominal:
        many = len(original.schema[name].categories) > MOST_CATEGORIES
        if many or total > MOST_TERMS:
            left_out.append(name)
            total -= len(terms[name])
    return [name for name in terms if name in left_out]


def _join_rare(original: Microdata, terms: dict[str, list[Term]]) -> tuple[str, ...]:
    """Take the terms of rare categories from wide columns; return the columns that had some.

    A rare category then has no indicator, like the one that others are compared with.
    """
    widths = {n: len(t) for n, t in terms.items() if original.schema[n].kind is Kind.NOMINAL}
    others = sum(len(t) for name, t in terms.items() if name not in widths)
    most = MOST_CATEGORIES
    while most > 2 and others + sum(min(width, most) for width in widths.values()) > MOST_TERMS:
        most -= 1
    joined = tuple(name for name, width in widths.items() if width > most)
    for name in joined:
        categories = [term for term in terms[name] if not term.missing]
        frequent = sorted(categories, key=lambda term: -term.share)[: most - 1]
        kept = {term.category for term in frequent}
        terms[name] = [term for term in terms[name] if term.missing or term.category in kept]
    return joined


def _missing(values: NDArray[np.generic]) -> Numbers:
    return _gaps(values).astype(np.float64)


def _gaps(values: NDArray[np.generic]) -> NDArray[np.bool_]:
    return np.asarray(np.isnan(values) if values.dtype == np.float64 else values == -1)


def centre_and_spread(
    columns: Sequence[Column], weights: Numbers | None = None
) -> tuple[float, float]:
    """Return mean and deviation of the first column; its spread is never 0.

    Where the first column is constant the spread of the next is taken, and 1 where all are.
    `weights` are those of the records of the first.

    >>> import discreet
    >>> centre_and_spread([discreet.read({"age": [30, 50]}).column("age")])
    (40.0, 10.0)
    """
    centre = None
    for column in columns:
        usable = ~column.missing & np.isfinite(column.values)
        values = column.values[usable].astype(np.float64)
        if not len(values):
            continue
        w = None if weights is None or centre is not None else weights[usable]
        # In units of the largest value no square overflows or underflows.
        unit = float(np.abs(values).max()) or 1.0
        if w is not None and w.any():
            centre = float(np.average(values / unit, weights=w)) * unit
            spread = float(np.sqrt(np.average((values / unit - centre / unit) ** 2, weights=w)))
            if spread > 0:
                return centre, max(spread * unit, LEAST)
            continue
        centre = float((values / unit).mean()) * unit if centre is None else centre
        if values.min() < values.max():
            return centre, max(float((values / unit).std()) * unit, LEAST)
    return centre or 0.0, 1.0


def standardised(values: NDArray[np.generic], scale: tuple[float, float]) -> Numbers:
    """Return values in deviations from the mean, a missing one at the mean.

    >>> standardised(np.array([30.0, 50.0, np.nan]), (40.0, 10.0))
    array([-1.,  1.,  0.])
    """
    centre, spread = scale
    # Values at the limit of floating point, or infinite, stay far out but usable.
    with np.errstate(over="ignore"):
        numbers: Numbers = np.subtract(values, centre, dtype=np.float64)
        numbers /= spread
    np.clip(numbers, -FARTHEST, FARTHEST, out=numbers)
    gaps = _gaps(values)
    if gaps.any():
        numbers[gaps] = 0.0
    return numbers


@dataclass(frozen=True)
class TreeMatrix:
    """Maps tables to matrices for trees: a nominal category is the mean target within it.

    Other names for the categories, or another order of them, give the same matrix.

    >>> import discreet
    >>> data = discreet.read({"sex": ["f", "m", "m"]})
    >>> TreeMatrix.fit([data], ["sex"], np.array([[1.0], [0.0], [1.0]])).matrix(data)
    array([[1. ],
           [0.5],
           [0.5]])
    """

    names: tuple[str, ...]
    scales: dict[str, tuple[float, float]]
    means: dict[str, Numbers]
    with_missing: frozenset[str]

    @classmethod
    def fit(
        cls,
        tables: Sequence[Microdata],
        names: Sequence[str],
        targets: Numbers,
        prior: float = 0.0,
        also: Sequence[Microdata] = (),
    ) -> TreeMatrix:
        """Take scales and means from `tables`, one under the other; `targets` has their rows.

        `prior` records with the overall mean are added to every category, so that the mean of a
        rare one is shrunk. `also` are tables whose missing values need an indicator.
        """
        scales, means, with_missing = {}, {}, set()
        overall = targets.mean(axis=0)
        for name in names:
            columns = [table.column(name) for table in tables]
            attribute = columns[0].attribute
            if attribute.kind is Kind.NOMINAL:
                # The last place is that of the missing values: code −1.
                codes = np.concatenate([column.values for column in columns])
                room = len(attribute.categories) + 1
                codes = np.where(codes < 0, room - 1, codes)
                counts = np.bincount(codes, minlength=room)[:, None] + prior
                sums = np.column_stack([np.bincount(codes, t, room) for t in targets.T])
                # A category that never occurs gets the overall mean.
                means[name] = np.where(
                    counts > 0, (sums + prior * overall) / np.maximum(counts, 1e-300), overall
                )
            else:
                scales[name] = centre_and_spread(columns)
                every = [*columns, *(table.column(name) for table in also)]
                if any(column.missing.any() for column in every):
                    with_missing.add(name)
        return cls(tuple(names), scales, means, frozenset(with_missing))

    def matrix(self, data: Microdata, narrow: bool = False) -> NDArray[Any]:
        """Return one row of numbers per record; `narrow` ones have 32 bits, as trees need."""
        filled: NDArray[Any] = np.empty(
            (len(data), self._width), dtype=np.float32 if narrow else np.float64
        )
        at = 0
        for name in self.names:
            values = data[name]
            if name in self.means:
                means = self.means[name]
                filled[:, at : at + means.shape[1]] = means[values]
                at += means.shape[1]
                continue
            filled[:, at] = standardised(values, self.scales[name])
            at += 1
            if name in self.with_missing:
                filled[:, at] = _missing(values)
                at += 1
        return filled

    @property
    def _width(self) -> int:
        nominal = sum(int(means.shape[1]) for means in self.means.values())
        return nominal + len(self.scales) + len(self.with_missing)
