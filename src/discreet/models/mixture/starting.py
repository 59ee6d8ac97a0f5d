"""Where EM starts: model-based agglomerative clustering, quantiles, or k-means."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers

Labels = NDArray[np.int64]

KMEANS_STARTS = 10
CLOSEST = 100
"""By how many more quantiles than clusters a column is cut at most, because of ties."""


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


def agglomerate(points: Numbers, rotated: bool = True, whole: bool = False) -> Tree:
    """Merge, two at a time, the clusters that cost the classification likelihood least.

    For clusters of any normal shape (VVV) the cost of a cluster is n_g log |W_g / n_g|. Small
    clusters have no determinant; Fraley (1998) adds the mean trace of the cluster and of all data,
    n_g log(|W_g/n_g| + (tr W_g + tr W/(n·d))/n_g), and leaves the determinant out up to d points.

    The points are first turned to their principal axes, each divided by the root of its singular
    value, which makes the start independent of the columns' units (Scrucca & Raftery 2015); if not
    `rotated`, they are taken as they are.

    Unless the `whole` scatter of every cluster is to count, that of a cluster that was not merged
    last is what mclust (5 and 6) remembers of it: the first row of its triangular factor stands
    for all its rows. The clusters that come out are then those of mclust.
    """
    from discreet.kernels.agglomeration import agglomeration

    x = _on_axes(points) if rotated else np.asarray(points, dtype=np.float64)
    return Tree(len(x), tuple((kept, gone) for kept, gone in agglomeration(x, whole).tolist()))


def _on_axes(points: Numbers) -> Numbers:
    centred = points - points.mean(axis=0)
    spread = centred.std(axis=0, ddof=1) if len(points) > 1 else np.ones(points.shape[1])
    scaled = centred / np.where(spread > 0, spread, 1.0)
    _, singular, axes = np.linalg.svd(scaled, full_matrices=False)
    kept = singular > singular.max(initial=0.0) * 1e-9
    return np.asarray(scaled @ axes[kept].T / np.sqrt(singular[kept])) if kept.any() else scaled


def by_quantiles(values: Numbers, clusters: int) -> Labels:
    """Return the partition of numbers at quantiles, as mclust starts with a single column.

    Where ties leave too few different ones they are taken more closely, and those that are nearest
    to the next are left out; of a few values the partition may have fewer clusters.

    >>> by_quantiles(np.array([1.0, 7.0, 2.0, 9.0, 3.0, 8.0]), 3)
    array([0, 1, 0, 2, 1, 2])
    """
    for count in range(clusters + 1, clusters + CLOSEST):
        ends = np.unique(np.quantile(values, np.linspace(0.0, 1.0, count)))
        if len(ends) > clusters:
            break
    surplus = max(len(ends) - clusters - 1, 0)
    ends = np.delete(ends, np.argsort(np.diff(ends), kind="stable")[:surplus])
    parts = np.searchsorted(ends[1:-1], values, side="right")
    return np.unique(parts, return_inverse=True)[1].astype(np.int64)


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
