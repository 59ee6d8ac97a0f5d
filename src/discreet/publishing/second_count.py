"""A second count of the figures of a release, from the cells of its file alone.

The measures of `discreet.measures.risk` count on microdata; these count again on the file, by
different code and, where there is one, by a different formula, so that a mistake in either is
noticed. The definitions are those of the measures: a missing value is a value of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.publishing.cell_meanings import MISSING, Ints
from discreet.publishing.released_cells import Cells, NotCountable
from discreet.publishing.second_risk import (
    household_risk,
    least_household_class,
    least_trajectory_class,
    mean_risk,
    special_uniques,
)

Floats = NDArray[np.float64]

AT_ONCE = 100_000
"""Records whose distances are counted at a time."""


@dataclass(frozen=True)
class Count:
    """A figure counted a second time, and whether a claim about it is a lower bound."""

    of: Callable[..., float]
    at_least: bool


def least_class(cells: Cells) -> float:
    """Return k: how many records, or units, the smallest class has."""
    return float(cells.class_sizes.min())


def fewest_households(cells: Cells) -> float:
    """Return the smallest number of households that the records of a class belong to."""
    homes = cells.numbered_by(cells.having("household")[0])
    return float(cells.different(homes).min())


def average_class(cells: Cells) -> float:
    """Return the mean number of records, or units, per class."""
    return float(cells.class_sizes.sum() / len(cells.class_sizes))


def share_alone(cells: Cells) -> float:
    """Return the share of records that are alone in their class."""
    records = cells.class_records
    return float(records[cells.class_sizes == 1].sum() / records.sum())


def prosecuted(cells: Cells, summary: str = "highest", threshold: float = 0.2) -> float:
    """Return the highest of the chances 1/f, their mean, or the share of records above."""
    sizes, records = cells.class_sizes, cells.class_records
    if summary == "highest":
        return 1 / least_class(cells)
    if summary == "average":
        return float((records / sizes).sum() / records.sum())
    if summary != "above":
        raise NotCountable(f"this version of discreet has no {summary} prosecutor risk")
    return float(records[1 / sizes > threshold].sum() / records.sum())


def diversity(
    cells: Cells, variant: str = "distinct", c: float = 3.0, confidential: str | None = None
) -> float:
    """Return l: the least over all classes and confidential columns.

    >>> import pyarrow as pa
    >>> from discreet.publishing.cell_meanings import Writing
    >>> from discreet.publishing.released_cells import ReleasedColumn
    >>> table = pa.table({"age": [30, 30, 30, 41, 41], "ill": ["a", "a", "b", "a", "c"]})
    >>> cells = Cells(table, [ReleasedColumn("age", "quasi-identifier", Writing("continuous")),
    ...                       ReleasedColumn("ill", "confidential", Writing("nominal"))])
    >>> diversity(cells), round(diversity(cells, "entropy"), 3), diversity(cells, "recursive", 2)
    (2.0, 1.89, 1.0)
    """
    classes = cells.alike(leave_out=confidential)
    least: list[float] = []
    for name in _confidential(cells, confidential):
        of_class, _, counts = _tallied(*cells.once(classes, cells.values(name)[0]))
        if variant == "distinct":
            least.append(float(np.bincount(of_class).min()))
        elif variant == "entropy":
            least.append(float(_effective(of_class, counts).min()))
        elif variant == "recursive":
            starts = np.flatnonzero(np.diff(of_class)) + 1
            least.append(min(_recursive(part.tolist(), c) for part in np.split(counts, starts)))
        else:
            raise NotCountable(f"this version of discreet has no {variant} l-diversity")
    return min(least)


def closeness(cells: Cells, confidential: str | None = None) -> float:
    """Return t: the largest distance over all classes and confidential columns.

    >>> import pyarrow as pa
    >>> from discreet.publishing.cell_meanings import Writing
    >>> from discreet.publishing.released_cells import ReleasedColumn
    >>> table = pa.table({"age": [30, 30, 41, 41], "ill": ["a", "a", "a", "b"]})
    >>> cells = Cells(table, [ReleasedColumn("age", "quasi-identifier", Writing("continuous")),
    ...                       ReleasedColumn("ill", "confidential", Writing("nominal"))])
    >>> closeness(cells)
    0.25
    """
    classes = cells.alike(leave_out=confidential)
    largest = 0.0
    for name in _confidential(cells, confidential):
        values, count = cells.values(name)
        of_class, values = cells.once(classes, values)
        if cells.columns[name].writing.kind == "nominal":
            distances = _unordered(of_class, values)
        else:
            distances = _ordered(of_class, values, count)
        largest = max(largest, float(distances.max()))
    return largest


COUNTS: Mapping[str, Count] = {
    "k-anonymity": Count(least_class, at_least=True),
    "l-diversity": Count(diversity, at_least=True),
    "t-closeness": Count(closeness, at_least=False),
    "sample-uniqueness": Count(share_alone, at_least=False),
    "average-group-size": Count(average_class, at_least=True),
    "prosecutor-risk": Count(prosecuted, at_least=False),
    "individual-risk": Count(mean_risk, at_least=False),
    "household-risk": Count(household_risk, at_least=False),
    "household-k-anonymity": Count(least_household_class, at_least=True),
    "trajectory-k-anonymity": Count(least_trajectory_class, at_least=True),
    "special-uniques": Count(special_uniques, at_least=False),
}


def counted(cells: Cells, measure: str, parameters: Mapping[str, Any]) -> float:
    """Return a measure's figure by the second count, or raise `NotCountable` with the reason."""
    if measure not in COUNTS:
        raise NotCountable("this version of discreet does not count it a second time")
    given = {name: value for name, value in parameters.items() if name != "missing_matches"}
    if parameters.get("missing_matches", "nothing") != "nothing":
        raise NotCountable("a missing value that matches anything is not counted a second time")
    try:
        return COUNTS[measure].of(cells, **given)
    except TypeError:
        raise NotCountable("its parameters are unknown to this version of discreet") from None


def _confidential(cells: Cells, named: str | None) -> list[str]:
    names = cells.having("confidential") if named is None else [named]
    if not names:
        raise NotCountable("no released column is confidential")
    return names


def _tallied(classes: Ints, values: Ints) -> tuple[Ints, Ints, Ints]:
    """Return how often each value occurs in each class: class, value and count, by class."""
    width = int(values.max(initial=MISSING)) - MISSING + 1
    pairs = classes * width
    pairs += values
    pairs -= MISSING
    pairs.sort()
    first = np.flatnonzero(np.diff(pairs, prepend=-1))
    counts = np.diff(first, append=len(pairs))
    of_class, value = np.divmod(pairs[first], width)
    return of_class, value + MISSING, counts


def _effective(of_class: Ints, counts: Ints) -> Floats:
    """Return exp of the entropy of each class, which is ln n − (1/n) Σ nᵢ ln nᵢ."""
    sizes = np.bincount(of_class, counts)
    return np.asarray(sizes * np.exp(-np.bincount(of_class, counts * np.log(counts)) / sizes))


def _recursive(counts: list[int], c: float) -> float:
    """Return the largest l with r₁ < c (r_l + … + r_m), 1 if there is none."""
    falling = sorted(counts, reverse=True)
    holding = [i for i in range(len(falling)) if falling[0] < c * sum(falling[i:])]
    return max(holding, default=0) + 1.0 if len(falling) > 1 else 1.0


def _unordered(classes: Ints, values: Ints) -> Floats:
    """Return 1 − Σ min(p, q) of each class, which is ½ Σ |p − q|."""
    of_class, value, counts = _tallied(classes, values)
    share_in_class = counts / np.bincount(classes)[of_class]
    share_in_file = np.bincount(values + 1)[value + 1] / len(values)
    return np.asarray(1 - np.bincount(of_class, np.minimum(share_in_class, share_in_file)))


def _ordered(classes: Ints, values: Ints, count: int) -> Floats:
    """Return the earth mover's distance of each class, by quantiles.

    On a line it is ∫ |P⁻¹(u) − Q⁻¹(u)| du over 0 … 1. The j-th of the n sorted values x of a class
    is P⁻¹ from (j − 1)/n to j/n; there the integral of |x − Q⁻¹(u)| is a difference of C, the
    integral of Q⁻¹, on either side of the share F(x) of values up to x.
    """
    sizes = np.bincount(classes)
    missing = np.bincount(classes, values < 0) / sizes
    gone = float((values < 0).mean())
    apart = np.abs(missing - gone)
    present = values >= 0
    if count < 2:
        return np.asarray(apart)
    if not present.all():
        classes, values = classes[present], values[present]
    totals = np.bincount(values, minlength=count)
    share = np.concatenate([[0], np.cumsum(totals)]) / totals.sum()
    area = np.concatenate([[0], np.cumsum(totals * np.arange(count))]) / totals.sum()
    pairs = classes * count
    pairs += values
    pairs.sort()
    class_sizes = np.bincount(classes, minlength=len(sizes))
    # C at all shares j/n of a class of n, once for all classes of that size.
    different = np.unique(class_sizes)
    start = np.cumsum(different + 1) - (different + 1)
    shares = np.concatenate([np.linspace(0, 1, n + 1) for n in different.tolist()])
    areas = np.interp(shares, share, area)
    distance = np.empty(len(sizes))
    ends = np.cumsum(class_sizes)
    # Some classes at a time, since each of the numbers below takes as much room as the file's.
    cuts = np.unique([0, *np.searchsorted(ends, np.arange(AT_ONCE, ends[-1], AT_ONCE)), len(ends)])
    for begin, end in pairwise(cuts.tolist()):
        first = ends[begin] - class_sizes[begin]
        group, x = np.divmod(pairs[first : ends[end - 1]], count)
        records = class_sizes[group]
        place = np.arange(first, first + len(x)) - (ends[group] - records)
        low, high = place / records, (place + 1) / records
        at = start[np.searchsorted(different, records)] + place
        c_low, c_high = areas[at], areas[at + 1]
        upto = share[x + 1]
        middle = np.clip(upto, low, high)
        c_middle = np.where(upto < low, c_low, np.where(upto > high, c_high, area[x + 1]))
        moved = x * (middle - low) - (c_middle - c_low) + (c_high - c_middle) - x * (high - middle)
        distance[begin:end] = np.bincount(group - begin, moved, end - begin)
    return np.asarray(apart + np.minimum(1 - missing, 1 - gone) * distance / (count - 1))
