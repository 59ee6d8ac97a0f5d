"""Local suppression: the state on which the moves work, and the greedy pass that starts it.

Patterns are in the order of their cost. `slots[p, i]` is the slot of record i under pattern p, −1
if p does not suppress a column that the record lacks anyway.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled

Ints = NDArray[np.int32]
Counts = NDArray[np.int64]
Costs = NDArray[np.float64]
Index = int | np.int64


class State(NamedTuple):
    """What the moves work on. Moves are remembered, so that they can be undone."""

    slots: Ints
    starts: Counts
    records: Ints
    cost: Costs
    home: Ints  # the pattern of the cells that each record lacks anyway
    chosen: Ints  # the pattern of each record
    used: Counts  # how many records each slot has
    moved: Ints  # the records moved, last one last
    before: Ints  # the patterns that they had
    moves: Counts  # how many moves are remembered
    away: Ints  # the records that are not at home
    place: Ints  # the position of each record among them
    aways: Counts  # how many there are
    total: Costs  # the cost of all patterns
    work: Counts  # how many records and patterns have been examined
    k: int


@compiled
def members_of(slots: Ints, count: int) -> tuple[Counts, Ints]:
    """Return where the records of each slot begin, and the records slot by slot.

    >>> members_of(np.array([[1, 0, 1]], np.int32), 2)
    (array([0, 1, 3]), array([1, 0, 2], dtype=int32))
    """
    starts = np.zeros(count + 1, np.int64)
    for p in range(slots.shape[0]):
        for i in range(slots.shape[1]):
            if slots[p, i] >= 0:
                starts[slots[p, i] + 1] += 1
    for s in range(count):
        starts[s + 1] += starts[s]
    records = np.empty(starts[count], np.int32)
    at = starts[:-1].copy()
    for p in range(slots.shape[0]):
        for i in range(slots.shape[1]):
            s = slots[p, i]
            if s >= 0:
                records[at[s]] = i
                at[s] += 1
    return starts, records


def start(
    slots: Ints, count: int, cost: Costs, home: Ints, k: int, staying: Counts | None = None
) -> State:
    """Return the state after the greedy pass.

    There are `count` slots, `home` is the pattern of the cells that a record lacks anyway, and the
    last pattern suppresses all columns. `staying` is how many more records like each one stay as
    they are, none or at least k, so that their slot is in use whatever happens.

    >>> slots = np.array([[0, 0, 1, 2], [3, 3, 4, 4], [5, 5, 5, 5]], np.int32)
    >>> start(slots, 6, np.array([0.0, 1.0, 2.0]), np.zeros(4, np.int32), 2).chosen
    array([0, 0, 1, 1], dtype=int32)
    """
    rows = slots.shape[1]
    starts, records = members_of(slots, count)
    if staying is None:
        staying = np.zeros(rows, np.int64)
    chosen, used = greedy(slots, starts, records, cost, home, k, staying)
    away = np.full(rows, -1, np.int32)
    place = np.full(rows, -1, np.int32)
    out = np.flatnonzero(chosen != home)
    away[: len(out)] = out
    place[out] = np.arange(len(out))
    # No attempt moves a record more often than a few times.
    moved, before = np.empty((2, 8 * rows + 8), np.int32)
    return State(
        slots, starts, records, cost, home, chosen, used, moved, before,
        np.zeros(1, np.int64), away, place, np.array([len(out)]),
        np.array([cost[chosen].sum()]), np.zeros(1, np.int64), k,
    )  # fmt: skip


def greedy(
    slots: Ints, starts: Counts, records: Ints, cost: Costs, home: Ints, k: int, staying: Counts
) -> tuple[Ints, Counts]:
    """Return a pattern per record, and how many records use each slot.

    Records stay at home if there are k of them. Then, pattern by pattern, those of the same cost
    together, each slot, largest first, takes all its records that are still without one, if they
    are k.
    """
    rows = np.arange(len(home))
    used = np.bincount(slots[home, rows], minlength=len(starts) - 1)
    np.add.at(used, slots[home, rows], staying)
    used[used < k] = 0
    chosen = np.where(used[slots[home, rows]] > 0, home, np.int32(-1)).astype(np.int32)
    level = np.cumsum(np.diff(cost, prepend=cost[:1]) > 1e-12)
    for n in range(int(level[-1]) + 1):
        first, last = np.searchsorted(level, [n, n + 1]).tolist()
        free = _free(slots, chosen, first, last, len(used))
        fillable = np.flatnonzero((free > 0) & (free + used >= k))
        fillable = fillable[np.argsort(-(free + used)[fillable], kind="stable")]
        _fill_in_order(fillable, slots, starts, records, chosen, used, first, last, k)
    _give_the_rest(slots, cost, chosen, used, k)
    return chosen, used


@compiled
def _free(slots: Ints, chosen: Ints, first: int, last: int, count: int) -> Counts:
    """Count the records without a pattern in each slot of some patterns."""
    free = np.zeros(count, np.int64)
    for p in range(first, last):
        for i in range(slots.shape[1]):
            if chosen[i] < 0 and slots[p, i] >= 0:
                free[slots[p, i]] += 1
    return free


@compiled
def _fill_in_order(
    fillable: Counts,
    slots: Ints,
    starts: Counts,
    records: Ints,
    chosen: Ints,
    used: Counts,
    first: int,
    last: int,
    k: int,
) -> None:
    """Give each slot in turn its records without a pattern, if there are k of them."""
    for s in fillable:
        still = used[s]
        for at in range(starts[s], starts[s + 1]):
            if chosen[records[at]] < 0:
                still += 1
        if still < k:
            continue
        for at in range(starts[s], starts[s + 1]):
            i = records[at]
            if chosen[i] < 0:
                for p in range(first, last):
                    if slots[p, i] == s:
                        chosen[i] = p
                used[s] += 1


@compiled
def _give_the_rest(slots: Ints, cost: Costs, chosen: Ints, used: Counts, k: int) -> None:
    """Suppress the remaining records entirely, with others added if they are fewer than k."""
    last, rows = slots.shape[0] - 1, slots.shape[1]
    everything = slots[last, 0]
    for i in range(rows):
        if chosen[i] < 0:
            chosen[i] = last
            used[everything] += 1
    while 0 < used[everything] < k:
        # The dearest record of a slot that can spare one, otherwise the first record with its slot.
        best = -1
        for i in range(rows):
            spared = chosen[i] != last and used[slots[chosen[i], i]] > k
            if spared and (best < 0 or cost[chosen[i]] > cost[chosen[best]]):
                best = i
        if best >= 0:
            used[slots[chosen[best], best]] -= 1
            chosen[best] = last
            used[everything] += 1
            continue
        first = 0
        while chosen[first] == last:
            first += 1
        gone = slots[chosen[first], first]
        for i in range(rows):
            if chosen[i] != last and slots[chosen[i], i] == gone:
                chosen[i] = last
                used[everything] += 1
        used[gone] = 0
