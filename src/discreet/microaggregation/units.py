"""Groups of units: where a person has several records, a group must have k persons.

Groups with too few are merged with the nearest ones. What a partition proves of its groups still
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
from discreet.microdata.clusters import counted_once, units_of
from discreet.microdata.embedding import Embedding


def groups_of_units(
    data: Microdata, columns: Sequence[str], groups: Groups
) -> tuple[Groups, tuple[str, ...]]:
    """Return groups of at least `least_size` units each, and a note if some had to be merged.

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
    labels, of = groups.labels[grouped], units.labels[grouped]
    few = counted_once(labels, of) < k
    if not few.any():
        return groups, ()
    there = len(np.unique(of))
    if there < k:
        raise DataError(
            f"groups of k = {k} {units.word}s need at least {k} {units.word}s, but the data have "
            f"{there}; choose a smaller k or more records"
        )
    points = Embedding.fit(data, columns, "standard").points(data)[grouped]
    before = len(few)
    while few.any():
        labels = _merged(points, labels, few)
        few = counted_once(labels, of) < k
    new = np.full(len(groups.labels), -1, dtype=np.int64)
    new[grouped] = labels
    note = (
        f"{before - len(few):,} of {before:,} groups were merged with their nearest, so that each "
        f"has at least {k} {units.word}s"
    )
    return replace(groups, labels=new), (note,)


def _merged(
    points: NDArray[np.float64], labels: NDArray[np.int64], few: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return labels after each of these groups has been joined to the one with the nearest mean."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    sizes = np.bincount(labels)
    means = np.column_stack([np.bincount(labels, column) / sizes for column in points.T])
    poor = np.flatnonzero(few)
    near = np.asarray(cKDTree(means).query(means[poor], k=2)[1])
    # Of two groups with the same mean either may come first.
    nearest = np.where(near[:, 0] == poor, near[:, 1], near[:, 0])
    # In 32 bits: SciPy 1.11 passes over components of any other, and returns what was in memory.
    ends = (poor.astype(np.int32), nearest.astype(np.int32))
    links = coo_array((np.ones(len(poor)), ends), shape=(len(sizes), len(sizes)))
    _, joined = connected_components(links, directed=False)
    assert isinstance(joined, np.ndarray)
    return joined.astype(np.int64)[labels]
