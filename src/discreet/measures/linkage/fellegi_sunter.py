"""Fellegi–Sunter linkage of two files: patterns of agreement, weights by EM, greedy assignment.

The work is done on the different records of each file and on counts, so neither memory nor EM
depends on the number of pairs.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.measures.linkage.agreement import Compared

LISTED_PAIRS = 20_000_000
"""At most this many pairs are listed at a time; a level with more is scanned instead."""
LISTED_SHARE = 0.1
"""Of all pairs this many are listed at a time: most are of records that are taken by then."""
FEW_PAIRS = 100_000
"""Up to this many pairs take less time than threads take to start."""
PASSES = 4
"""How often the shares that ties leave free are divided again before the next weight."""
SPENT = 1e-9
"""A record counts as taken if less than this share of it is free."""
MOST_NUMBERS = 1 << 16
"""The most kinds of pairs, by the tolerances that they exceed, whose counts are kept at a time."""
EQUAL_WEIGHTS = 9
"""Weights that agree to this many decimals are treated as equal."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Model:
    """The fitted chances of agreement and the observed patterns, the heaviest first.

    Patterns of equal weight share a `level`.
    """

    m: Floats
    u: Floats
    patterns: Ints
    weights: Floats
    level: Ints = field(repr=False)

    @property
    def of_every_pattern(self) -> Floats:
        """The weight of every possible pattern, observed or not.

        >>> model = fit(np.array([60, 10, 0, 20]), 2, 5)
        >>> bool(np.allclose(model.of_every_pattern[model.patterns], model.weights))
        True
        """
        patterns, weights = np.arange(1 << len(self.m)), np.zeros(1 << len(self.m))
        for c, (m, u) in enumerate(zip(self.m.tolist(), self.u.tolist(), strict=True)):
            agrees = patterns >> c & 1
            weights += np.where(agrees, np.log(m / u), np.log1p(-m) - np.log1p(-u))
        return weights


def fit(counts: Ints, columns: int, originals: int) -> Model:
    """Fit the Fellegi–Sunter model to pattern counts, by EM.

    >>> model = fit(np.array([60, 10, 10, 20]), 2, 5)   # 20 of 100 pairs agree twice
    >>> model.patterns.tolist(), bool((model.m > model.u).all())
    ([3, 1, 2, 0], True)
    """
    from discreet.kernels.chances_of_agreement import fit_chances

    patterns = np.flatnonzero(counts)
    numbers = counts[patterns].astype(np.float64)
    pairs = numbers.sum()
    agrees = ((patterns[:, None] >> np.arange(columns)) & 1).astype(np.float64)
    # Each released record has one original in the file, so the share of pairs of the same person is
    # known; if EM estimated it, it would grow to the share of pairs that are merely alike.
    same = min(1 / originals, 0.5)
    rate = np.clip(numbers @ agrees / pairs, 0.5 / pairs, 1 - 0.5 / pairs)
    # The first row is m, the second u; neither is nearer to 0 or 1 than half a pair.
    chances = np.array([np.full(columns, 0.9), rate])
    least = np.array([0.5 / max(pairs * same, 1.0), 0.5 / pairs])
    fit_chances(patterns, numbers, rate * pairs, pairs, same, least, chances)
    m, u = chances
    weights = _weights(agrees, m, u).round(EQUAL_WEIGHTS)
    order = np.lexsort([patterns, -weights])
    level = np.full(1 << columns, -1, dtype=np.int64)
    _, ranks = np.unique(-weights[order], return_inverse=True)
    level[patterns[order]] = ranks
    return Model(m, u, patterns[order], weights[order], level)


def _weights(agrees: Floats, m: Floats, u: Floats) -> Floats:
    yes, no = np.log(m / u), np.log1p(-m) - np.log1p(-u)
    return np.asarray(agrees @ (yes - no) + no.sum())


def assign(compared: Compared, model: Model, origin: Ints, context: Context) -> Floats:
    """Return for each released row the chance of being linked to its own original.

    Levels are processed from the heaviest down, as many at a time as have pairs that can be listed;
    then the records that are taken drop out, and the rest are compared again. Below the last level
    that contains anybody's own original there is nothing left to find.
    """
    own_left, own_right = compared.of_released, compared.of_original[origin]
    own_level = model.level[compared.patterns(own_left, own_right)]
    by_level = np.argsort(own_level, kind="stable")
    own_level, own_left, own_right = (a[by_level] for a in (own_level, own_left, own_right))
    linked = np.zeros(len(own_left))
    r, s = (np.ones(count) for count in compared.sizes)
    levels, at = int(own_level[-1]) + 1, 0
    with context.task("linking records by weight", levels) as advance:
        while at < levels:
            rows, columns = np.flatnonzero(r > SPENT), np.flatnonzero(s > SPENT)
            if not len(rows) or not len(columns):
                break
            free = compared.only(rows, columns)
            counts = counts_of_patterns(free, context, weighted=False)
            present = np.flatnonzero(counts)
            per_level = np.bincount(model.level[present], counts[present], minlength=levels)
            ends = np.cumsum(per_level[at:levels].astype(np.int64))
            most = min(LISTED_PAIRS, LISTED_SHARE * len(rows) * len(columns))
            number = max(1, int(np.searchsorted(ends, most, side="right")))
            pairs = np.arange(*np.searchsorted(own_level, [at, at + number]))
            left, right = _places(r, rows)[own_left[pairs]], _places(s, columns)[own_right[pairs]]
            # A pair with a record that is taken is not linked any more.
            open_ = (left >= 0) & (right >= 0)
            pairs, left, right = pairs[open_], left[open_], right[open_]
            own_ends = np.searchsorted(own_level[pairs], np.arange(at, at + number), "right")
            r_free, s_free = r[rows], s[columns]
            link = _link_listed if ends[0] <= LISTED_PAIRS else _link_scanned
            linked[pairs] = link(
                free, model.level, at, ends[:number], r_free, s_free, left, right, own_ends,
            )  # fmt: skip
            r[rows], s[columns] = r_free, s_free
            at += number
            advance(number)
    result = np.empty(len(linked))
    result[by_level] = np.minimum(linked, 1.0)
    return result


def _link_listed(
    free: Compared,
    level: Ints,
    first: int,
    ends: Ints,
    r: Floats,
    s: Floats,
    own_left: Ints,
    own_right: Ints,
    own_ends: Ints,
) -> Floats:
    """Link the pairs of some levels, from `first` on; `r` and `s` become what is still free."""
    from discreet.kernels.agreement import link_listed, list_pairs

    left, right = np.empty((2, ends[-1]), dtype=np.int32)
    starts = np.concatenate([[0], ends[:-1]])
    list_pairs(free.pairs, level, first, first + len(ends) - 1, starts, left, right)
    chances = np.zeros(len(own_left))
    link_listed(
        left, right, ends, PASSES, r, s, free.released_times, free.original_times,
        own_left, own_right, own_ends, SPENT, chances,
    )  # fmt: skip
    return chances


def _link_scanned(
    free: Compared,
    level: Ints,
    wanted: int,
    ends: Ints,
    r: Floats,
    s: Floats,
    own_left: Ints,
    own_right: Ints,
    own_ends: Ints,
) -> Floats:
    """Link the pairs of one level that are too many to list: each pass scans all pairs twice."""
    from discreet.kernels.agreement import scan_demand, scan_links

    released, originals = free.sizes
    chances = np.zeros(len(own_left))
    fixed = (level, wanted, r, s, free.released_times, free.original_times)
    for _ in range(PASSES):
        demand, used = np.zeros(released), np.zeros(released)

        def asked(start: int, stop: int, demand: Floats = demand) -> Floats:
            supply = np.zeros(originals)
            scan_demand(free.pairs, start, stop, *fixed, demand, supply)
            return supply

        supply = np.sum(_in_parts(asked, free.sizes), axis=0)
        most = np.maximum(demand[own_left], supply[own_right])
        chances += r[own_left] * s[own_right] / np.where(most > 0, most, 1)

        def links(
            start: int,
            stop: int,
            demand: Floats = demand,
            supply: Floats = supply,
            used: Floats = used,
        ) -> Floats:
            taken = np.zeros(originals)
            scan_links(free.pairs, start, stop, *fixed, demand, supply, used, taken)
            return taken

        taken = np.sum(_in_parts(links, free.sizes), axis=0)
        r[:] = np.maximum(r - used, 0)
        s[:] = np.maximum(s - taken, 0)
        if not used.any():
            break
    return chances


def counts_of_patterns(compared: Compared, context: Context, *, weighted: bool) -> Ints:
    """Return the number of pairs of each pattern: of all records, or of different ones only."""
    from discreet.kernels.agreement import count_patterns

    times = [compared.released_times, compared.original_times]
    left, right = times if weighted else [np.ones(len(t), dtype=np.int64) for t in times]

    def part(start: int, stop: int) -> Ints:
        counts = np.zeros(1 << len(compared.pairs.tolerance), dtype=np.int64)
        count_patterns(compared.pairs, start, stop, left, right, counts)
        return counts

    with context.task("comparing pairs", 1) as advance:
        total = np.sum(_in_parts(part, compared.sizes), axis=0)
        advance(1)
    return np.asarray(total)


def counts_within(compared: Compared, tolerances: Floats, context: Context) -> Ints:
    """Return the pairs of all records of each pattern, a row for each of several tolerances."""
    from discreet.kernels.agreement import count_steps

    tolerances = np.where(compared.straight, tolerances, 0.0)
    ascending = [np.unique(column) for column in tolerances.T]
    steps = np.array([len(column) for column in ascending])
    # From the last column to the first: the first has the last digit.
    digits = tuple((steps + 1)[::-1].tolist())
    if math.prod(digits) > MOST_NUMBERS and len(tolerances) > 1:
        half = len(tolerances) // 2
        parts = tolerances[:half], tolerances[half:]
        return np.concatenate([counts_within(compared, part, context) for part in parts])
    within = np.zeros((len(steps), steps.max()))
    for c, column in enumerate(ascending):
        within[c, : len(column)] = column
    times = compared.released_times, compared.original_times

    def part(start: int, stop: int) -> Ints:
        counts = np.zeros(math.prod(digits), dtype=np.int64)
        count_steps(compared.pairs, start, stop, *times, within, steps, counts)
        return counts

    with context.task("comparing pairs", 1) as advance:
        counts = np.sum(_in_parts(part, compared.sizes), axis=0)
        advance(1)
    # How many of its tolerances each place exceeds in each column, the first column first.
    exceeded = np.indices(digits).reshape(len(digits), -1)[::-1]
    of_patterns = np.zeros((len(tolerances), 1 << len(steps)), dtype=np.int64)
    for row, stated in enumerate(tolerances):
        patterns = np.zeros(len(counts), dtype=np.int64)
        for c, (column, most) in enumerate(zip(ascending, stated, strict=True)):
            patterns |= (exceeded[c] <= np.searchsorted(column, most)).astype(np.int64) << c
        np.add.at(of_patterns[row], patterns, counts)
    return of_patterns


def _in_parts(
    work: Callable[[int, int], NDArray[Any]], sizes: tuple[int, int]
) -> list[NDArray[Any]]:
    """Do the work on as many parts of the released rows as there are cores, in parallel."""
    released, originals = sizes
    if released * originals <= FEW_PAIRS:
        return [work(0, released)]
    cuts = np.linspace(0, released, (os.cpu_count() or 1) + 1).astype(int).tolist()
    with ThreadPoolExecutor(len(cuts) - 1) as threads:
        return list(threads.map(work, cuts[:-1], cuts[1:]))


def _places(free: Floats, rows: Ints) -> Ints:
    places = np.full(len(free), -1, dtype=np.int64)
    places[rows] = np.arange(len(rows))
    return places
