"""The local search of large files, region by region, on all cores.

Groups are cut into regions by random hyperplanes, and each region is searched as if it were a file
of its own: it has fewer records, which lie together in memory, and no other thread changes them.
After each round regions are cut afresh, so that no border lasts. Regions, their random numbers and
the order in which their outcomes are combined do not depend on the number of threads.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled
from discreet.kernels.refine_cooling import Stretch
from discreet.kernels.refine_moves import anneal
from discreet.kernels.refine_neighbours import cut_into_cells
from discreet.kernels.refine_state import clusters_from_labels

REGION = 8_000
"""The fewest records of a region, which may have up to twice as many, and a few more."""
GROUPS = 10
"""The fewest groups of a region."""


@compiled
def _near_within(
    near: NDArray[np.int32],
    rows: NDArray[np.int64],
    region: NDArray[np.uint16],
    place: NDArray[np.int32],
    number: int,
    within: NDArray[np.int32],
) -> None:
    """Set the lists of near records of a region, as positions within it.

    If others are left out, the nearest of the rest are repeated: the search draws from the whole
    list. A record without any is its own neighbour, which leads to no move.
    """
    for i in range(len(rows)):
        count = 0
        for r in range(near.shape[1]):
            other = near[rows[i], r]
            if region[other] == number:
                within[i, count] = place[other]
                count += 1
        if count == 0:
            within[i, 0] = i
            count = 1
        for r in range(count, near.shape[1]):
            within[i, r] = within[i, r - count]


@dataclass(eq=False)
class Regions:
    """A partition of a large file under change, and what it takes to change it."""

    points: NDArray[np.float64]
    near: NDArray[np.int32]
    labels: NDArray[np.int64]
    k: int
    rng: np.random.Generator
    threads: ThreadPoolExecutor

    def round(self, stretch: Stretch, steps: int) -> float:
        """Try this many changes in new regions; returns the sum of squares."""
        region, parts = self._cut()
        place = np.empty(len(region), np.int32)
        for rows in parts:
            place[rows] = np.arange(len(rows))
        seeds = self.rng.integers(2**63, size=len(parts))
        tried = place[stretch.active].astype(np.int64)
        active = _divided(region[stretch.active], tried, len(parts))

        def search(number: int) -> tuple[NDArray[np.int64], float]:
            rows = parts[number]
            within = np.empty((len(rows), self.near.shape[1]), np.int32)
            _near_within(self.near, rows, region, place, number, within)
            _, groups = np.unique(self.labels[rows], return_inverse=True)
            clusters = clusters_from_labels(
                self.points[rows], within, groups, self.k, int(seeds[number])
            )
            share = steps * len(active[number]) // len(stretch.active)
            sse = anneal(clusters, self.k, active[number], share, stretch.hot, stretch.cold)
            return clusters.group, sse

        total, before = 0.0, 0
        for rows, (groups, sse) in zip(
            parts, self.threads.map(search, range(len(parts))), strict=True
        ):
            self.labels[rows] = groups + before
            before += int(groups.max()) + 1
            total += sse
        return total

    def _cut(self) -> tuple[NDArray[np.uint16], list[NDArray[np.int64]]]:
        """Return the region of each record, and the records of each region."""
        sizes = np.bincount(self.labels)
        centroids = np.empty((len(sizes), self.points.shape[1]))
        for j, column in enumerate(self.points.T):
            centroids[:, j] = np.bincount(self.labels, column) / sizes
        order = self.rng.permutation(len(sizes))
        order, bounds = cut_into_cells(centroids, order, max(REGION // self.k, GROUPS))
        of_group = np.empty(len(sizes), np.uint16)
        of_group[order] = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
        region = of_group[self.labels]
        return region, _divided(region, np.arange(len(region)), len(bounds) - 1)


def _divided(
    region: NDArray[np.uint16], values: NDArray[np.int64], regions: int
) -> list[NDArray[np.int64]]:
    """Return the values of each region, in their order."""
    # numbers of sixteen bits are sorted in linear time
    order = np.argsort(region, kind="stable")
    ends = np.cumsum(np.bincount(region, minlength=regions))
    return np.split(values[order], ends[:-1])
