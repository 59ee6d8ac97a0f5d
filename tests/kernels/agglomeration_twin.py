"""Agglomeration written with whole arrays, as a twin of the kernel that does it in loops."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Labels = NDArray[np.int64]

# NumPy's own logarithm of an array differs in the last bit by version and processor, and merges of
# equal cost would no longer be tied.
_log = np.vectorize(math.log, otypes=[np.float64])


def agglomerated(x: Numbers, whole: bool) -> list[tuple[int, int]]:
    """Return the merges of all points into one cluster, in their order."""
    n, d = x.shape
    total = float(((x - x.mean(axis=0)) ** 2).sum())
    state = _Clusters(x, max(total / (n * d), np.finfo(np.float64).eps), whole)
    costs = np.full((n, n), np.inf)
    for i in range(n - 1):
        others = np.arange(i + 1, n)
        costs[i, others] = costs[others, i] = state.rise(i, others)
    nearest = costs.argmin(axis=1)
    best = costs[np.arange(n), nearest]
    alive = np.ones(n, dtype=np.bool_)
    merges: list[tuple[int, int]] = []
    for _ in range(n - 1):
        kept, gone = _cheapest(costs, best, state.place)
        merges.append((kept, gone))
        state.merge(kept, gone, costs[kept, gone])
        alive[gone] = False
        costs[gone] = costs[:, gone] = np.inf
        best[gone] = np.inf
        others = np.flatnonzero(alive)
        others = others[others != kept]
        if not len(others):
            break
        costs[kept, others] = costs[others, kept] = state.rise(kept, others)
        closer = costs[others, kept] < best[others]
        stale = (nearest[others] == gone) | (nearest[others] == kept)
        nearer = others[closer]
        best[nearer], nearest[nearer] = costs[nearer, kept], kept
        lost = np.append(others[stale & ~closer], kept)
        nearest[lost] = costs[lost].argmin(axis=1)
        best[lost] = costs[lost, nearest[lost]]
    return merges


def _cheapest(costs: Numbers, best: Numbers, place: Labels) -> tuple[int, int]:
    """Return the two clusters to be merged; among equal costs the last in mclust's order."""
    rows = np.flatnonzero(best == best.min())
    tied, others = np.nonzero(costs[rows] == best[rows[0]])
    ends = np.sort(place[np.stack([rows[tied], others])], axis=0)
    last = int(np.lexsort(ends)[-1])
    kept, gone = sorted((int(rows[tied[last]]), int(others[last])))
    return kept, gone


class _Clusters:
    """Sizes, sums and scatters of the clusters so far, and the cost of a merge.

    Sums are divided by the root of the size, as in mclust.
    """

    def __init__(self, x: Numbers, floor: float, whole: bool) -> None:
        n, self.d = x.shape
        self.floor = floor
        self.sizes = np.ones(n)
        self.sums = x.copy()
        self.traces = np.zeros(n)
        self.scatters = np.zeros((n, self.d, self.d))
        self.terms = self._terms(self.sizes, self.traces, self.scatters)
        self.factors = None if whole else _FirstRows(n, self.d)
        # Where mclust keeps each cluster: the last one fills the place of one that is gone.
        self.place = np.arange(n)
        self.kept_at = list(range(n))

    def _terms(self, sizes: Numbers, traces: Numbers, scatters: Numbers) -> Numbers:
        terms = _log((traces + self.floor) / sizes)
        full = np.flatnonzero(sizes > self.d)
        if len(full):
            with np.errstate(divide="ignore"):
                # A determinant of zero is left out: log(0 + trace).
                signs, logs = np.linalg.slogdet(scatters[full])
            logs = np.where(signs > 0, logs - self.d * _log(sizes[full]), -np.inf)
            terms[full] = np.logaddexp(logs, terms[full])
        return np.asarray(sizes * terms)

    def _apart(self, cluster: int, others: Labels) -> tuple[Numbers, Numbers]:
        """Return the sizes of the unions, and the weighted differences of the means."""
        sizes = self.sizes[cluster] + self.sizes[others]
        shares = np.sqrt(self.sizes[cluster] / sizes), np.sqrt(self.sizes[others] / sizes)
        apart = shares[0][:, None] * self.sums[others] - shares[1][:, None] * self.sums[cluster]
        pairs = np.flatnonzero(sizes == 2)
        if len(pairs):
            apart[pairs] = (self.sums[others[pairs]] - self.sums[cluster]) * np.sqrt(0.5)
        return sizes, apart

    def _joined(self, cluster: int, others: Labels) -> tuple[Numbers, Numbers, Numbers]:
        sizes, apart = self._apart(cluster, others)
        traces = (self.traces[cluster] + self.traces[others]) + (apart**2).sum(axis=1)
        between = apart[:, :, None] * apart[:, None, :]
        return sizes, traces, self.scatters[cluster] + self.scatters[others] + between

    def rise(self, cluster: int, others: Labels) -> Numbers:
        """Return by how much the cost rises when `cluster` is merged with each of the others."""
        joined = self._terms(*self._joined(cluster, others))
        return np.asarray(joined - (self.terms[cluster] + self.terms[others]))

    def merge(self, kept: int, gone: int, rise: float) -> None:
        if self.factors is not None:
            first, second = self._ordered(kept, gone)
            _, apart = self._apart(first, np.array([second]))
            self.factors.merge(kept, (first, second), apart[0], self.sizes, self.scatters)
        sizes, traces, scatters = self._joined(kept, np.array([gone]))
        share = np.sqrt(self.sizes[[kept, gone]] / sizes)
        self.sums[kept] = share[0] * self.sums[kept] + share[1] * self.sums[gone]
        self.sizes[kept], self.traces[kept], self.scatters[kept] = sizes[0], traces[0], scatters[0]
        self.terms[kept] = rise + (self.terms[kept] + self.terms[gone])
        low, high = sorted((int(self.place[kept]), int(self.place[gone])))
        moved = self.kept_at.pop()
        if high < len(self.kept_at):
            self.kept_at[high], self.place[moved] = moved, high
        self.kept_at[low], self.place[kept] = kept, low

    def _ordered(self, kept: int, gone: int) -> tuple[int, int]:
        """Return the cluster whose factor is brought up to date, and the other one."""
        first, second = (kept, gone) if self.place[kept] > self.place[gone] else (gone, kept)
        last = -1 if self.factors is None else self.factors.last
        if second == last or (first != last and self.sizes[first] == 1):
            return second, first
        return first, second


class _FirstRows:
    """What mclust stores of the scatters: the first row of each triangular factor."""

    def __init__(self, n: int, d: int) -> None:
        self.rows = np.zeros((n, d))
        self.last = -1

    def merge(
        self,
        kept: int,
        ordered: tuple[int, int],
        apart: Numbers,
        sizes: Numbers,
        scatters: Numbers,
    ) -> None:
        """Reduce the scatter of the cluster merged last, unless it is merged again now.

        With the first row r of the triangular factor in all of the m rows that a cluster of m + 1
        or more points has, entry (a, b) of the scatter is min(a, b, m)·r_a·r_b, counted from 1.
        """
        if self.last >= 0 and self.last not in ordered:
            rows = min(int(sizes[self.last]) - 1, len(apart))
            places = np.arange(1, len(apart) + 1)
            counts = np.minimum(np.minimum(places[:, None], places), rows)
            scatters[self.last] = counts * np.outer(self.rows[self.last], self.rows[self.last])
        row, *others = [*(self.rows[g] for g in ordered if sizes[g] > 1), apart]
        for other in others:
            row = _rotated(row, other)
        self.rows[kept] = row
        self.last = kept


def _rotated(row: Numbers, other: Numbers) -> Numbers:
    """Return the first of two rows after the rotation that makes the other's first entry 0."""
    scale = abs(row[0]) + abs(other[0])
    if scale == 0:
        return row
    length = scale * np.sqrt((row[0] / scale) ** 2 + (other[0] / scale) ** 2)
    return np.asarray((row[0] / length) * row + (other[0] / length) * other)
