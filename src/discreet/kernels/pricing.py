"""The cheapest group of k records around each record, when every record pays a price.

A group T of k records has the reduced cost SSE(T) − Σ π_i over its records, and with
SSE(T) = Σ d_ij / k over its pairs (d the squared distance) k times that is

    V(T) = Σ d_ij over the pairs − Σ q_i over the records,     q_i = k π_i.

For each record the least V over all groups with it is found by branch and bound: groups grow
from the record by one member at a time. A set P of chosen records that needs r more has

    V(P ∪ R) = V(P) + Σ w_j + Σ d_jl,   w_j = Σ d_ij over i in P − q_j,

the first sum over j in R, the second over the pairs in R. Each j in R has r − 1 partners in R,
whose distances sum to no less than those of its r − 1 nearest records; each pair has two ends,
so half of these sums may be counted at each j:

    V(P ∪ R) ≥ V(P) + Σ s_j,   s_j = w_j + half of the r − 1 least distances of j.

With candidates sorted by s, the r next of them bound everything that is left to try. The search is
exact unless it runs out of steps; then the least bound of the open branches is returned, which is
no more than the least V.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled, inner

__all__ = ["cheapest", "half_sums", "split_distances"]


class Search(NamedTuple):
    """The candidates below each chosen record: one row per member of a group."""

    members: NDArray[np.int64]
    weights: NDArray[np.float64]
    bounds: NDArray[np.float64]
    counts: NDArray[np.int64]
    values: NDArray[np.float64]
    place: NDArray[np.int64]
    least: NDArray[np.float64]


def half_sums(squares: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """Return half the sum of the 0, 1, …, k − 1 smallest distances of each record, a row for each.

    >>> half_sums(np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [4.0, 1.0, 0.0]]), 3)
    array([[0. , 0. , 0. ],
           [0.5, 0.5, 0.5],
           [2.5, 1. , 2.5]])
    """
    halves = np.zeros((k, len(squares)))
    for i, row in enumerate(squares):
        others = np.delete(row, i)
        nearest = np.sort(np.partition(others, k - 2)[: k - 1])
        halves[1:, i] = np.cumsum(nearest) / 2
    return halves


def split_distances(squares: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """Return prices that no group of k exceeds, from nearest records alone.

    Split each d_ij into a_ij + a_ji ≤ d_ij. A group has k · SSE = Σ d_ij ≥ Σ_i Σ_j a_ij, and its
    record i has k − 1 partners, so π_i = (the sum of the k − 1 least a_ij) / k will do. Each end
    gets half, but whatever exceeds half of the (k − 1)-th least distance at the nearer end is of no
    use to it and goes to the other, where distances are larger.

    >>> split_distances(np.array([[0.0, 1.0, 81.0], [1.0, 0.0, 64.0], [81.0, 64.0, 0.0]]), 2)
    array([ 0.25,  0.25, 31.75])
    """
    n = len(squares)
    prices = np.empty(n)
    enough = np.partition(squares, k - 1, axis=1)[:, k - 1] / 2
    for i, row in enumerate(squares):
        nearer = enough < enough[i]
        parts = np.minimum(row / 2, enough[i])
        parts[nearer] = row[nearer] - np.minimum(row[nearer] / 2, enough[nearer])
        prices[i] = np.partition(np.delete(parts, i), k - 2)[: k - 1].sum() / k
    return prices


@inner
def _sort(search: Search, row: int) -> None:
    """Order the candidates of a row by their bounds (shell sort: mostly short, or sorted)."""
    members, weights, bounds = search.members[row], search.weights[row], search.bounds[row]
    count = search.counts[row]
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for b in range(gap, count):
            member, weight, bound = members[b], weights[b], bounds[b]
            slot = b
            while slot >= gap and bounds[slot - gap] > bound:
                members[slot] = members[slot - gap]
                weights[slot] = weights[slot - gap]
                bounds[slot] = bounds[slot - gap]
                slot -= gap
            members[slot], weights[slot], bounds[slot] = member, weight, bound
        gap //= 3


@inner
def _choose(
    search: Search,
    squares: NDArray[np.float64],
    halves: NDArray[np.float64],
    row: int,
    at: int,
    lacking: int,
    best: float,
) -> None:
    """Choose a candidate and list those behind it that, with it, can still beat `best`."""
    members, weights, bounds, least = search.members, search.weights, search.bounds, search.least
    chosen = members[row, at]
    value = search.values[row] + weights[row, at]
    below = row + 1
    least[:lacking] = np.inf
    for b in range(at + 1, search.counts[row]):
        record = members[row, b]
        weight = weights[row, b] + squares[chosen, record]
        bound = weight + halves[lacking - 1, record]
        weights[below, b] = weight
        bounds[below, b] = bound
        if bound < least[lacking - 1]:
            slot = lacking - 1
            while slot > 0 and least[slot - 1] > bound:
                least[slot] = least[slot - 1]
                slot -= 1
            least[slot] = bound
    # A candidate brings lacking − 1 others, whose bounds sum to no less than the least.
    others = value
    for b in range(lacking - 1):
        others += least[b]
    count = 0
    for b in range(at + 1, search.counts[row]):
        if others + bounds[below, b] < best:
            members[below, count] = members[row, b]
            weights[below, count] = weights[below, b]
            bounds[below, count] = bounds[below, b]
            count += 1
    search.counts[below] = count
    search.values[below] = value
    search.place[below] = 0
    _sort(search, below)


@inner
def _bound(search: Search, row: int, lacking: int) -> float:
    """Return a bound below which no group from the untried candidates of a row can fall."""
    at = search.place[row]
    if at + lacking > search.counts[row]:
        return np.inf
    bound: float = search.values[row]
    for b in range(at, at + lacking):
        bound += search.bounds[row, b]
    return bound


@compiled
def cheapest(
    squares: NDArray[np.float64],
    halves: NDArray[np.float64],
    charges: NDArray[np.float64],
    seeds: NDArray[np.int64],
    known: NDArray[np.float64],
    steps: int,
    groups: NDArray[np.int64],
    floors: NDArray[np.float64],
) -> int:
    """Search for the group of least V of each of `seeds`; return how many ran out of `steps`.

    `charges` are the q of all records, `halves` comes from `half_sums`, and `known` holds a V
    for each seed. `floors` receives the least V of its groups, or `known` if that is less; if steps
    ran out, no more than this. `groups` (seeds by k) receives a group below `known`, or −1 in the
    first place if none was found.
    """
    n = len(charges)
    k = groups.shape[1]
    search = Search(
        np.empty((k, n), np.int64), np.empty((k, n)), np.empty((k, n)),
        np.zeros(k, np.int64), np.zeros(k), np.zeros(k, np.int64), np.empty(k),
    )  # fmt: skip
    members, weights, place = search.members, search.weights, search.place
    unfinished = 0
    for s in range(len(seeds)):
        best = known[s]
        groups[s, 0] = -1
        # Row 0 is everybody, the seed first; its choice is never undone.
        for j in range(n):
            members[0, j] = j
            weights[0, j] = -charges[j]
        members[0, seeds[s]] = members[0, 0]
        weights[0, seeds[s]] = weights[0, 0]
        members[0, 0] = seeds[s]
        weights[0, 0] = -charges[seeds[s]]
        search.counts[0] = n
        search.values[0] = 0.0
        place[0] = 1
        _choose(search, squares, halves, 0, 0, k - 1, best)
        row = 1
        left = steps
        while row > 0:
            lacking = k - row
            if _bound(search, row, lacking) >= best:
                row -= 1
                continue
            if left <= 0:
                unfinished += 1
                break
            at = place[row]
            place[row] += 1
            left -= 1
            if lacking > 2:
                left -= (search.counts[row] - at) // 8
                _choose(search, squares, halves, row, at, lacking - 1, best)
                row += 1
                continue
            value = search.values[row] + weights[row, at]
            last = -1
            if lacking == 1:
                # They are sorted by bounds, which are exact values here: the first is the best.
                best = value
            else:
                # The two halves of a pair sum to no more than its distance.
                base = search.values[row] + search.bounds[row, at]
                for b in range(at + 1, search.counts[row]):
                    if base + search.bounds[row, b] >= best:
                        break
                    pair = value + weights[row, b] + squares[members[row, at], members[row, b]]
                    if pair < best:
                        best = pair
                        last = b
                if last < 0:
                    continue
                groups[s, k - 1] = members[row, last]
            for r in range(row + 1):
                groups[s, r] = members[r, place[r] - 1]
        floors[s] = best
        while row > 0:
            floors[s] = min(floors[s], _bound(search, row, k - row))
            row -= 1
    return unfinished
