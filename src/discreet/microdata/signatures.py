"""Signatures: what a release shows about a household, which distinguishes it from others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.microdata.clusters import Clusters
from discreet.microdata.equivalence import classes, numbered
from discreet.microdata.table import Microdata


def signatures(
    data: Microdata, homes: Clusters, columns: Sequence[str] | None = None
) -> NDArray[np.int64]:
    """Return a label per household; two share it if they cannot be distinguished.

    They then have the same size and members who can be paired so that each pair has the same
    quasi-identifiers, those of household level included, in whatever order they are in the file; or
    the same values in other `columns`.

    >>> import discreet
    >>> data = discreet.read({"sex": list("fmmff"), "hid": [1, 1, 2, 2, 3]},
    ...                      roles={"sex": "quasi-identifier", "hid": "household"})
    >>> signatures(data, Clusters(np.array([0, 0, 1, 1, 2])))
    array([0, 0, 1])
    """
    members = classes(data, data.quasi_identifiers if columns is None else columns)
    labels = homes.sizes
    order = np.lexsort((members, homes.labels))
    starts = np.cumsum(homes.sizes) - homes.sizes
    # The sorted members one after the other: a round takes the next of those who have one.
    for place in range(int(homes.sizes.max(initial=0))):
        more = np.flatnonzero(homes.sizes > place)
        following = np.zeros(len(labels), dtype=np.int64)
        following[more] = members[order[starts[more] + place]] + 1
        labels = _numbered_pairs(labels, following)
    # In the order of the first household of each kind.
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[inverse])


def _numbered_pairs(first: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    width = int(other.max(initial=0)) + 1
    return numbered(first * width + other, (int(first.max(initial=0)) + 1) * width)[0]
