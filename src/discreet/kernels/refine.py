"""Reducing the information loss of a microaggregation by local search.

Microaggregation wants the partition into groups of at least k records with the least within-group
sum of squares (SSE). Finding it is NP-hard in two columns or more; on common files heuristics such
as MDAV are a fifth above the best. Simulated annealing over small changes of the partition (a
record moves, two are exchanged, two groups are cut again, a group is dissolved or created) recovers
most of that. Optimal groups have k to 2k-1 records, since a larger one could be cut without loss,
and the search keeps to these sizes.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.cores import cores
from discreet.kernels.refine_cooling import Cooling
from discreet.kernels.refine_moves import anneal
from discreet.kernels.refine_neighbours import candidate_lists
from discreet.kernels.refine_regions import Regions
from discreet.kernels.refine_state import clusters_from_labels, pad_columns

__all__ = ["refine_labels", "within_sse"]

# A chunk is the compiled work between two looks at the clock.
CHUNK_SECONDS = 0.05
CHUNKS = 200  # or more chunks, so that the cooling is gradual
ADVANCE_SECONDS = 0.25
# From this many records on the search goes region by region, in at most this many rounds.
LARGE = 50_000
ROUNDS = 30
# Memory for the lists of near records; new groups of more than this are never created.
MOST_CANDIDATES = 100
# In a table whose largest entry is 1, a smaller sum of squares is only rounding.
NOTHING = 1e-24


def refine_labels(
    points: NDArray[np.float64],
    labels: NDArray[np.int64],
    k: int,
    *,
    steps: int | None = None,
    seconds: float | None = None,
    rng: np.random.Generator,
    advance: Callable[[float], None] | None = None,
) -> NDArray[np.int64]:
    """Return a partition with a within-group sum of squares no greater than that of `labels`.

    `points` holds the records in rows, in comparable (standardised) columns without missing
    values; `labels` any partition into groups of at least k. The groups returned have k to
    2k-1 records (one group when there are fewer than 2k records) and are numbered 0, 1, … in
    the order of their first records.

    The budget is `steps` tried changes, in which case the result depends only on the arguments and
    the state of `rng`; or `seconds` of search, not counting the compilation at first use; or 500
    steps per record if neither is given. `advance` receives the fraction done, a few times per
    second. Large files are searched on all cores; the number of cores makes no difference to the
    result of a number of steps.

    >>> import numpy as np
    >>> points = np.array([[0.0], [10.0], [0.1], [10.1], [20.0], [20.1]])
    >>> labels = np.array([0, 0, 1, 1, 2, 2])
    >>> refine_labels(points, labels, 2, steps=1000, rng=np.random.default_rng(1))
    array([0, 1, 0, 1, 2, 2])
    """
    began = time.monotonic()
    points, labels = _checked(points, labels, k, steps, seconds)
    if labels.size < 2 * k:
        return np.zeros(labels.size, dtype=np.int64)
    start = _split_oversize(points, labels, k)
    best = start
    # On a common scale, so that neither tiny nor huge values leave the range of numbers.
    padded = pad_columns(points)
    padded -= padded.mean(axis=0)
    padded /= max(padded.max(initial=0.0), -padded.min(initial=0.0)) or 1.0
    loss = within_sse(padded, start)
    if k > 1 and loss > NOTHING:
        if seconds is not None:
            # The work after the search takes about as long as the work before it.
            seconds = max(0.0, seconds - 2 * (time.monotonic() - began))
        refined = _search(padded, start, k, steps, seconds, rng, advance)
        if within_sse(padded, refined) < loss:
            best = refined
    if advance is not None:
        advance(1.0)
    return _numbered_by_appearance(best)


def within_sse(points: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """Return the within-group sum of squares of the partition `labels` (0 .. g-1).

    >>> within_sse(np.array([[0.0], [2.0], [5.0], [5.0]]), np.array([0, 0, 1, 1]))
    2.0
    """
    counts = np.bincount(labels)
    total = 0.0
    for column in points.T:
        means = np.bincount(labels, weights=column) / counts
        total += float(np.sum((column - means[labels]) ** 2))
    return total


def _search(
    padded: NDArray[np.float64],
    labels: NDArray[np.int64],
    k: int,
    steps: int | None,
    seconds: float | None,
    rng: np.random.Generator,
    advance: Callable[[float], None] | None,
) -> NDArray[np.int64]:
    """Anneal for the budget and return the best partition seen between two chunks."""
    records = labels.size
    if seconds is not None:
        _compile(padded[: 2 * k], k)
    began = time.monotonic()
    candidates = min(max(20, 2 * k), MOST_CANDIDATES, records - 1)
    with ThreadPoolExecutor(cores()) as threads:
        near, distances = candidate_lists(padded, candidates, rng, threads.map)
    # Duplicates have no scale; they should still be tried before the end.
    scales = np.maximum(
        distances[:, min(k - 1, candidates) - 1], 1e-6 * within_sse(padded, labels) / records
    )
    del distances  # as large as twice the table
    if records >= LARGE:
        return _search_regions(padded, labels, k, near, scales, steps, seconds, began, rng, advance)
    clusters = clusters_from_labels(padded, near, labels, k, int(rng.integers(2**63)))
    # Each chunk ends with a pass over all records, which should not be most of its work; but
    # with large groups a step is long, and a chunk must end soon.
    most = max(2**24 // (padded.shape[1] * k), 256)
    least = min(max(records // 2, 1024), most)
    if seconds is None:
        chunks = _chunks_of_steps(500 * records if steps is None else steps, least, most)
    else:
        chunks = _chunks_of_seconds(seconds, began, least, least, CHUNKS, CHUNK_SECONDS)

    def change(chunk: _Chunk, cooling: Cooling) -> float:
        active, hot, cold = cooling.stretch(chunk.begin, chunk.end)
        return anneal(clusters, k, active, chunk.steps, hot, cold)

    return _best_seen(chunks, scales, change, lambda: clusters.group, advance)


def _search_regions(
    padded: NDArray[np.float64],
    labels: NDArray[np.int64],
    k: int,
    near: NDArray[np.int32],
    scales: NDArray[np.float64],
    steps: int | None,
    seconds: float | None,
    began: float,
    rng: np.random.Generator,
    advance: Callable[[float], None] | None,
) -> NDArray[np.int64]:
    """Anneal region by region, on all cores; a chunk is a round over all regions."""
    records = labels.size
    if seconds is None:
        total = 500 * records if steps is None else steps
        chunks = _chunks_of_steps(total, max(2 * records, -(-total // ROUNDS)), total)
    else:
        first, least = 2 * records, records // 4
        chunks = _chunks_of_seconds(seconds, began, first, least, ROUNDS, math.inf)
    with ThreadPoolExecutor(cores()) as threads:
        regions = Regions(padded, near, labels.copy(), k, rng, threads)

        def change(chunk: _Chunk, cooling: Cooling) -> float:
            return regions.round(cooling.stretch(chunk.begin, chunk.end), chunk.steps)

        return _best_seen(chunks, scales, change, lambda: regions.labels, advance)


def _best_seen(
    chunks: Iterator[_Chunk],
    scales: NDArray[np.float64],
    change: Callable[[_Chunk, Cooling], float],
    partition: Callable[[], NDArray[np.int64]],
    advance: Callable[[float], None] | None,
) -> NDArray[np.int64]:
    """Return the partition with the least sum of squares after any chunk of changes."""
    best, best_sse = partition().copy(), math.inf
    cooling = None
    reported = time.monotonic()
    for chunk in chunks:
        if cooling is None or chunk.begin == 0.0:
            cooling = Cooling(scales, chunk.budget / scales.size)
        sse = change(chunk, cooling)
        if sse < best_sse:
            best, best_sse = partition().copy(), sse
        if advance is not None and time.monotonic() - reported > ADVANCE_SECONDS:
            reported = time.monotonic()
            advance(chunk.end)
    return best


class _Chunk(NamedTuple):
    """A bounded piece of compiled work and its place in the budget, as fractions."""

    steps: int
    begin: float
    end: float
    budget: float  # in steps, as far as known


def _chunks_of_steps(total: int, least: int, most: int) -> Iterator[_Chunk]:
    size = max(least, min(most, total // CHUNKS))
    for done in range(0, total, size):
        steps = min(size, total - done)
        yield _Chunk(steps, done / total, (done + steps) / total, total)


def _chunks_of_seconds(
    seconds: float, began: float, first: int, least: int, pieces: int, most: float
) -> Iterator[_Chunk]:
    """Yield pieces of about the same duration, each of at most this many seconds."""
    # The first chunk measures the speed; as at the end of the budget, it only takes gains.
    began_search = time.monotonic()
    yield _Chunk(first, 1.0, 1.0, first)
    began_cooling = time.monotonic()
    done = first
    allowed = began + seconds - began_cooling
    fraction = 0.0
    while fraction < 1.0 and allowed > 0.0:
        now = time.monotonic()
        speed = done / max(now - began_search, 1e-6)
        piece = min(most, allowed / pieces, (1.0 - fraction) * allowed)
        steps = max(int(speed * piece), least)
        ahead = min(1.0, fraction + steps / speed / allowed)
        yield _Chunk(steps, fraction, ahead, speed * allowed)
        done += steps
        fraction = (time.monotonic() - began_cooling) / allowed


def _compile(points: NDArray[np.float64], k: int) -> None:
    """Let the compiler work before the clock starts."""
    labels = np.arange(points.shape[0]) // k
    near, _ = candidate_lists(points, 1, np.random.default_rng(0))
    anneal(clusters_from_labels(points, near, labels, k, 0), k, labels, 0, 0.0, 0.0)


def _split_oversize(
    points: NDArray[np.float64], labels: NDArray[np.int64], k: int
) -> NDArray[np.int64]:
    """Halve groups of 2k or more along their widest column, which never adds to the SSE."""
    counts = np.bincount(labels)
    result = labels.copy()
    free = counts.size
    order = np.argsort(labels, kind="stable")
    ends = np.cumsum(counts)
    pending = [order[ends[g] - counts[g] : ends[g]] for g in np.flatnonzero(counts >= 2 * k)]
    while pending:
        rows = pending.pop()
        values = points[rows]
        widest = int(np.argmax(np.var(values, axis=0))) if points.shape[1] else 0
        half = rows.size // 2
        rows = rows[np.argpartition(values[:, widest], half)] if points.shape[1] else rows
        result[rows[half:]] = free
        free += 1
        pending += [part for part in (rows[:half], rows[half:]) if part.size >= 2 * k]
    return result


def _numbered_by_appearance(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(first.size, dtype=np.int64)
    rank[np.argsort(first)] = np.arange(first.size)
    return rank[inverse]


def _checked(
    points: NDArray[np.float64],
    labels: NDArray[np.int64],
    k: int,
    steps: int | None,
    seconds: float | None,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the arrays in the types of the kernel, with labels 0 .. g-1."""
    points = np.ascontiguousarray(points, dtype=np.float64)
    if points.ndim != 2 or np.shape(labels) != points.shape[:1]:
        raise ValueError(
            f"points must be a table and labels one number per row, but shapes {points.shape} and "
            f"{np.shape(labels)} were given"
        )
    if not np.isfinite(points).all():
        raise ValueError("points must be finite: impute or leave out missing values first")
    if k < 1:
        raise ValueError(f"k must be at least 1, but {k} was given")
    if steps is not None and seconds is not None:
        raise ValueError("give steps or seconds, not both")
    if (steps is not None and steps < 0) or (seconds is not None and not seconds >= 0):
        raise ValueError("steps and seconds cannot be negative")
    _, inverse, counts = np.unique(labels, return_inverse=True, return_counts=True)
    if labels.size >= 2 * k and counts.min() < k:
        raise ValueError(
            f"each group must have at least k = {k} records, but the smallest has {counts.min()}"
        )
    return points, inverse.astype(np.int64)
