"""Narrowness: how close together confidential values lie in each part of a file."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Narrowed
from discreet.measures.confidential import Grouped, tally
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


def _of_numbers(
    cls: type[Narrowness], column: Column, labels: NDArray[np.int64], count: int
) -> Narrowness:
    present = ~column.missing
    mine, values = labels[present], column.values[present]
    known = np.bincount(mine, minlength=count)
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(low, mine, values)
    np.maximum.at(high, mine, values)
    none = known == 0
    low[none] = high[none] = np.nan
    # In halves and in units of the range, so that the largest numbers have squares that fit.
    least, most = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    half = most / 2 - least / 2
    unit = (values / 2 - least / 2) / half if half > 0 else np.zeros(len(values))
    sizes = np.maximum(known, 1)
    means = np.bincount(mine, unit, count) / sizes
    within = np.bincount(mine, (unit - means[mine]) ** 2, count)
    total = float(((unit - unit.mean()) ** 2).sum()) if len(unit) else 0.0
    # Of equal values no part can be narrower than the whole.
    spread = np.sqrt(within / sizes / (total / len(unit))) if total > 0 else np.ones(count)
    width = (high / 2 - low / 2) / half if half > 0 else np.ones(count)
    return cls(
        column,
        known,
        _nan(np.bincount(mine, values / sizes[mine], count).astype(np.float64), none),
        low,
        high,
        np.full(count, np.nan),
        _nan(width, none),
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
