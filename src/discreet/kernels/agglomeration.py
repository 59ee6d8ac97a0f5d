"""Model-based agglomeration: merges the clusters that cost the classification likelihood least.

The cost of a cluster is Fraley's criterion (1998) for clusters of any normal shape,
n_g log(|W_g/n_g| + (tr W_g + f)/n_g), without the determinant up to d points; f is a floor. Sums of
points are divided by the root of the size, as in mclust. Used by
`discreet.models.mixture.starting`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.arrays import Numbers
from discreet.kernels.compiling import compiled, inner

Counts = NDArray[np.int64]


class Clusters(NamedTuple):
    """The clusters so far, each at the row of its first point."""

    sizes: Numbers  # (n,)
    sums: Numbers  # (n, d)
    traces: Numbers  # (n,) of the scatters
    scatters: Numbers  # (n, d, d)
    terms: Numbers  # (n,) the cost of each cluster
    rows: Numbers  # (n, d) the first row of each triangular factor
    last: Counts  # (1,) the cluster merged last, -1 at first
    place: Counts  # (n,) where mclust keeps each cluster
    kept_at: Counts  # (n,) and the cluster that it keeps at each place
    costs: Numbers  # (n, n) by how much a merge of two would raise the cost
    nearest: Counts  # (n,) the cheapest partner of each cluster
    best: Numbers  # (n,) and its price, infinite for a cluster that is gone
    apart: Numbers  # (d,) from here on, working space
    row: Numbers  # (d,)
    other: Numbers  # (d,)
    work: Numbers  # (d, d)


@inner
def _log_determinant(matrix: Numbers) -> float:
    """Return log |matrix| by elimination, −∞ if it is not positive; the matrix is overwritten."""
    d = len(matrix)
    sign, total = 1.0, 0.0
    for j in range(d):
        pivot = j
        for i in range(j + 1, d):
            if abs(matrix[i, j]) > abs(matrix[pivot, j]):
                pivot = i
        if matrix[pivot, j] == 0.0:
            return -np.inf
        if pivot != j:
            sign = -sign
            for c in range(d):
                matrix[j, c], matrix[pivot, c] = matrix[pivot, c], matrix[j, c]
        if matrix[j, j] < 0.0:
            sign = -sign
        total += np.log(abs(matrix[j, j]))
        for i in range(j + 1, d):
            factor = matrix[i, j] / matrix[j, j]
            for c in range(j + 1, d):
                matrix[i, c] -= factor * matrix[j, c]
    return total if sign > 0.0 else -np.inf


@inner
def _put_apart(sizes: Numbers, sums: Numbers, cluster: int, other: int, apart: Numbers) -> float:
    """Set the weighted difference of the means; return the size of the union."""
    size: float = sizes[cluster] + sizes[other]
    kept_share, other_share = np.sqrt(sizes[cluster] / size), np.sqrt(sizes[other] / size)
    for c in range(len(apart)):
        if size == 2.0:
            apart[c] = (sums[other, c] - sums[cluster, c]) * np.sqrt(0.5)
        else:
            apart[c] = kept_share * sums[other, c] - other_share * sums[cluster, c]
    return size


@inner
def _square(apart: Numbers) -> float:
    total = 0.0
    for c in range(len(apart)):
        total += apart[c] * apart[c]
    return total


@inner
def _price(state: Clusters, floor: float, cluster: int, start: int) -> None:
    """Set by how much a merge with each of the others from `start` on raises the cost."""
    # Taken out of the state once: passing the state on for each of the others would take longer
    # than the work itself.
    sizes, sums, traces, scatters = state.sizes, state.sums, state.traces, state.scatters
    terms, apart, work, costs = state.terms, state.apart, state.work, state.costs
    d = len(apart)
    for other in range(start, len(sizes)):
        if other == cluster or sizes[other] == 0.0:
            continue
        size = _put_apart(sizes, sums, cluster, other, apart)
        trace = (traces[cluster] + traces[other]) + _square(apart)
        term = np.log((trace + floor) / size)
        if size > d:
            for a in range(d):
                for b in range(d):
                    within = scatters[cluster, a, b] + scatters[other, a, b]
                    work[a, b] = within + apart[a] * apart[b]
            log = _log_determinant(work)
            if log > -np.inf:
                log -= d * np.log(size)
                high, low = max(log, term), min(log, term)
                term = high + np.log1p(np.exp(low - high))
        rise = size * term - (terms[cluster] + terms[other])
        costs[cluster, other] = costs[other, cluster] = rise


@inner
def _rotate(row: Numbers, other: Numbers, begun: bool) -> None:
    """Rotate two rows so that the second one's first entry is 0; only the first is kept.

    If the first is still empty, the second takes its place.
    """
    cosine, sine = (1.0, 0.0) if begun else (0.0, 1.0)
    scale = abs(row[0]) + abs(other[0])
    if begun and scale > 0.0:
        left, right = row[0] / scale, other[0] / scale
        length = scale * np.sqrt(left * left + right * right)
        cosine, sine = row[0] / length, other[0] / length
    for c in range(len(row)):
        row[c] = cosine * row[c] + sine * other[c]


@inner
def _remember(state: Clusters, kept: int, gone: int) -> None:
    """Reduce the scatter of the cluster merged last, unless it is merged again now.

    For a cluster that was not merged last, mclust (5 and 6) stores only the first row r of the
    triangular factor, instead of all m rows that a cluster of m + 1 or more points has. Entry
    (a, b) of the scatter is then min(a, b, m)·r_a·r_b, counted from 1.
    """
    d, last = len(state.apart), state.last[0]
    first, second = (kept, gone) if state.place[kept] > state.place[gone] else (gone, kept)
    if second == last or (first != last and state.sizes[first] == 1.0):
        first, second = second, first
    if last >= 0 and last != first and last != second:
        rows = min(int(state.sizes[last]) - 1, d)
        for a in range(d):
            for b in range(d):
                count = min(min(a, b) + 1, rows)
                state.scatters[last, a, b] = count * (state.rows[last, a] * state.rows[last, b])
    _put_apart(state.sizes, state.sums, first, second, state.apart)
    # The rows of both clusters, if they have any, and the row between them.
    begun = False
    for source in range(3):
        cluster = first if source == 0 else second
        if source < 2 and state.sizes[cluster] == 1.0:
            continue
        for c in range(d):
            state.other[c] = state.apart[c] if source == 2 else state.rows[cluster, c]
        _rotate(state.row, state.other, begun)
        begun = True
    for c in range(d):
        state.rows[kept, c] = state.row[c]
    state.last[0] = kept


@inner
def _merge(state: Clusters, kept: int, gone: int, rise: float, left: int, whole: bool) -> None:
    """Merge a cluster into another; there were `left` clusters before."""
    d = len(state.apart)
    if not whole:
        _remember(state, kept, gone)
    size = _put_apart(state.sizes, state.sums, kept, gone, state.apart)
    trace = (state.traces[kept] + state.traces[gone]) + _square(state.apart)
    kept_share, gone_share = np.sqrt(state.sizes[kept] / size), np.sqrt(state.sizes[gone] / size)
    for a in range(d):
        state.sums[kept, a] = kept_share * state.sums[kept, a] + gone_share * state.sums[gone, a]
        for b in range(d):
            within = state.scatters[kept, a, b] + state.scatters[gone, a, b]
            state.scatters[kept, a, b] = within + state.apart[a] * state.apart[b]
    state.sizes[kept], state.traces[kept] = size, trace
    state.terms[kept] = rise + (state.terms[kept] + state.terms[gone])
    # The last one takes the place of the one that is gone.
    low = min(state.place[kept], state.place[gone])
    high = max(state.place[kept], state.place[gone])
    moved = state.kept_at[left - 1]
    if high < left - 1:
        state.kept_at[high], state.place[moved] = moved, high
    state.kept_at[low], state.place[kept] = kept, low


@inner
def _cheapest(costs: Numbers, best: Numbers, place: Counts) -> tuple[int, int]:
    """Return the two clusters to be merged; among equal costs the last in mclust's order."""
    least = best[0]
    for i in range(len(best)):
        least = min(least, best[i])
    kept, gone, near, far = -1, -1, -1, -1
    for i in range(len(best)):
        if best[i] != least:
            continue
        for j in range(len(best)):
            if costs[i, j] == least:
                low, high = min(place[i], place[j]), max(place[i], place[j])
                if high > far or (high == far and low > near):
                    near, far = low, high
                    kept, gone = min(i, j), max(i, j)
    return kept, gone


@inner
def _find_nearest(costs: Numbers, i: int, nearest: Counts, best: Numbers) -> None:
    at, least = 0, costs[i, 0]
    for j in range(1, costs.shape[1]):
        if costs[i, j] < least:
            at, least = j, costs[i, j]
    nearest[i], best[i] = at, least


@compiled
def _merge_all(state: Clusters, floor: float, whole: bool, merges: Counts) -> None:
    costs, nearest, best, sizes = state.costs, state.nearest, state.best, state.sizes
    n = len(best)
    for i in range(n):
        _price(state, floor, i, i + 1)
    for i in range(n):
        _find_nearest(costs, i, nearest, best)
    for step in range(n - 1):
        kept, gone = _cheapest(costs, best, state.place)
        merges[step, 0], merges[step, 1] = kept, gone
        _merge(state, kept, gone, costs[kept, gone], n - step, whole)
        sizes[gone], best[gone] = 0.0, np.inf
        for j in range(n):
            costs[gone, j] = costs[j, gone] = np.inf
        _price(state, floor, kept, 0)
        for j in range(n):
            if j == kept:
                _find_nearest(costs, j, nearest, best)
            elif sizes[j] > 0.0 and costs[j, kept] < best[j]:
                nearest[j], best[j] = kept, costs[j, kept]
            elif sizes[j] > 0.0 and (nearest[j] == gone or nearest[j] == kept):
                _find_nearest(costs, j, nearest, best)


def agglomeration(x: Numbers, whole: bool) -> Counts:
    """Return the merges of all points into one cluster: the rows kept and gone, in their order.

    Unless the `whole` scatter of every cluster is to count, a cluster that was not merged last
    counts with the part that mclust stores.

    >>> agglomeration(np.array([[0.0], [0.1], [5.0], [5.3]]), whole=True)
    array([[0, 1],
           [2, 3],
           [0, 2]])
    """
    n, d = x.shape
    floor = max(float(((x - x.mean(axis=0)) ** 2).sum()) / (n * d), np.finfo(np.float64).eps)
    state = Clusters(
        sizes=np.ones(n),
        sums=np.array(x, dtype=np.float64, order="C"),
        traces=np.zeros(n),
        scatters=np.zeros((n, d, d)),
        terms=np.full(n, np.log(floor)),
        rows=np.zeros((n, d)),
        last=np.full(1, -1),
        place=np.arange(n),
        kept_at=np.arange(n),
        costs=np.full((n, n), np.inf),
        nearest=np.zeros(n, np.int64),
        best=np.full(n, np.inf),
        apart=np.empty(d),
        row=np.empty(d),
        other=np.empty(d),
        work=np.empty((d, d)),
    )
    merges = np.empty((n - 1, 2), np.int64)
    _merge_all(state, floor, whole, merges)
    return merges
