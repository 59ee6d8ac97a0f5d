"""The records as combinations of values, each stored once with its count."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.methods.nonperturbative.full_domain.hierarchy_levels import Levels

Node = tuple[int, ...]
"""A level for each column."""
KEPT = 8
"""Classes of other nodes that are cached per combination."""


class Combinations:
    """The different combinations of values in some columns, and their classes at each node.

    >>> import discreet
    >>> from discreet.methods.nonperturbative.full_domain.automatic import automatic
    >>> data = discreet.read({"age": [21, 22, 21, 67], "sex": ["f", "m", "f", "m"]})
    >>> people = Combinations([automatic(c, width=10) for c in data])
    >>> people.weight, people.of_record
    (array([2, 1, 1]), array([0, 1, 0, 2], dtype=int32))
    >>> people.classes((1, 1))
    (array([0, 0, 1], dtype=int32), array([3, 1]))
    >>> people.sizes((1, 1))
    array([3, 1])
    """

    def __init__(self, columns: Sequence[Levels], times: NDArray[np.int64] | None = None) -> None:
        """`times` says how many records each row stands for, by default one."""
        self.columns = tuple(columns)
        if times is None:
            times = np.ones(len(columns[0].values), dtype=np.int64)
        self.records = int(times.sum())
        from discreet.kernels.full_domain import numbered_rows

        values = np.array([column.values for column in columns])
        self._counts = [np.array(column.counts, dtype=np.int64) for column in columns]
        self._starts = np.cumsum([0, *(column.height + 1 for column in columns)])
        self.of_record, self.weight = numbered_rows(
            values,
            np.arange(len(columns)),
            np.array([column.codes.shape[1] for column in columns]),
            times,
        )
        # Unlike brackets, `take` leaves each row in one piece, for which the kernels are compiled.
        combinations = values.take(_first_of(self.of_record, len(self.weight)), axis=1)
        self._table = np.concatenate(
            [c.codes.take(v, axis=1) for c, v in zip(columns, combinations, strict=True)]
        )
        self._values = combinations
        self.level_loss = [
            column.loss @ np.bincount(v, self.weight, column.codes.shape[1]) / self._cells
            for column, v in zip(columns, combinations, strict=True)
        ]
        """What each level of each column adds to the loss of a node."""
        self._seen = np.zeros((1, len(columns)), dtype=np.int64)
        self._few = np.array([len(self.weight)])
        self._known = [(np.arange(len(self.weight)), self.weight)]

    @property
    def _cells(self) -> int:
        return max(1, self.records * len(self.columns))

    def classes(self, node: Node) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the class of each combination at a node, and the records of each class."""
        from discreet.kernels.full_domain import numbered_rows

        chosen = self._starts[:-1] + np.array(node)
        return numbered_rows(self._table, chosen, self._bases(node), self.weight)

    def sizes(self, node: Node) -> NDArray[np.int64]:
        """Return the records of each class at a node.

        Going up the lattice joins classes. So where a node below was visited before, they are
        computed from its classes, each represented by one combination; of several such nodes,
        the one with the fewest classes is used (as in Flash, Kohlmayer et al. 2012).
        """
        from discreet.kernels.full_domain import LARGEST, joined_classes

        bases = self._bases(node)
        if math.prod(bases.tolist()) > LARGEST:
            return self.classes(node)[1]
        at = np.array(node)
        below = np.flatnonzero((self._seen <= at).all(axis=1))
        members, weight = self._known[below[self._few[below].argmin()]]
        members, sizes = joined_classes(self._table, self._starts[:-1] + at, bases, members, weight)
        if 2 * len(members) <= len(weight) and self._few.sum() <= KEPT * len(self.weight):
            self._seen = np.concatenate([self._seen, at[None]])
            self._few = np.append(self._few, len(members))
            self._known.append((members, sizes))
        return sizes

    def _bases(self, node: Node) -> NDArray[np.int64]:
        """Return how many labels each column has at a node."""
        return np.array([c[n] for c, n in zip(self._counts, node, strict=True)], dtype=np.int64)

    def loss(self, node: Node, suppressed: NDArray[np.bool_] | None = None) -> float:
        """Return the mean loss of a cell at a node; each cell of a suppressed record loses 1.

        `suppressed` marks combinations.
        """
        total = sum(float(loss[n]) for loss, n in zip(self.level_loss, node, strict=True))
        if suppressed is None or not suppressed.any():
            return total
        weight = self.weight[suppressed]
        for column, v, n in zip(self.columns, self._values, node, strict=True):
            total += float(((1 - column.loss[n][v[suppressed]]) * weight).sum()) / self._cells
        return total


def _first_of(labels: NDArray[np.int32], count: int) -> NDArray[np.int64]:
    """Return the first place of each label."""
    first = np.zeros(count, dtype=np.int64)
    first[labels[::-1]] = np.arange(len(labels))[::-1]
    return first
