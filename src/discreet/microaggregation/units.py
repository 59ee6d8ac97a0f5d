"""Groups of units: where a person has several records, a group must have k persons.

Groups with too few are merged with the nearest ones. What a partition proves about its groups still
holds, since l-diversity and t-closeness of several classes are also those of their union
(Machanavajjhala et al. 2007, §4.3; Li, Li & Venkatasubramanian 2007, §3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Groups
from discreet.errors import DataError
from discreet.microdata import Microdata
from discreet.microdata.clusters import counted_once, first_of_each, units_of
from discreet.microdata.embedding import Embedding


def groups_of_units(
    data: Microdata,
    columns: Sequence[str],
    groups: Groups,
    strata: NDArray[np.int64] | None = None,
) -> tuple[Groups, tuple[str, ...]]:
    """Return groups of at least `least_size` units each, and a note if some had to be merged.

    Groups that lie within `strata` stay within them.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 21, 40, 41, 60, 61], "who": [1, 1, 2, 3, 4, 5]},
    ...                      roles={"who": "person"})
    >>> groups_of_units(data, ["age"], Groups(np.array([0, 0, 1, 1, 2, 2]), 2))[0].labels
    array([0, 0, 0, 0, 1, 1])
    """
    units, k = units_of(data), groups.least_size
    if units is None or not len(groups.labels):
        return groups, ()
    grouped = np.flatnonzero(groups.labels >= 0)
    every = len(grouped) == len(groups.labels)
    labels, of = (a if every else a[grouped] for a in (groups.labels, units.labels))
    first = first_of_each(labels, of)
    merging = _Merging(labels[first], of[first])
    before = len(merging.counts)
    if (merging.counts >= k).all():
        return groups, ()
    within = None if strata is None else (strata if every else strata[grouped])
    available = counted_once(np.zeros_like(labels) if within is None else within, of)
    if available.min() < k:
        raise DataError(
            f"groups of k = {k} {units.word}s need at least {k} {units.word}s, but the data have "
            f"{available.min()}{'' if strata is None else ' in a stratum'}; choose a smaller k or "
            "more records"
        )
    points = Embedding.fit(data, columns, "standard").points(data)
    merging.place(points if every else points[grouped], labels, within)
    while (few := merging.counts < k).any():
        merging.merge(few)
    new = np.full(len(groups.labels), -1, dtype=np.int64)
    new[grouped] = merging.joined[labels]
    note = (
        f"{before - len(merging.counts):,} of {before:,} groups were merged with their nearest, so "
        f"that each has at least {k} {units.word}s"
    )
    return replace(groups, labels=new), (note,)


class _Merging:
    """Groups that are joined step by step: whose records each has, and where it lies.

    Records are read once; after that, there are only groups, and the different units of each.
    """

    def __init__(self, group: NDArray[np.int64], unit: NDArray[np.int64]) -> None:
        self.group, self.unit = group, unit
        self.counts = np.bincount(group)
        self.joined = np.arange(len(self.counts))
        """The number that each of the first groups has now."""

    def place(
        self,
        points: NDArray[np.float64],
        labels: NDArray[np.int64],
        strata: NDArray[np.int64] | None,
    ) -> None:
        """Say where the groups lie: in the space of their records, and far from other strata."""
        self.sizes = np.bincount(labels)
        self.sums = np.column_stack([np.bincount(labels, column) for column in points.T])
        self.apart = np.zeros(len(self.sizes))
        if strata is not None:
            across = float(np.linalg.norm(np.ptp(points, axis=0)))
            self.apart[labels] = strata * (2 * across + 1)

    def merge(self, few: NDArray[np.bool_]) -> None:
        """Join each of these groups to the one with the nearest mean."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components
        from scipy.spatial import cKDTree

        means = np.column_stack([self.sums / self.sizes[:, None], self.apart])
        poor = np.flatnonzero(few)
        near = np.asarray(cKDTree(means).query(means[poor], k=2)[1])
        # Of two groups with the same mean either may come first.
        nearest = np.where(near[:, 0] == poor, near[:, 1], near[:, 0])
        # In 32 bits: SciPy 1.11 passes over components of any other, and returns what was in
        # memory.
        ends = (poor.astype(np.int32), nearest.astype(np.int32))
        links = coo_array((np.ones(len(poor)), ends), shape=(len(means), len(means)))
        count, parts = connected_components(links, directed=False)
        assert isinstance(parts, np.ndarray)
        new = parts.astype(np.int64)
        self.joined = new[self.joined]
        self.sizes = np.bincount(new, self.sizes).astype(np.int64)
        self.sums = np.column_stack([np.bincount(new, column) for column in self.sums.T])
        apart, self.apart = self.apart, np.zeros(count)
        self.apart[new] = apart
        self.group = new[self.group]
        first = first_of_each(self.group, self.unit)
        self.group, self.unit = self.group[first], self.unit[first]
        self.counts = np.bincount(self.group)
