"""The records farthest from the average, listed for many groups at a time.

While groups form the average moves, but by less than the records that leave: by s, say. A record
at distance r from the average as it was is at most r + s from it now. So the farthest record of a
list is the farthest of all if it is farther away than that for the last r of the list. In skewed
data the average soon leaves the centre of the tree, and searching it for the farthest takes long.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import in_place
from discreet.kernels.kdtree import NOBODY, Tree
from discreet.kernels.neighbours import farthest

_MARGIN = 1.0 + 1e-9
"""A margin for rounding, which is far less."""


class Front(NamedTuple):
    """The records farthest from a centre, farthest first; empty if there is no list."""

    records: NDArray[np.int64]
    keys: NDArray[np.float64]  # minus their squared distances
    centre: NDArray[np.float64]


def no_front() -> Front:
    """Return an empty list."""
    return Front(np.empty(0, np.int64), np.empty(0), np.empty(0))


def list_front(tree: Tree, centre: NDArray[np.float64], count: int) -> Front:
    """List the records that are farthest from a centre; the tree must have as many."""
    keys, records = np.empty(count), np.empty(count, np.int64)
    farthest(tree, centre, keys, records)
    order = np.lexsort((records, keys))
    return Front(records[order], keys[order], centre.copy())


@in_place
def farthest_listed(
    front: Front,
    points: NDArray[np.float64],
    labels: NDArray[np.int64],
    centre: NDArray[np.float64],
) -> int:
    """The unlabelled record that is farthest from a centre, or NOBODY if the list cannot tell."""
    moved = 0.0
    for j in range(len(centre)):
        moved += (centre[j] - front.centre[j]) ** 2
    moved = math.sqrt(moved)
    best, best_record = -1.0, NOBODY
    for i in range(len(front.records)):
        record = front.records[i]
        if labels[record] >= 0 and i < len(front.records) - 1:
            continue
        most = (math.sqrt(-front.keys[i]) + moved) * _MARGIN
        if most * most < best:
            return best_record
        if labels[record] < 0:
            total = 0.0
            for j in range(len(centre)):
                gap = points[record, j] - centre[j]
                total += gap * gap
            if total > best or (total == best and record < best_record):
                best, best_record = total, record
    return NOBODY
