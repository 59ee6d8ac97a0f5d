"""Some released records compared with all originals, in parts that fit in the processor's cache.

Whether a record is linked is known as soon as one original costs less than its own. In a
well-protected file most records are settled after a few hundred originals, so the first parts are
small; the remaining records are compared with everybody.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.cores import cores
from discreet.measures.linkage.assignment import TIE, Owners
from discreet.measures.linkage.cells import Matrix, Rows
from discreet.microdata import Numbers

CACHED_CELLS = 200_000
"""Pairs of records that are compared at a time; a few columns of them fit in the cache."""
ROWS = 100
"""Released records that are compared at a time."""
FIRST, GROWTH = 100, 3
"""Originals in the first part; a later one has this many times those compared before."""

Compare = Callable[[Rows, Rows | slice], Matrix]
"""Returns the costs of linking some released records to some originals, as a matrix."""
Possible = Callable[[Rows, Rows | slice], NDArray[np.bool_]]


class Scan:
    """Compares released records with all originals; `compared` counts the pairs.

    >>> table = np.array([[0, 1, 2], [1, 1, 3], [0, 9, 9]], dtype=np.float32)
    >>> scan = Scan(lambda rows, people: table[rows][:, people], Owners(np.arange(3)), 3)
    >>> scan.chances(np.arange(3)).tolist()
    [1.0, 0.5, 0.0]
    >>> scan.compared
    9
    """

    def __init__(self, costs: Compare, owners: Owners, originals: int) -> None:
        self.costs = costs
        self.owners = owners
        self.originals = originals
        self.compared = 0

    def chances(self, rows: Rows, advance: Callable[[int], None] = lambda rows: None) -> Numbers:
        """Return the chance that the cheapest original is the record's own, for each record."""
        parts = [rows[start : start + ROWS] for start in range(0, len(rows), ROWS)]
        by_part = [np.zeros(0)]
        with ThreadPoolExecutor(cores()) as threads:
            each = map if cores() == 1 or len(parts) < 2 else threads.map
            for chances, compared in each(self._chances, parts):
                by_part.append(chances)
                self.compared += compared
                advance(len(chances))
        return np.concatenate(by_part)

    def certain(self, rows: Rows, possible: Possible) -> Numbers:
        """Return for each record how far its only possible original is right; 0 if there are more.

        >>> allowed = np.array([[True, False], [True, True]])
        >>> scan = Scan(lambda rows, people: np.zeros((2, 2)), Owners(np.arange(2)), 2)
        >>> scan.certain(np.arange(2), lambda rows, people: allowed[rows][:, people]).tolist()
        [1.0, 0.0]
        """
        parts = [rows[start : start + ROWS] for start in range(0, len(rows), ROWS)]
        return np.concatenate([np.zeros(0), *(self._certain(part, possible) for part in parts)])

    def _chances(self, rows: Rows) -> tuple[Numbers, int]:
        """Return the same for some records, and how many pairs were compared."""
        owner_costs, right = self._with_owners(rows)
        slack = TIE * (1 + np.abs(owner_costs))
        as_near, compared = np.zeros(len(rows)), 0
        left, start = np.arange(len(rows)), 0
        while start < self.originals and len(left):
            people = self._next(start, len(left))
            costs = self.costs(rows[left], people)
            compared += costs.size
            as_near[left] += np.count_nonzero(costs <= (owner_costs + slack)[left, None], axis=1)
            beaten = costs.min(axis=1) < (owner_costs - slack)[left]
            right[left[beaten]] = 0.0
            left, start = left[~beaten], people.stop
        return np.asarray(right / np.maximum(as_near, 1)), compared

    def _with_owners(self, rows: Rows) -> tuple[Numbers, Numbers]:
        """Return the cost of each record with its own original, and how far such links are right.

        Any original of its group counts as that of a record drawn within the group.
        """
        owners = self.owners
        if owners.groups is None or owners.sizes is None:
            costs = self.costs(rows, owners.origin[rows])
            return np.diagonal(costs).astype(np.float64), np.ones(len(rows))
        least, right = np.zeros(len(rows)), np.zeros(len(rows))
        for at, row in enumerate(rows.tolist()):
            group = owners.groups[owners.origin[row]]
            costs = self.costs(rows[at : at + 1], np.flatnonzero(owners.groups == group))[0]
            least[at] = costs.min()
            near = costs <= least[at] + TIE * (1 + abs(least[at]))
            right[at] = np.count_nonzero(near) / owners.sizes[group]
        return least, right

    def _certain(self, rows: Rows, possible: Possible) -> Numbers:
        counts, candidate = np.zeros(len(rows), dtype=np.int64), np.full(len(rows), -1)
        left, start = np.arange(len(rows)), 0
        while start < self.originals and len(left):
            people = self._next(start, len(left))
            allowed = possible(rows[left], people)
            some = allowed.any(axis=1)
            counts[left] += np.count_nonzero(allowed, axis=1)
            candidate[left[some]] = people.start + allowed[some].argmax(axis=1)
            left, start = left[counts[left] < 2], people.stop
        return np.where(counts == 1, self.owners.take(rows).success_of(candidate), 0.0)

    def _next(self, start: int, records: int) -> slice:
        """Return the originals with which this many records are compared next."""
        most = min(max(1, CACHED_CELLS // records), max(FIRST, GROWTH * start))
        return slice(start, min(start + most, self.originals))


def nearest(costs: Compare, rows: Rows, originals: int, most: int) -> Rows:
    """Return the originals of least cost to each record, this many of them.

    >>> table = np.array([[3, 1, 2, 0]], dtype=np.float32)
    >>> sorted(nearest(lambda r, people: table[:, people], np.array([0]), 4, 2)[0].tolist())
    [1, 3]
    """
    most, step = min(most, originals), max(most, CACHED_CELLS // max(len(rows), 1))
    people = [np.zeros(0, dtype=np.int64)] * len(rows)
    least = [np.zeros(0, dtype=np.float32)] * len(rows)
    farthest = np.full(len(rows), np.inf)
    for start in range(0, originals, step):
        part = costs(rows, slice(start, min(start + step, originals)))
        # Few originals of a later part are among the nearest, so the others are not sorted.
        few = np.isinf(farthest)
        nearer = (part.min(axis=1) < farthest) | few
        for row in np.flatnonzero(nearer).tolist():
            of_row = part[row]
            cheaper = np.arange(len(of_row)) if few[row] else np.flatnonzero(of_row < farthest[row])
            all_costs = np.concatenate([least[row], of_row.take(cheaper)])
            all_people = np.concatenate([people[row], cheaper + start])
            if len(all_costs) > most:
                place = np.argpartition(all_costs, most - 1)[:most]
                all_costs, all_people = all_costs[place], all_people[place]
            least[row], people[row] = all_costs, all_people
            if len(all_costs) == most:
                farthest[row] = all_costs.max()
    return np.array(people)
