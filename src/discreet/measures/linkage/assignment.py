"""From costs to links: each released record to its cheapest original, or all of them one to one.

One to one means that no original is linked twice and that the sum of the costs is least (by the
algorithm of Jonker & Volgenant, as in SciPy). Nothing distinguishes records of equal cost: which of
them are linked is a matter of chance, so the expected success is reported, whatever was drawn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.measures.linkage.cells import Matrix, Rows
from discreet.microdata import Numbers

TIE = 1e-5
"""Costs that differ by less are treated as equal; they are stored in single precision."""


@dataclass(frozen=True, eq=False)
class Owners:
    """Which original counts as each released record's own.

    A record that was drawn within a group has no original of its own: any original of its group
    counts, by one over the size of the group.
    """

    origin: Rows
    groups: Rows | None = None
    sizes: Rows | None = None

    @classmethod
    def within(cls, origin: Rows, groups: Rows) -> Owners:
        """Return the owners of records that were drawn within groups of the originals."""
        return cls(origin, groups, np.bincount(groups[groups >= 0]))

    def take(self, rows: Rows) -> Owners:
        """Return the owners of some released records."""
        return Owners(self.origin[rows], self.groups, self.sizes)

    def among(self, rows: Rows, people: Rows) -> Owners:
        """Return the owners of some released records, as positions among some originals in order.

        >>> Owners(np.array([7, 5, 3])).among(np.array([0, 2]), np.array([3, 7])).origin
        array([1, 0])
        """
        groups = None if self.groups is None else self.groups[people]
        return Owners(np.searchsorted(people, self.origin[rows]), groups, self.sizes)

    def near(self, row: int, people: Rows) -> Owners | None:
        """Return the owner of a released record as a position among some originals, if among them.

        >>> Owners(np.array([7, 5, 3])).near(2, np.array([3, 7])).origin
        array([0])
        >>> Owners(np.array([7, 5, 3])).near(1, np.array([3, 7])) is None
        True
        """
        if self.groups is None:
            groups, right = None, people == self.origin[row]
        else:
            groups = self.groups[people]
            right = groups == self.groups[self.origin[row]]
        return Owners(np.flatnonzero(right)[:1], groups, self.sizes) if right.any() else None

    def chance_among(self, candidates: NDArray[np.bool_], counts: Numbers) -> Numbers:
        """Return the chance that a candidate drawn at random is the record's own original."""
        if self.groups is None or self.sizes is None:
            hit = candidates[np.arange(len(self.origin)), self.origin]
            return np.asarray(hit / counts)
        own_groups = self.groups[self.origin]
        hits = np.array(
            [
                c[self.groups == g].sum()
                for c, g in zip(candidates, own_groups.tolist(), strict=True)
            ]
        )
        return np.asarray(hits / counts / self.sizes[own_groups])

    def expected_success(self, linked: Rows, alike: Rows) -> Numbers:
        """Return how far each link is right on average if equal released records may be exchanged.

        `alike` has a number for each released record, the same for indistinguishable ones.

        >>> Owners(np.array([0, 1, 2])).expected_success(np.array([1, 0, 2]), np.array([5, 5, 6]))
        array([0.5, 0.5, 1. ])
        """
        origin, worth = self.origin, np.ones(len(self.origin))
        if self.groups is not None and self.sizes is not None:
            linked, origin = np.append(self.groups, -1)[linked], self.groups[origin]
            worth = 1 / self.sizes[origin]
        room = int(max(linked.max(initial=0), origin.max(initial=0))) + 2
        offered, times = np.unique(alike * room + linked + 1, return_counts=True)
        wanted = alike * room + origin + 1
        at = np.searchsorted(offered, wanted).clip(0, len(offered) - 1)
        met = np.where(offered[at] == wanted, times[at], 0)
        return np.asarray(worth * met / np.bincount(alike)[alike])

    def success_of(self, linked: Rows) -> Numbers:
        """Return how far each link is right; −1 is no link."""
        if self.groups is None or self.sizes is None:
            return np.asarray(linked == self.origin, dtype=np.float64)
        own_groups = self.groups[self.origin]
        same = (linked >= 0) & (self.groups[linked] == own_groups)
        return np.asarray(same / self.sizes[own_groups])


def cheapest(costs: Matrix, owners: Owners) -> Numbers:
    """Return the chance that the cheapest original is the record's own.

    >>> costs = np.array([[0, 1, 2], [1, 1, 3]], dtype=np.float32)
    >>> cheapest(costs, Owners(np.array([0, 1]))).tolist()
    [1.0, 0.5]
    """
    least = costs.min(axis=1, keepdims=True)
    candidates = costs <= least + TIE * (1 + np.abs(least))
    return owners.chance_among(candidates, candidates.sum(axis=1))


def only_possible(possible: NDArray[np.bool_], owners: Owners) -> Numbers:
    """Return whether the record's own original is the only possible one.

    >>> only_possible(np.array([[True, False], [True, True]]), Owners(np.array([0, 1]))).tolist()
    [1.0, 0.0]
    """
    counts = possible.sum(axis=1)
    return np.where(counts == 1, owners.chance_among(possible, np.maximum(counts, 1)), 0.0)


def alike(costs: Matrix) -> Rows:
    """Return a number for each row of costs, the same for equal rows.

    >>> alike(np.array([[1, 2], [0, 2], [1, 2]], dtype=np.float32)).tolist()
    [1, 0, 1]
    """
    rows = np.ascontiguousarray(costs)
    whole = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
    return np.asarray(np.unique(whole, return_inverse=True)[1], dtype=np.int64)


def one_to_one(costs: Matrix, generator: np.random.Generator) -> Rows:
    """Return the original to which each released record is linked; −1 if there are too few.

    >>> costs = np.array([[0.0, 0.1], [0.0, 5.0]], dtype=np.float32)
    >>> one_to_one(costs, np.random.default_rng(1)).tolist()
    [1, 0]
    """
    from scipy.optimize import linear_sum_assignment

    # Equal costs are met in the order of the file, which must not decide between them.
    columns = generator.permutation(costs.shape[1])
    rows = generator.permutation(costs.shape[0])
    released, originals = linear_sum_assignment(costs[np.ix_(rows, columns)].astype(np.float64))
    linked = np.full(len(costs), -1)
    linked[rows[released]] = columns[originals]
    return linked
