"""Signatures: what a release shows about a household, which distinguishes it from others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.microdata.clusters import Clusters
from discreet.microdata.equivalence import classes, first_and_times, numbered
from discreet.microdata.table import Microdata


def signatures(
    data: Microdata,
    homes: Clusters,
    columns: Sequence[str] | None = None,
    members: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """Return a label per household; two share it if they cannot be distinguished.

    They then have the same size and members who can be paired so that each pair has the same
    quasi-identifiers, those of household level included, in whatever order they are in the file; or
    the same values in other `columns`. `members` are the classes of the records by these columns,
    if they are known already.

    >>> import discreet
    >>> data = discreet.read({"sex": list("fmmff"), "hid": [1, 1, 2, 2, 3]},
    ...                      roles={"sex": "quasi-identifier", "hid": "household"})
    >>> signatures(data, Clusters(np.array([0, 0, 1, 1, 2])))
    array([0, 0, 1])
    """
    if members is None:
        members = classes(data, data.quasi_identifiers if columns is None else columns)
    labels = homes.sizes.copy()
    # Household and class in one number, which sorts several times faster than two keys.
    bits = int(members.max(initial=0)).bit_length()
    in_order = homes.labels << bits
    in_order |= members
    in_order.sort()
    in_order &= (1 << bits) - 1
    starts = np.cumsum(homes.sizes) - homes.sizes
    # The sorted members one after another: a round takes the next of those who have one. The
    # others differ from these in size, and keep lower labels than these get.
    for place in range(int(homes.sizes.max(initial=0))):
        more = np.flatnonzero(homes.sizes > place)
        so_far, above = labels[more], int(labels.max()) + 1
        so_far -= so_far.min()
        labels[more] = above + _numbered_pairs(so_far, in_order[starts[more] + place])
    # In the order of the first household of each kind.
    kinds, count = numbered(labels, int(labels.max(initial=0)) + 1)
    rank = np.empty(count, dtype=np.int64)
    rank[np.argsort(first_and_times(kinds)[0])] = np.arange(count)
    return rank[kinds]


def _numbered_pairs(first: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    width = int(other.max(initial=0)) + 1
    return numbered(first * width + other, (int(first.max(initial=0)) + 1) * width)[0]
