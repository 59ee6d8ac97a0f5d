"""Where EM starts: model-based agglomerative clustering, or k-means."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers

Labels = NDArray[np.int64]

KMEANS_STARTS = 10


@dataclass(frozen=True, eq=False)
class Tree:
    """The merges of an agglomeration, from which a partition into any number is cut.

    >>> tree = agglomerate(np.array([[0.0], [0.1], [5.0], [5.2], [5.1]]))
    >>> tree.cut(2)
    array([0, 0, 1, 1, 1])
    """

    points: int
    merges: tuple[tuple[int, int], ...]

    def cut(self, clusters: int) -> Labels:
        """Return the partition into this many clusters, numbered by their first point."""
        into = np.arange(self.points)
        for kept, gone in self.merges[: self.points - clusters]:
            into[gone] = kept
        # A merged cluster has the number of its first point, the lowest of its points.
        for i in range(self.points):
            into[i] = into[into[i]]
        return np.unique(into, return_inverse=True)[1].astype(np.int64)


def agglomerate(points: Numbers, rotated: bool = True) -> Tree:
    """Merge, two at a time, the clusters that cost the classification likelihood least.

    For clusters of any normal shape (VVV) the cost of a cluster is n_g log |W_g / n_g|. Small
    clusters have no determinant; Fraley (1998) adds the mean trace of the cluster and of all data,
    n_g log(|W_g/n_g| + (tr W_g + tr W/(n·d))/n_g), and leaves the determinant out up to d points.

    The points are first turned to their principal axes, each divided by the root of its singular
    value, which makes the start independent of the columns' units (Scrucca & Raftery 2015); if not
    `rotated`, they are taken as they are.
    """
    x = _on_axes(points) if rotated else np.asarray(points, dtype=np.float64)
    n, d = x.shape
    total = float(((x - x.mean(axis=0)) ** 2).sum())
    state = _Clusters(x, max(total / (n * d), np.finfo(np.float64).eps))
    costs = np.full((n, n), np.inf)
    for i in range(n - 1):
        others = np.arange(i + 1, n)
        costs[i, others] = costs[others, i] = state.rise(i, others)
    nearest = costs.argmin(axis=1)
    best = costs[np.arange(n), nearest]
    alive = np.ones(n, dtype=np.bool_)
    merges: list[tuple[int, int]] = []
    for _ in range(n - 1):
        cheapest = int(best.argmin())
        kept, gone = sorted((cheapest, int(nearest[cheapest])))
        merges.append((kept, gone))
        state.merge(kept, gone)
        alive[gone] = False
        costs[gone] = costs[:, gone] = np.inf
        best[gone] = np.inf
        others = np.flatnonzero(alive)
        others = others[others != kept]
        if not len(others):
            break
        costs[kept, others] = costs[others, kept] = state.rise(kept, others)
        nearer = others[costs[others, kept] < best[others]]
        best[nearer], nearest[nearer] = costs[nearer, kept], kept
        lost = others[(nearest[others] == gone) | (nearest[others] == kept)]
        lost = np.append(np.setdiff1d(lost, nearer), kept)
        nearest[lost] = costs[lost].argmin(axis=1)
        best[lost] = costs[lost, nearest[lost]]
    return Tree(n, tuple(merges))


class _Clusters:
    """Sizes, means and scatters of the clusters so far, and what a merge would cost."""

    def __init__(self, x: Numbers, floor: float) -> None:
        n, self.d = x.shape
        self.floor = floor
        self.sizes = np.ones(n)
        self.means = x.copy()
        self.scatters = np.zeros((n, self.d, self.d))
        self.terms = self._terms(self.sizes, self.scatters)

    def _terms(self, sizes: Numbers, scatters: Numbers) -> Numbers:
        traces = (np.einsum("gii->g", scatters) + self.floor) / sizes
        terms = np.log(traces)
        full = np.flatnonzero(sizes > self.d)
        if len(full):
            with np.errstate(divide="ignore"):
                # A determinant of zero is left out: log(0 + trace).
                signs, logs = np.linalg.slogdet(scatters[full])
            logs = np.where(signs > 0, logs - self.d * np.log(sizes[full]), -np.inf)
            terms[full] = np.logaddexp(logs, terms[full])
        return np.asarray(sizes * terms)

    def _joined(self, cluster: int, others: Labels) -> tuple[Numbers, Numbers]:
        sizes = self.sizes[cluster] + self.sizes[others]
        apart = self.means[others] - self.means[cluster]
        share = self.sizes[cluster] * self.sizes[others] / sizes
        between = (share[:, None] * apart)[:, :, None] * apart[:, None, :]
        return sizes, self.scatters[cluster] + self.scatters[others] + between

    def rise(self, cluster: int, others: Labels) -> Numbers:
        """Return by how much the cost rises when `cluster` is merged with each of the others."""
        return np.asarray(
            self._terms(*self._joined(cluster, others)) - self.terms[cluster] - self.terms[others]
        )

    def merge(self, kept: int, gone: int) -> None:
        sizes, scatters = self._joined(kept, np.array([gone]))
        self.means[kept] += (self.sizes[gone] / sizes[0]) * (self.means[gone] - self.means[kept])
        self.sizes[kept], self.scatters[kept] = sizes[0], scatters[0]
        self.terms[kept] = self._terms(sizes, scatters)[0]


def _on_axes(points: Numbers) -> Numbers:
    centred = points - points.mean(axis=0)
    spread = centred.std(axis=0, ddof=1) if len(points) > 1 else np.ones(points.shape[1])
    scaled = centred / np.where(spread > 0, spread, 1.0)
    _, singular, axes = np.linalg.svd(scaled, full_matrices=False)
    kept = singular > singular.max(initial=0.0) * 1e-9
    return np.asarray(scaled @ axes[kept].T / np.sqrt(singular[kept])) if kept.any() else scaled


def kmeans(points: Numbers, clusters: int, rng: np.random.Generator) -> Labels:
    """Return the best of several k-means partitions of the standardised points.

    >>> kmeans(np.array([[0.0], [0.1], [5.0], [5.2]]), 1, np.random.default_rng(1))
    array([0, 0, 0, 0])
    """
    if clusters == 1:
        return np.zeros(len(points), dtype=np.int64)
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits

    spread = points.std(axis=0)
    search = KMeans(clusters, n_init=KMEANS_STARTS, random_state=int(rng.integers(2**31)))
    # Threads add up the centres in the order in which they finish, so the sums would vary.
    with threadpool_limits(limits=1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        labels = search.fit_predict(points / np.where(spread > 0, spread, 1.0))
    # Fewer distinct points than clusters leave some clusters empty.
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)
