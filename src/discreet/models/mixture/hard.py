"""Hard groups: every record in its most probable cluster, and no cluster below k."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.threads import one_thread

BLOCK = 16_384
"""Records processed together; memory is this many times the number of clusters."""

Densities = Callable[[NDArray[np.int64]], NDArray[np.float64]]


@one_thread()
def hard_groups(
    densities: Densities,
    records: int,
    k: int,
    advance: Callable[[float], None] = lambda _: None,
) -> tuple[NDArray[np.int64], list[int]]:
    """Return a cluster number for each record, every cluster kept having at least k, and the
    clusters that were dissolved.

    `densities(rows)` gives log π_g f_g(x) of these records, a column per cluster. The smallest
    cluster below k is dissolved, its records going to their next best cluster among those that
    are left; then the next one, until none is below k. Ties go to the cluster of lower number.

    >>> log = np.log([[0.9, 0.1], [0.8, 0.2], [0.4, 0.6]])
    >>> hard_groups(lambda rows: log[rows], 3, 2)
    (array([0, 0, 0]), [1])
    """
    labels = np.empty(records, dtype=np.int64)
    clusters = 0
    for start in range(0, records, BLOCK):
        rows = np.arange(start, min(start + BLOCK, records))
        log_densities = densities(rows)
        clusters = log_densities.shape[1]
        labels[rows] = log_densities.argmax(axis=1)
        advance(len(rows))
    alive = np.ones(clusters, dtype=np.bool_)
    dissolved: list[int] = []
    while alive.sum() > 1:
        sizes = np.bincount(labels, minlength=clusters)
        smallest = int(np.where(alive, sizes, records + 1).argmin())
        if sizes[smallest] >= k:
            break
        alive[smallest] = False
        dissolved.append(smallest)
        members = np.flatnonzero(labels == smallest)
        for start in range(0, len(members), BLOCK):
            rows = members[start : start + BLOCK]
            labels[rows] = np.where(alive, densities(rows), -np.inf).argmax(axis=1)
    return np.asarray(np.cumsum(alive) - 1)[labels], dissolved
