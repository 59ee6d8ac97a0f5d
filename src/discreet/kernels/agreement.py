"""Agreement patterns of pairs of records, without a matrix of all pairs.

Values are stored column by column. Column c is in row `place[c]` of the numbers: an original is at
`values[row, j]`, a released record lies between `least[row, i]` and `most[row, i]`, and a pair
agrees if the value is at most `tolerance[c]` outside. Where `cells[row, i]` is a set of codes
(`kernels.sets`), the pair agrees if the value is one of them; if nothing is a set, `cells` has no
records. A missing value is −inf, and nothing agrees with it.

Columns of few categories are stored as bytes, which takes an eighth of the memory and time. They
are in row −1 − `place[c]` of `symbols` (released) and of `categories` (original), and agree if
equal. The pattern of a pair has bit c set where it agrees in column c.

A record represents all records equal to it: `r` and `s` hold how much of each released and original
record is still free to be linked, the multiplicities how many equal records there are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.arrays import Ints, Numbers
from discreet.kernels.compiling import compiled, inner
from discreet.kernels.sets import ANY, allows

CACHED = 1_024
"""Originals whose values stay in the cache while released records are compared with them."""
MISSING = 254
"""The category of an original that has none; smaller bytes are codes of categories."""
UNKNOWN = 255
"""The symbol of a released record about which nothing is known."""

Bytes = NDArray[np.uint8]
Patterns = NDArray[np.int32]


class Pairs(NamedTuple):
    """The values by which pairs of released and original records are compared."""

    least: Numbers
    most: Numbers
    cells: NDArray[np.int32]
    starts: Ints
    members: NDArray[np.int32]
    values: Numbers
    symbols: Bytes
    categories: Bytes
    place: Ints
    tolerance: Numbers


@inner
def fill_patterns(pairs: Pairs, i: int, patterns: Patterns, first: int = 0) -> None:
    """Write the patterns of released record i with as many originals, from `first` on."""
    for j in range(len(patterns)):
        patterns[j] = 0
    for c in range(len(pairs.place)):
        row, bit = pairs.place[c], np.int32(1 << c)
        if row < 0:
            symbol = pairs.symbols[-1 - row, i]
            category = pairs.categories[-1 - row, first : first + len(patterns)]
            for j in range(len(category)):
                patterns[j] |= bit if category[j] == symbol else np.int32(0)
            continue
        low, high, most = pairs.least[row, i], pairs.most[row, i], pairs.tolerance[c]
        column = pairs.values[row, first : first + len(patterns)]
        cell = pairs.cells[row, i] if pairs.cells.shape[1] else ANY
        if cell < ANY:
            for j in range(len(column)):
                if column[j] >= 0 and allows(cell, int(column[j]), pairs.starts, pairs.members):
                    patterns[j] |= bit
            continue
        for j in range(len(column)):
            gap = max(low - column[j], column[j] - high)
            patterns[j] |= bit if gap <= most else np.int32(0)


@compiled
def count_patterns(
    pairs: Pairs,
    start: int,
    stop: int,
    released_times: Ints,
    original_times: Ints,
    counts: Ints,
) -> None:
    """Add to `counts[pattern]` the pairs of the released records start..stop with all originals."""
    originals = len(original_times)
    block = np.empty(CACHED, np.int32)
    for first in range(0, originals, CACHED):
        patterns = block[: min(CACHED, originals - first)]
        for i in range(start, stop):
            fill_patterns(pairs, i, patterns, first)
            for j in range(len(patterns)):
                counts[patterns[j]] += released_times[i] * original_times[first + j]


@compiled
def count_steps(
    pairs: Pairs,
    start: int,
    stop: int,
    released_times: Ints,
    original_times: Ints,
    within: Numbers,
    steps: Ints,
    counts: Ints,
) -> None:
    """Count the pairs by how many of several tolerances they exceed in each column.

    The tolerances of column c are the first `steps[c]` of `within[c]`, in ascending order; a column
    that is not of numbers has one. The numbers exceeded, from 0 to `steps[c]`, are the digits of
    the place in `counts`, that of the first column being the last digit.
    """
    originals = len(original_times)
    block = np.empty(CACHED, np.int32)
    for first in range(0, originals, CACHED):
        places = block[: min(CACHED, originals - first)]
        for i in range(start, stop):
            for j in range(len(places)):
                places[j] = 0
            unit = np.int32(1)
            for c in range(len(pairs.place)):
                _add_exceeded(pairs, i, c, within[c, : steps[c]], unit, places, first)
                unit = np.int32(unit * (steps[c] + 1))
            for j in range(len(places)):
                counts[places[j]] += released_times[i] * original_times[first + j]


@inner
def _add_exceeded(
    pairs: Pairs, i: int, c: int, within: Numbers, unit: np.int32, places: Patterns, first: int
) -> None:
    """Add `unit` for every tolerance of column c that released record i exceeds."""
    row, nothing = pairs.place[c], np.int32(0)
    if row < 0:
        symbol = pairs.symbols[-1 - row, i]
        category = pairs.categories[-1 - row, first : first + len(places)]
        for j in range(len(category)):
            places[j] += nothing if category[j] == symbol else unit
        return
    low, high = pairs.least[row, i], pairs.most[row, i]
    column = pairs.values[row, first : first + len(places)]
    cell = pairs.cells[row, i] if pairs.cells.shape[1] else ANY
    if cell < ANY:
        for j in range(len(column)):
            if column[j] < 0 or not allows(cell, int(column[j]), pairs.starts, pairs.members):
                places[j] += unit
        return
    for k in range(len(within)):
        most = within[k]
        for j in range(len(column)):
            gap = max(low - column[j], column[j] - high)
            places[j] += nothing if gap <= most else unit


@compiled
def fill_costs(
    pairs: Pairs,
    released: Ints,
    originals: Ints,
    costs_of: NDArray[np.float32],
    costs: NDArray[np.float32],
) -> None:
    """Write the costs of the patterns of some released records with some originals."""
    near, block = np.empty((len(pairs.values), CACHED)), np.empty(CACHED, np.int32)
    named = np.empty((len(pairs.categories), CACHED), np.uint8)
    some = Pairs(
        pairs.least, pairs.most, pairs.cells, pairs.starts, pairs.members, near,
        pairs.symbols, named, pairs.place, pairs.tolerance,
    )  # fmt: skip
    for first in range(0, len(originals), CACHED):
        patterns = block[: min(CACHED, len(originals) - first)]
        for row in range(len(near)):
            for j in range(len(patterns)):
                near[row, j] = pairs.values[row, originals[first + j]]
        for row in range(len(named)):
            for j in range(len(patterns)):
                named[row, j] = pairs.categories[row, originals[first + j]]
        for row in range(len(released)):
            fill_patterns(some, released[row], patterns)
            for j in range(len(patterns)):
                costs[row, first + j] = costs_of[patterns[j]]


@compiled
def list_pairs(
    pairs: Pairs,
    level: Ints,
    first: int,
    last: int,
    place: Ints,
    left: NDArray[np.int32],
    right: NDArray[np.int32],
) -> None:
    """List the pairs whose pattern is at the levels first..last, each at its level's `place`."""
    patterns = np.empty(pairs.values.shape[1], np.int32)
    for i in range(pairs.least.shape[1]):
        fill_patterns(pairs, i, patterns)
        for j in range(len(patterns)):
            at = level[patterns[j]]
            if first <= at <= last:
                left[place[at - first]] = i
                right[place[at - first]] = j
                place[at - first] += 1


@compiled
def link_listed(
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    ends: Ints,
    passes: int,
    r: Numbers,
    s: Numbers,
    released_times: Ints,
    original_times: Ints,
    own_left: Ints,
    own_right: Ints,
    own_ends: Ints,
    spent: float,
    linked: Numbers,
) -> None:
    """Link the listed pairs level by level; see `discreet.measures.risk.probabilistic_linkage`.

    Level t has the pairs up to `ends[t]` and the own pairs of records up to `own_ends[t]`. Pairs of
    a record are struck off the list when no more than `spent` of it is free.
    """
    demand, supply = np.zeros(len(r)), np.zeros(len(s))
    used, taken = np.zeros(len(r)), np.zeros(len(s))
    start, own_start = 0, 0
    for t in range(len(ends)):
        end = ends[t]
        for _ in range(passes):
            moved, kept = 0.0, start
            for at in range(start, end):
                i, j = left[at], right[at]
                if r[i] > spent and s[j] > spent:
                    left[kept], right[kept] = i, j
                    kept += 1
            end = kept
            for at in range(start, end):
                i, j = left[at], right[at]
                demand[i] += original_times[j] * s[j]
                supply[j] += released_times[i] * r[i]
            for pair in range(own_start, own_ends[t]):
                i, j = own_left[pair], own_right[pair]
                most = max(demand[i], supply[j])
                if most > 0.0:
                    linked[pair] += r[i] * s[j] / most
            for at in range(start, end):
                i, j = left[at], right[at]
                most = max(demand[i], supply[j])
                if most > 0.0:
                    share = r[i] * s[j] / most
                    used[i] += original_times[j] * share
                    taken[j] += released_times[i] * share
            for at in range(start, end):
                i, j = left[at], right[at]
                moved += used[i]
                r[i] = max(r[i] - used[i], 0.0)
                s[j] = max(s[j] - taken[j], 0.0)
                demand[i] = supply[j] = used[i] = taken[j] = 0.0
            if moved < 1e-12:
                break
        start, own_start = ends[t], own_ends[t]


@compiled
def scan_demand(
    pairs: Pairs,
    start: int,
    stop: int,
    level: Ints,
    wanted: int,
    r: Numbers,
    s: Numbers,
    released_times: Ints,
    original_times: Ints,
    demand: Numbers,
    supply: Numbers,
) -> None:
    """Add up the demand and supply of the pairs at one level, for a level too large to list."""
    patterns = np.empty(pairs.values.shape[1], np.int32)
    for i in range(start, stop):
        fill_patterns(pairs, i, patterns)
        total, offered = 0.0, released_times[i] * r[i]
        for j in range(len(patterns)):
            if level[patterns[j]] == wanted:
                total += original_times[j] * s[j]
                supply[j] += offered
        demand[i] = total


@compiled
def scan_links(
    pairs: Pairs,
    start: int,
    stop: int,
    level: Ints,
    wanted: int,
    r: Numbers,
    s: Numbers,
    released_times: Ints,
    original_times: Ints,
    demand: Numbers,
    supply: Numbers,
    used: Numbers,
    taken: Numbers,
) -> None:
    """Add up how much of each record the links of one level use, as `link_listed` does."""
    patterns = np.empty(pairs.values.shape[1], np.int32)
    for i in range(start, stop):
        if r[i] == 0.0:
            continue
        fill_patterns(pairs, i, patterns)
        total = 0.0
        for j in range(len(patterns)):
            if level[patterns[j]] == wanted:
                share = r[i] * s[j] / max(demand[i], supply[j])
                total += original_times[j] * share
                taken[j] += released_times[i] * share
        used[i] = total
