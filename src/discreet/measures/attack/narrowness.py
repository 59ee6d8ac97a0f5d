"""Narrowness: how close together confidential values lie in each part of a file."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Narrowed
from discreet.measures.tally import Grouped, tally
from discreet.microdata import Column, Numbers


@dataclass(frozen=True, eq=False)
class Narrowness:
    """One confidential column in each part of a file, as arrays over the parts.

    `known` counts the values that are not missing. `range` and `spread` are relative to those of
    the whole file, and `left` is the share of the file's squared error, or of its Gini index, that
    remains within the parts. It is NaN where a part has no value.

    >>> import discreet
    >>> pay = discreet.read({"pay": [10, 12, 30, 50]}).column("pay")
    >>> found = Narrowness.of(pay, np.array([0, 0, 1, 1]), 2)
    >>> found.range, found.guess
    (array([0.05, 0.5 ]), array([11., 40.]))
    """

    column: Column
    known: NDArray[np.int64]
    guess: Numbers
    low: Numbers
    high: Numbers
    share: Numbers
    range: Numbers
    spread: Numbers
    left: float

    @classmethod
    def of(cls, column: Column, labels: NDArray[np.int64], count: int) -> Narrowness:
        """Measure a column in `count` parts; `labels` names the part of each record."""
        if column.attribute.continuous:
            return _of_numbers(cls, column, labels, count)
        return _of_classes(cls, column, labels, count)

    @property
    def exposure(self) -> Numbers:
        """How much each part gives away, from 0 to 1; 0 where it has no value."""
        return np.where(np.isnan(self.spread), 0.0, np.clip(1 - self.spread, 0.0, 1.0))

    def narrowed(self, part: int) -> Narrowed:
        """Return one part as plain data."""
        name = self.column.name
        if not self.known[part]:
            return Narrowed(name, 0)
        common = (int(self.known[part]), float(self.range[part]), float(self.spread[part]))
        if self.column.attribute.continuous:
            low, high = float(self.low[part]), float(self.high[part])
            mean = float(self.guess[part])
            return Narrowed(name, common[0], mean, low, high, None, common[1], common[2])
        category = self.column.attribute.categories[int(self.guess[part])]
        likeliest = self.column.attribute.value_labels.get(category, category)
        share = float(self.share[part])
        return Narrowed(name, common[0], likeliest, None, None, share, common[1], common[2])


@dataclass(frozen=True, eq=False)
class Ranges:
    """Numbers in each part of a file: how many, from where to where, and how wide that is.

    `width` is relative to that of the whole, in which no part of equal numbers is narrow. All but
    `known` are NaN where a part has no value.

    >>> found = Ranges.of(np.array([10.0, 12, 30, 50]), np.array([0, 0, 1, 1]), 2)
    >>> found.known, found.low, found.width
    (array([2, 2]), array([10., 30.]), array([0.05, 0.5 ]))
    """

    known: NDArray[np.int64]
    low: Numbers
    high: Numbers
    width: Numbers

    @classmethod
    def of(cls, values: Numbers, labels: NDArray[np.int64], count: int) -> Ranges:
        """Measure numbers in `count` parts; `labels` names the part of each."""
        known = np.bincount(labels, minlength=count)
        low, high = np.full(count, np.inf), np.full(count, -np.inf)
        np.minimum.at(low, labels, values)
        np.maximum.at(high, labels, values)
        low[known == 0] = high[known == 0] = np.nan
        half = half_range(values)
        width = (high / 2 - low / 2) / half if half > 0 else np.ones(count)
        return cls(known, low, high, _nan(width, known == 0))


def half_range(values: Numbers) -> float:
    """Return half of the range, which is finite even for the largest numbers; 0 for nothing."""
    return float(values.max() / 2 - values.min() / 2) if len(values) else 0.0


def _of_numbers(
    cls: type[Narrowness], column: Column, labels: NDArray[np.int64], count: int
) -> Narrowness:
    present = ~column.missing
    present_labels, values = labels[present], column.values[present]
    ranges = Ranges.of(values, present_labels, count)
    known, none = ranges.known, ranges.known == 0
    # In halves and in units of the range, so that the largest numbers have squares that fit.
    half = half_range(values)
    unit = (values / 2 - values.min() / 2) / half if half > 0 else np.zeros(len(values))
    sizes = np.maximum(known, 1)
    means = np.bincount(present_labels, unit, count) / sizes
    within = np.bincount(present_labels, (unit - means[present_labels]) ** 2, count)
    total = float(((unit - unit.mean()) ** 2).sum()) if len(unit) else 0.0
    # If all values are equal, no part can be narrower than the whole.
    spread = np.sqrt(within / sizes / (total / len(unit))) if total > 0 else np.ones(count)
    return cls(
        column,
        known,
        _nan(
            np.bincount(present_labels, values / sizes[present_labels], count).astype(np.float64),
            none,
        ),
        ranges.low,
        ranges.high,
        np.full(count, np.nan),
        ranges.width,
        _nan(spread, none),
        float(within.sum()) / total if total > 0 else 1.0,
    )


def _of_classes(
    cls: type[Narrowness], column: Column, labels: NDArray[np.int64], count: int
) -> Narrowness:
    classes = len(column.attribute.categories)
    codes = np.where(column.missing, classes, column.values).astype(np.int64)
    counts = tally(codes, classes, Grouped(labels, count))
    present = counts.value < classes
    part, code, times = counts.group[present], counts.value[present], counts.count[present]
    known = np.bincount(part, times, count).astype(np.int64)
    none = known == 0
    sizes = np.maximum(known, 1)
    gini = 1 - np.bincount(part, (times / sizes[part]) ** 2, count)
    whole = counts.totals[:classes]
    records = max(1, int(whole.sum()))
    overall = 1 - float(((whole / records) ** 2).sum())
    guess, share = np.full(count, np.nan), np.full(count, np.nan)
    # Later assignments win: within a part the commonest class, then the first one, is last.
    order = np.lexsort((-code, times, part))
    guess[part[order]] = code[order]
    share[part[order]] = (times / sizes[part])[order]
    varied = overall > 1e-12
    return cls(
        column,
        known,
        guess,
        np.full(count, np.nan),
        np.full(count, np.nan),
        share,
        _nan(np.bincount(part, minlength=count) / max(1, int((whole > 0).sum())), none),
        _nan(gini / overall if varied else np.ones(count), none),
        float((gini * known).sum() / (overall * records)) if varied else 1.0,
    )


def _nan(values: Numbers, where: NDArray[np.bool_]) -> Numbers:
    return np.where(where, np.nan, values)
