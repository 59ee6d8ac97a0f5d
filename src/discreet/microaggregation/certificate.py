"""How far a microaggregation is from the best possible: a proven lower bound on its SSE.

Microaggregation seeks the partition into groups of at least k records with the least
within-group sum of squares (SSE). Finding it is NP-hard, but a bound that no partition can fall
below is within reach for files of up to a few thousand records, by linear programming.

**Prices.** Give each record i a price π_i such that no group of exactly k records has prices of
more than its SSE in total. Then no partition into groups of at least k has an SSE below Σ π_i:

1. Let S have m ≥ k records. SSE(S) = Σ d_ij / m over its pairs, d the squared distance. Each pair
   is in C(m−2, k−2) of the C(m, k) subsets of k records, so the mean SSE of these is
   (1/k) · (k(k−1) / m(m−1)) · m · SSE(S) = SSE(S) · (k−1)/(m−1). Each record is in k/m of them,
   so that the mean of their prices is (k/m) Σ_S π. Hence
   SSE(S) ≥ ((m−1)/(k−1)) (k/m) Σ_S π, where the factor before the sum is at least 1: if the sum
   is not negative, SSE(S) ≥ Σ_S π; and if it is, SSE(S) ≥ 0 > Σ_S π.
2. The SSE of a partition is the sum over its groups, each of which is at least the sum of its
   prices; every record is in one group.

So groups of k alone decide: the linear programme over all group sizes has the same value.

**Repair.** For any prices π let u_i be no more than the least (SSE(T) − Σ_T π) / k over all
groups T of k records with i in them. Then π + u are such prices: Σ_T u ≤ SSE(T) − Σ_T π for
every T, as each of its k records has u_i ≤ (SSE(T) − Σ_T π) / k. `discreet.kernels.pricing`
finds these u exactly, or something less where its steps run out; hence Σ (π_i + u_i) is a bound
whatever the prices were, however early the search for them stops, and a wrong price costs only
in its neighbourhood.

**The search.** From simple prices repairs alone climb most of the way: u is never negative once the
prices are valid. Then column generation: HiGHS finds the best prices for a list of groups, and
the groups which they overcharge join the list. When there are none, the linear programme is
solved, and no bound of this kind is better.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.errors import UsageError

__all__ = ["MOST_RECORDS", "Certificate", "certify"]

MOST_RECORDS = 5000
"""Beyond this the distances of all pairs and the linear programme are too large."""

Points = NDArray[np.float64]
Labels = NDArray[np.int64]

# The linear programme counts as solved when cover and prices differ by this share; where they may
# prove the partition optimal, they are brought closer.
SOLVED = 1e-5
SOLVED_CLOSELY = 1e-10
OPTIMAL = 1e-8
NEARLY = 1e-3
# Refinements that give the first groups, and their steps per record.
STARTS = 3
START_STEPS = 100
# Groups of nearest records to start with, per record.
MOST_VARIANTS = 8
# The share of the best prices so far in those that are tried, and the gain of a repair (a share
# of the bound) that is worth another. The former rises where prices fail FAR from the solution.
LEAST_BLEND = 0.5
MOST_BLEND = 0.9
WORTHWHILE = 2e-3
FAR = 1e-2
# The search for groups: steps per record at first, records per call, and the least difference
# between two reduced costs.
FIRST_STEPS = 20_000
SEEDS_PER_PART = 32
DISTINCT = 1e-10


@dataclass(frozen=True)
class Certificate:
    """What is proven about a partition: none into groups of at least k has an SSE below `bound`.

    `gap` is sse / bound − 1; `optimal` says that it is only rounding; `finished`, that
    more time would raise the bound by a hundred-thousandth at most. `columns` is the number of
    groups in the programme.
    """

    sse: float
    bound: float
    gap: float
    optimal: bool
    seconds: float
    columns: int
    finished: bool
    statement: str


def certify(
    points: Points,
    labels: Labels,
    k: int,
    *,
    seconds: float = 60.0,
    rng: np.random.Generator,
    advance: Callable[[float], None] | None = None,
) -> Certificate:
    """Return a proven bound on the within-group sum of squares, and how close `labels` comes.

    `points` holds the records in rows, in comparable (standardised) columns without missing
    values; `labels` a partition into groups of at least k. After `seconds` the best bound so far
    is returned; it is valid, if lower than it might have been. `advance` receives the fraction
    done, once per round.

    >>> points = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    >>> labels = np.array([0, 0, 0, 1, 1, 1])
    >>> certify(points, labels, 3, rng=np.random.default_rng(1)).statement
    'the best possible partition into groups of at least 3'
    >>> worse = certify(points, labels, 2, rng=np.random.default_rng(1))
    >>> worse.sse, round(worse.bound, 6)
    (4.0, 3.0)
    """
    from discreet.kernels.refine import within_sse

    began = time.monotonic()
    points, labels = _checked(points, labels, k, seconds)
    # By a power of two, so that squares neither overflow nor vanish; nothing is rounded.
    exponent = int(np.frexp(np.abs(points).max(initial=0.0))[1])
    points = np.ldexp(points, -exponent)
    sse = within_sse(points, labels)
    bound, columns, finished = sse, 1, True
    if len(points) >= 2 * k and sse > 0:
        search = _Search(points, k, rng, began, seconds, advance)
        bound, finished = search.run(labels, sse)
        columns = len(search.costs)
    # Rounding alone may lift the bound above the sum of squares that attains it.
    bound = max(0.0, min(bound, sse))
    gap = 0.0 if sse == bound else sse / bound - 1.0 if bound > 0 else np.inf
    if advance is not None:
        advance(1.0)
    with np.errstate(over="ignore", under="ignore"):
        sse, bound = (float(np.ldexp(value, 2 * exponent)) for value in (sse, bound))
    return Certificate(
        sse=sse,
        bound=bound,
        gap=gap,
        optimal=gap <= OPTIMAL,
        seconds=time.monotonic() - began,
        columns=columns,
        finished=finished,
        statement=_statement(gap, k),
    )


def _statement(gap: float, k: int) -> str:
    partition = f"partition into groups of at least {k}"
    if gap <= OPTIMAL:
        return f"the best possible {partition}"
    if not np.isfinite(gap):
        return f"no bound above zero is proven for the best {partition}"
    # Rounded up: never more than is proven.
    percent = 100.0 * gap
    step = 0.1 if percent >= 0.1 else 10.0 ** np.floor(np.log10(percent))
    shown = step * np.ceil(percent / step * (1 - 1e-12))
    digits = max(1, int(-np.floor(np.log10(step))))
    return f"within {shown:.{digits}f} % of the best possible {partition}"


def _checked(points: Points, labels: Labels, k: int, seconds: float) -> tuple[Points, Labels]:
    points = np.ascontiguousarray(points, dtype=np.float64)
    if points.ndim != 2 or np.shape(labels) != points.shape[:1]:
        raise UsageError(
            f"points must be a table and labels one number per row, but shapes {points.shape} and "
            f"{np.shape(labels)} were given"
        )
    n = len(points)
    if k < 2:
        raise UsageError(f"k must be at least 2, so that records share a group, but {k} was given")
    if not seconds > 0:
        raise UsageError(f"seconds must be above 0, but {seconds} was given")
    if n < k:
        raise UsageError(f"{n} records cannot form a group of at least {k}; lower k")
    if n > MOST_RECORDS:
        raise UsageError(
            f"a certificate takes at most {MOST_RECORDS:,} records, but there are {n:,}; certify "
            "blocks of them separately, or a sample"
        )
    if not np.isfinite(points).all():
        raise UsageError("points must be finite: impute or leave out missing values first")
    _, groups, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    if sizes.min() < k:
        raise UsageError(
            f"each group must have at least {k} records, but the smallest has {sizes.min()}; "
            "certify with that k, or group again"
        )
    return points, groups.astype(np.int64)


class _Search:
    """The list of groups, the best prices so far, and the clock."""

    def __init__(
        self,
        points: Points,
        k: int,
        rng: np.random.Generator,
        began: float,
        seconds: float,
        advance: Callable[[float], None] | None,
    ) -> None:
        from scipy.spatial.distance import cdist

        from discreet.kernels.pricing import half_sums, split_distances

        self.points, self.k, self.rng, self.advance = points, k, rng, advance
        self.began, self.seconds = began, seconds
        self.squares = cdist(points, points, "sqeuclidean")
        self.halves = half_sums(self.squares, k)
        self.groups = np.empty((0, k), np.int64)
        self.costs = np.empty(0)
        self.steps, self.open, self.blend = FIRST_STEPS, 0, LEAST_BLEND
        self.prices = split_distances(self.squares, k)
        self.bound = self._less_rounding(self.prices, self.prices)

    def run(self, labels: Labels, sse: float) -> tuple[float, bool]:
        """Return the best bound and whether the linear programme was solved."""
        goal = SOLVED
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            self._start(labels)
            self._ascend(threads)
            while self._left() > 0:
                cost, added = self._round(threads)
                if cost == np.inf:
                    break
                short = cost - self.bound
                if short <= goal * cost and sse - self.bound < NEARLY * sse:
                    goal = SOLVED_CLOSELY
                if short <= goal * cost:
                    return self.bound, True
                if not added and not self.open:
                    # Nothing is overcharged: the rest is the solver's tolerance.
                    return self.bound, short <= SOLVED * cost
        return self.bound, False

    def _left(self) -> float:
        """Return the seconds left, negative when time is up."""
        return self.began + self.seconds - time.monotonic()

    def _start(self, labels: Labels) -> None:
        """List groups of some refined partitions and of nearest records."""
        from discreet.kernels.refine import refine_labels

        n, k = len(self.points), self.k
        self._add(_windows(labels, k))
        for _ in range(STARTS):
            if self._left() > 0.8 * self.seconds:
                refined = refine_labels(self.points, labels, k, steps=START_STEPS * n, rng=self.rng)
                self._add(_windows(refined, k))
        near = np.argsort(self.squares + np.diag(np.full(n, -1.0)), axis=1, kind="stable")
        near = near[:, : k + 1]
        # The record itself, then its k nearest but one.
        for without in range(k, max(k - MOST_VARIANTS, 0), -1):
            self._add(np.delete(near, without, axis=1))

    def _add(self, groups: NDArray[np.int64]) -> int:
        """List those groups that are new; return how many."""
        both = np.concatenate([self.groups, np.sort(groups, axis=1)])
        _, first = np.unique(both, axis=0, return_index=True)
        new = both[np.sort(first[first >= len(self.groups)])]
        costs = np.zeros(len(new))
        for a in range(self.k):
            for b in range(a):
                costs += self.squares[new[:, a], new[:, b]]
        self.groups = np.concatenate([self.groups, new])
        self.costs = np.concatenate([self.costs, costs / self.k])
        return len(new)

    def _ascend(self, threads: ThreadPoolExecutor) -> None:
        """Repair the best prices repeatedly: from valid prices the bound only grows."""
        before = 0.0
        while self._left() > 0 and self.bound - before > WORTHWHILE * self.bound:
            before = self.bound
            self._reprice(self.prices, threads)

    def _round(self, threads: ThreadPoolExecutor) -> tuple[float, int]:
        """Price the list, add overcharged groups; return its cost and how many were added."""
        started = time.monotonic()
        prices, cost = self._list_prices()
        solving = time.monotonic() - started
        # The prices of the list are one corner of many and jump from round to round; prices
        # between them and the best so far are better, and so are the groups that they yield. Both
        # are tried if searching takes less time than solving or the former yielded nothing.
        started = time.monotonic()
        before = self.bound
        added = self._reprice(self.blend * self.prices + (1 - self.blend) * prices, threads)
        far = self.bound < (1 - FAR) * cost
        stuck = far and self.bound == before
        self.blend = (self.blend + MOST_BLEND) / 2 if stuck else LEAST_BLEND
        took = time.monotonic() - started
        if not added or (took < solving and not stuck):
            added += self._reprice(prices, threads)
        return cost, added

    def _list_prices(self) -> tuple[NDArray[np.float64], float]:
        """Return the best prices for the groups of the list, and what they sum to.

        If the solver does not get there in time, the prices stay and the sum is infinite.
        """
        from scipy.optimize import linprog
        from scipy.sparse import csc_array

        count, n = len(self.groups), len(self.points)
        ends = np.arange(0, self.groups.size + 1, self.k)
        cover = csc_array((np.ones(self.groups.size), self.groups.ravel(), ends), shape=(n, count))
        unit = float(self.costs.mean()) or 1.0
        # The stubs do not allow a sparse matrix here.
        solved = linprog(  # type: ignore[call-overload]
            self.costs / unit,
            A_eq=cover,
            b_eq=np.ones(n),
            method="highs-ipm",
            options={"time_limit": max(self._left(), 0.01)},
        )
        if solved.status != 0:
            return self.prices, np.inf
        return np.asarray(solved.eqlin.marginals) * unit, float(solved.fun) * unit

    def _reprice(self, prices: NDArray[np.float64], threads: ThreadPoolExecutor) -> int:
        """Repair prices, keep them if they are the best, list the groups that they overcharge."""
        from discreet.kernels.pricing import cheapest

        n, k = len(prices), self.k
        # What is known already: the groups of the list. A better one must be so by more than
        # rounding, or it would turn up again and again.
        known = np.full(n, np.inf)
        values = k * (self.costs - prices[self.groups].sum(axis=1))
        for column in self.groups.T:
            np.minimum.at(known, column, values)
        known -= DISTINCT * k * max(float(np.abs(prices).mean()), float(self.costs.mean()))
        floors = np.empty(n)
        started = time.monotonic()
        if self.advance is not None:
            self.advance(min(1.0, (started - self.began) / self.seconds))

        def search(seeds: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
            cheapest_groups = np.empty((len(seeds), k), np.int64)
            seed_floors = np.empty(len(seeds))
            # When time is up the bounds come without a search: no steps, but still valid.
            steps = self.steps if self._left() > 0 else 0
            open_ = cheapest(
                self.squares,
                self.halves,
                k * prices,
                seeds,
                known[seeds],
                steps,
                cheapest_groups,
                seed_floors,
            )
            floors[seeds] = seed_floors
            return cheapest_groups[cheapest_groups[:, 0] >= 0], open_

        parts = np.array_split(self.rng.permutation(n), max(1, n // SEEDS_PER_PART))
        results = list(threads.map(search, parts))
        took = time.monotonic() - started
        self.open = sum(open_ for _, open_ in results)
        if self.open and took < self.seconds / 20:
            self.steps *= 2
        elif took > self.seconds / 10:
            self.steps = max(self.steps // 2, 1)
        repaired = prices + floors / k**2
        bound = self._less_rounding(repaired, prices)
        if bound > self.bound:
            self.bound, self.prices = bound, repaired
        return self._add(np.concatenate([groups for groups, _ in results]))

    def _less_rounding(self, prices: NDArray[np.float64], tried: NDArray[np.float64]) -> float:
        """Return the sum of prices, less what rounding may have added to it.

        Each of the n prices may be wrong by as many roundings as its distances (d) and sums (k)
        take, of numbers no larger than all prices together, before and after their repair.
        """
        n, d = self.points.shape
        share = 8.0 * n * (self.k + d) * np.finfo(np.float64).eps
        return float(prices.sum() - share * (np.abs(prices).sum() + np.abs(tried).sum()))


def _windows(labels: Labels, k: int) -> NDArray[np.int64]:
    """Return the groups of k records; larger groups give all their cyclic windows.

    >>> _windows(np.array([0, 0, 1, 1, 1]), 2).tolist()
    [[0, 1], [2, 3], [3, 4], [4, 2]]
    """
    groups = []
    for rows in np.split(np.argsort(labels, kind="stable"), np.cumsum(np.bincount(labels))[:-1]):
        turns = len(rows) if len(rows) > k else 1
        groups.append(rows[(np.arange(turns)[:, None] + np.arange(k)) % len(rows)])
    return np.concatenate(groups)
