"""A second count of the risks of rare records: individual, household and special uniques."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from discreet.publishing.cell_meanings import MISSING, Ints, written
from discreet.publishing.released_cells import Cells, NotCountable, firsts, grouped

Floats = NDArray[np.float64]

NODES = 240
AT_ONCE = 1_000
BEYOND = 37.0
"""e to the power of −37 is below the last digit of a float."""


def mean_risk(cells: Cells) -> float:
    """Return the mean of E(1/F | f) over the records.

    >>> import pyarrow as pa
    >>> from discreet.publishing.cell_meanings import Writing
    >>> from discreet.publishing.released_cells import ReleasedColumn
    >>> columns = [ReleasedColumn("age", "quasi-identifier", Writing("continuous")),
    ...            ReleasedColumn("w", "weight", Writing("continuous"))]
    >>> table = pa.table({"age": [30, 30, 41], "w": [60, 50, 8]})
    >>> round(mean_risk(Cells(table, columns)), 6)
    0.110451
    """
    return float(_risks(cells).mean())


def household_risk(cells: Cells) -> float:
    """Return the mean of 1 − Π (1 − r) over the household of each record."""
    homes = _homes(cells)
    spared = 1 - _risks(cells)
    together = np.ones(int(homes.max()) + 1)
    np.multiply.at(together, homes, spared)
    return float((1 - together[homes]).mean())


def least_household_class(cells: Cells) -> float:
    """Return how many households are written like the rarest one, members in any order.

    >>> import pyarrow as pa
    >>> from discreet.publishing.cell_meanings import Writing
    >>> from discreet.publishing.released_cells import ReleasedColumn
    >>> columns = [ReleasedColumn("sex", "quasi-identifier", Writing("nominal")),
    ...            ReleasedColumn("hid", "household", Writing("nominal"))]
    >>> table = pa.table({"sex": ["f", "m", "m", "f"], "hid": [1, 1, 2, 2]})
    >>> least_household_class(Cells(table, columns))
    2.0
    """
    return _least_alike(cells, _homes(cells))


def least_trajectory_class(cells: Cells) -> float:
    """Return how many persons are written like the rarest one, records in any order."""
    named = cells.having("person")
    if not named:
        raise NotCountable("no released column says which records belong to one person")
    return _least_alike(cells, cells.numbered_by(named[0]))


def _least_alike(cells: Cells, homes: Ints) -> float:
    # Members who agree in all columns agree in those of the household, so that a household is
    # what its members are. Households of one size are compared member by member, in one order.
    order = np.lexsort((cells.classes, homes))
    members, sizes = cells.classes[order], np.bincount(homes)
    first = np.cumsum(sizes) - sizes
    least = len(members)
    for size in np.unique(sizes[sizes > 0]).tolist():
        of_size = first[sizes == size]
        alike = grouped(members[of_size + place] for place in range(size))
        least = min(least, int(np.bincount(alike).min()))
    return float(least)


def special_uniques(cells: Cells, most: int | None = None, fraction: float = 0.01) -> float:
    """Return the mean DIS-SUDA score, by the definition of a minimal unique.

    A set of columns is a minimal unique of a record if the record is unique in it but in no
    proper subset, and none of its values there is missing. Unless `most` says otherwise, all sets
    of columns are examined, or the smaller ones of which there are at most 5,000.
    """
    names = cells.having("quasi-identifier")
    sizes = cells.class_sizes[cells.classes]
    codes = [written(cells.table.column(name)) for name in names]
    total = len(names)
    largest = total if most is None else min(most, total)
    while most is None and largest > 1 and _sets(total, largest) > 5_000:
        largest -= 1
    alone: dict[tuple[int, ...], NDArray[np.bool_]] = {}
    scores, same = np.zeros(len(sizes)), np.zeros(len(sizes), dtype=np.int64)
    for size in range(1, largest + 1):
        worth = float(np.prod([total - i for i in range(size, min(largest, total - 1) + 1)]))
        for chosen in combinations(range(total), size):
            labels = grouped([codes[place] for place in chosen])
            alone[chosen] = np.bincount(cells.once(labels, same)[0])[labels] == 1
            minimal = alone[chosen].copy()
            for less in range(1, size):
                for part in combinations(chosen, less):
                    minimal &= ~alone[part]
            present = np.all([codes[place] != MISSING for place in chosen], axis=0)
            scores += worth * (minimal & present)
    scored = scores > 0
    if not scored.any():
        return 0.0
    power = max(1 + (8 - total) / 20, 0.05)
    # Records of one unit that are alike have the same score, and count once.
    units = np.arange(len(sizes)) if cells.units is None else cells.units
    first = np.flatnonzero(firsts(grouped([cells.classes, units])))
    inverse = (scores[first][scored[first]] ** -power).sum()
    pairs = (sizes[first] == 2).sum()
    odds = pairs * (1 - fraction) / (fraction * scores[scored] ** power * inverse)
    return float((1 / (1 + odds)).sum() / len(sizes))


def _homes(cells: Cells) -> Ints:
    """Return the household of each record; one without a number is a household of its own."""
    named = cells.having("household")
    if not named:
        raise NotCountable("no released column says which household a record belongs to")
    return cells.numbered_by(named[0])


def _sets(columns: int, largest: int) -> int:
    """Return how many sets of up to `size` columns there are."""
    return sum(comb(columns, size) for size in range(1, largest + 1))


def _risks(cells: Cells) -> Floats:
    """Return E(1/F | f) of each record, counted once for all figures of a file."""
    if cells.risks is None:
        cells.risks = _counted_risks(cells)
    return cells.risks


def _counted_risks(cells: Cells) -> Floats:
    """Return E(1/F | f) of each record; 1/f if the file has no weights."""
    import pyarrow as pa

    persons = cells.different(cells.people)
    sizes = persons.astype(np.float64)
    named = cells.having("weight")
    if not named:
        return (1 / sizes)[cells.classes]
    weights = cells.numbers(named[0])
    if not (np.isfinite(weights) & (weights > 0)).all():
        raise NotCountable("some weights are missing or not above zero")
    if cells.people is not None:
        # A person with several records in a class has one weight there, their mean.
        pair = grouped([cells.classes, cells.people])
        weights = weights / np.bincount(pair)[pair]
    chance = np.minimum(sizes / np.bincount(cells.classes, weights), 1.0)
    # A pair that occurs often is worked out once.
    pair = grouped([persons, written(pa.chunked_array([chance]))])
    of_pair = np.empty((2, pair.max() + 1))
    of_pair[:, pair] = sizes, chance
    return _mean_of_inverse(*of_pair)[pair][cells.classes]


def _mean_of_inverse(f: Floats, p: Floats) -> Floats:
    """Return E(1/F) for F negative binomial: ∫ (p e⁻ᵗ / (1 − q e⁻ᵗ))ᶠ dt over t > 0.

    Benedetti & Franconi (1998), before they reduce it to a hypergeometric function. With t = eˣ the
    integrand falls off on both sides, and the sum over equal steps of x converges fast: the error
    of steps of a fifth is below the last digit.
    """
    low, high = np.log(p / f) - BEYOND, np.log(BEYOND) + 1
    means = np.empty(len(f))
    steps = np.linspace(0, 1, NODES + 1)
    for start in range(0, len(f), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        width = (high - low[part])[:, None]
        x = low[part, None] + width * steps
        t = np.exp(x)
        ends = p[part, None] - (1 - p[part, None]) * np.expm1(-t)
        heights = np.exp(f[part, None] * (np.log(p[part, None]) - t - np.log(ends)) + x)
        means[part] = heights.sum(axis=1) * width[:, 0] / NODES
    return means
