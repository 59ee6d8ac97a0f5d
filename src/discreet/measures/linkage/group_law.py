"""The distribution of records drawn within groups: how likely a released record is in each group.

Numbers are normal with the mean and covariance of the group; categories have the shares of the
group. The groups are those that the intruder finds by running the method.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet.measures.linkage.cells import CategoryCells, Cells, Matrix, NumberCells, Rows
from discreet.microdata import Numbers

PRIOR = 1e-3
"""The weight of the variance within all groups in that of each, so that none has zero width."""
RARE = 0.5
"""How many records the shares of the whole file count as in those of a group."""
MOST_CELLS = 2_000_000
"""The most differences that are held in memory at a time."""


@dataclass(frozen=True, eq=False)
class GroupLaw:
    """The cost of a released record in each group, −log likelihood; `labels` are those of people.

    >>> from discreet.measures.linkage.spans import Spans
    >>> ages = Spans.points(np.array([0.0, 1.0, 8.0, 9.0]))
    >>> age = NumberCells("age", ages, ages)
    >>> law = GroupLaw.of([age], np.array([0, 0, 1, 1]))
    >>> law.costs(np.array([0, 3])).argmin(axis=1).tolist()
    [0, 1]
    """

    labels: Rows
    numbers: Sequence[NumberCells]
    centres: Numbers
    roots: Numbers
    constant: Numbers
    categories: Sequence[CategoryCells]
    tables: Sequence[Numbers]

    @classmethod
    def of(cls, columns: Sequence[Cells], labels: Rows) -> GroupLaw:
        """Learn the distribution of each group from the people in it."""
        numbers = [c for c in columns if isinstance(c, NumberCells)]
        categories = [c for c in columns if isinstance(c, CategoryCells)]
        values = np.column_stack([np.zeros((len(labels), 0)), *(_middle(c) for c in numbers)])
        centres, roots, constant = _normal(values, labels)
        return cls(
            labels, numbers, centres, roots, constant, categories,
            [_shares(c, labels) for c in categories],
        )  # fmt: skip

    def costs(self, rows: Rows, groups: Rows | slice = slice(None)) -> Matrix:
        """Return the cost of some released records in each group, or in some groups."""
        total = np.zeros((len(rows), len(self.centres[groups])))
        if self.numbers:
            total += self._of_numbers(rows, groups)
        for column, table in zip(self.categories, self.tables, strict=True):
            total += table[:, groups][column.symbols[rows]]
        return total.astype(np.float32)

    def _of_numbers(self, rows: Rows, some: Rows | slice) -> Numbers:
        # In a cell that is missing or says nothing, every value is equally likely.
        points = np.column_stack(
            [
                sum(np.where(np.isfinite(end), end, np.nan) / 2 for end in c.masked.at(rows))
                for c in self.numbers
            ]
        )
        centres, roots, constant = self.centres[some], self.roots[some], self.constant[some]
        groups, wide = centres.shape
        costs = np.empty((len(rows), groups))
        step = max(1, MOST_CELLS // max(groups * wide, 1))
        for start in range(0, len(rows), step):
            apart = points[start : start + step, None] - centres[None]
            whitened = np.einsum("rgd,gde->rge", np.nan_to_num(apart), roots)
            costs[start : start + step] = 0.5 * (whitened**2).sum(axis=2) + constant
        return costs


def _middle(column: NumberCells) -> Numbers:
    low, high = column.people.at(slice(None))
    values = (low + high) / 2
    centre = float(np.nanmean(values)) if not np.isnan(values).all() else 0.0
    return np.where(np.isnan(values), centre, values)


def _normal(values: Numbers, labels: Rows) -> tuple[Numbers, Numbers, Numbers]:
    """Return centre, root of the inverse covariance and half of its log determinant, by group."""
    groups, wide = int(labels.max()) + 1, values.shape[1]
    sizes = np.maximum(np.bincount(labels, minlength=groups), 1)
    centres = np.column_stack(
        [np.zeros((groups, 0)), *(np.bincount(labels, v, groups) / sizes for v in values.T)]
    )
    apart = values - centres[labels]
    within = (apart**2).mean(axis=0) if wide else np.zeros(0)
    moments = np.zeros((groups, wide, wide))
    for a in range(wide):
        for b in range(a + 1):
            sums = np.bincount(labels, apart[:, a] * apart[:, b], groups)
            moments[:, a, b] = moments[:, b, a] = sums / np.maximum(sizes - 1, 1)
    # A group of few records says little about the directions in which it does not spread.
    share = np.where(sizes > 2 * wide, PRIOR, 0.2)[:, None, None]
    moments = (1 - share) * moments + share * np.diag(within + 1e-12)
    spreads, directions = np.linalg.eigh(moments)
    spreads = np.maximum(spreads, 1e-12)
    roots = np.einsum("gde,ge->gde", directions, 1 / np.sqrt(spreads))
    return centres, roots, 0.5 * np.log(spreads).sum(axis=1)


def _shares(column: CategoryCells, labels: Rows) -> Numbers:
    """Return −log of the share of the values that each symbol allows, in each group."""
    groups, width = int(labels.max()) + 1, column.allows.shape[1]
    counts = np.zeros((groups, width))
    np.add.at(counts, (labels, column.categories), 1.0)
    usual = counts.sum(axis=0) / counts.sum()
    shares = (counts + RARE * usual) / (counts.sum(axis=1, keepdims=True) + RARE)
    return np.asarray(-np.log(np.maximum(column.allows @ shares.T, 1e-12)))
