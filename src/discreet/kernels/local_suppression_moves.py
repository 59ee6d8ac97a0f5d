"""Local suppression: moves that may reduce the suppressed cells, and how they are undone.

- join: a record leaves a slot that can spare it for a cheaper one that is in use;
- dissolve: all records of a slot go to other slots in use;
- open: an unused slot is opened by the records that gain from it and, if these are fewer than k, by
  those that lose least. A slot that is left with fewer than k is dissolved or refilled,
  whichever costs less.

Whole numbers are passed as int64 throughout, and truth values as np.bool_. Each further type,
even that of a constant, would make a kernel and everything it calls compile once more, which took
longer than most searches.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled
from discreet.kernels.local_suppression_start import Index, State

Marks = NDArray[np.bool_]

WIDEST = 4096
"""Slots of more records than this are not opened by a move: checking them all takes long."""

LEAST = 1e-9
"""A saving below this counts as none: costs are sums of rounded numbers."""


@compiled
def cheapest(state: State, i: Index, avoid: Index) -> Index:
    """Return the cheapest pattern that puts a record into another slot in use, or −1."""
    for p in range(state.slots.shape[0]):
        s = np.int64(state.slots[p, i])
        if s >= 0 and s != avoid and state.used[s] >= state.k:
            state.work[0] += p
            return p
    state.work[0] += state.slots.shape[0]
    return -1


@compiled
def move(state: State, i: Index, pattern: Index) -> None:
    """Give a record another pattern, and remember which one it had."""
    n = state.moves[0]
    state.moved[n], state.before[n] = i, state.chosen[i]
    state.moves[0] = n + 1
    state.total[0] += state.cost[pattern] - state.cost[state.chosen[i]]
    _put(state, i, pattern)


@compiled
def _put(state: State, i: Index, pattern: Index) -> None:
    away, place, aways = state.away, state.place, state.aways
    old = state.chosen[i]
    state.used[state.slots[old, i]] -= 1
    state.chosen[i] = pattern
    state.used[state.slots[pattern, i]] += 1
    if pattern == state.home[i] and old != pattern:
        aways[0] -= 1
        last = away[aways[0]]
        away[place[i]] = last
        place[last] = place[i]
    elif old == state.home[i] and old != pattern:
        away[aways[0]] = i
        place[i] = aways[0]
        aways[0] += 1


@compiled
def take_back(state: State, mark: Index, total: float) -> None:
    """Undo the moves since there were `mark` of them, when the total was as given."""
    while state.moves[0] > mark:
        state.moves[0] -= 1
        n = state.moves[0]
        _put(state, np.int64(state.moved[n]), np.int64(state.before[n]))
    state.total[0] = total


@compiled
def joined(state: State, i: Index) -> None:
    """Join: move a record to a cheaper slot in use, if its own can spare it."""
    slot = np.int64(state.slots[state.chosen[i], i])
    if state.used[slot] > state.k:
        p = cheapest(state, i, slot)
        if p >= 0 and state.cost[p] < state.cost[state.chosen[i]] - LEAST:
            move(state, i, p)


@compiled
def dissolved(state: State, i: Index) -> None:
    """Dissolve the slot of a record, if that lowers the total."""
    mark, total = state.moves[0], state.total[0]
    pattern = np.int64(state.chosen[i])
    done = emptied(state, np.int64(state.slots[pattern, i]), pattern)
    if not done or state.total[0] >= total - LEAST:
        take_back(state, mark, total)


@compiled
def opened_for(state: State, i: Index, tried: Marks) -> None:
    """Open the first slot for a record that is neither used nor tried and lowers the total."""
    p = np.int64(0)
    while state.cost[p] < state.cost[state.chosen[i]] - LEAST:
        s = np.int64(state.slots[p, i])
        enough = s >= 0 and state.starts[s + 1] - state.starts[s] >= state.k
        if enough and state.used[s] == 0 and not tried[s]:
            tried[s] = True
            mark, total = state.moves[0], state.total[0]
            if opened(state, s, p, 0.0) and state.total[0] < total - LEAST:
                return
            take_back(state, mark, total)
        p += 1


@compiled
def emptied(state: State, s: Index, pattern: Index) -> bool:
    """Move all records of a slot to others in use; return whether they all could."""
    state.work[0] += state.starts[s + 1] - state.starts[s]
    for at in range(state.starts[s], state.starts[s + 1]):
        i = np.int64(state.records[at])
        if state.chosen[i] == pattern:
            p = cheapest(state, i, s)
            if p < 0:
                return False
            move(state, i, p)
    return True


@compiled
def opened(state: State, s: Index, pattern: Index, rise: float) -> bool:
    """Open an unused slot, whose members may cost `rise` more; return whether that was possible."""
    start, end = state.starts[s], state.starts[s + 1]
    chosen, cost, records, k = state.chosen, state.cost, state.records, state.k
    if not k <= end - start <= WIDEST:
        return False
    state.work[0] += end - start
    limit, mark = state.total[0] + rise, state.moves[0]
    for at in range(start, end):
        i = np.int64(records[at])
        if cost[chosen[i]] > cost[pattern] + LEAST:
            move(state, i, pattern)
    return _filled(state, s, pattern, limit, np.bool_(True)) and settled(state, mark)


@compiled
def _filled(state: State, s: Index, pattern: Index, limit: float, breaking: np.bool_) -> bool:
    """Move records into a slot until it has k, starting with those that lose least.

    They come from slots that can spare them; if there are none and `breaking`, also from others,
    which must be settled afterwards. Return whether there were enough before the total reached a
    limit.
    """
    chosen, cost = state.chosen, state.cost
    while state.used[s] < state.k:
        state.work[0] += state.starts[s + 1] - state.starts[s]
        best, best_spared = np.int64(-1), False
        for at in range(state.starts[s], state.starts[s + 1]):
            i = np.int64(state.records[at])
            spared = state.used[state.slots[chosen[i], i]] > state.k
            if chosen[i] == pattern or not (spared or (breaking and not best_spared)):
                continue
            if best < 0 or spared > best_spared or cost[chosen[i]] > cost[chosen[best]]:
                best, best_spared = i, spared
        if best < 0 or state.total[0] >= limit:
            return False
        move(state, best, pattern)
    return True


@compiled
def settled(state: State, mark: Index) -> bool:
    """Empty or fill the slots that the moves since a mark left with fewer than k records.

    Whichever costs less; return whether either was possible.
    """
    for n in range(mark, state.moves[0]):
        pattern = np.int64(state.before[n])
        left = np.int64(state.slots[pattern, state.moved[n]])
        if not 0 < state.used[left] < state.k:
            continue
        moves, total = state.moves[0], state.total[0]
        could = emptied(state, left, pattern)
        least = state.total[0] if could else np.inf
        take_back(state, moves, total)
        narrow = state.starts[left + 1] - state.starts[left] <= WIDEST
        if (
            narrow
            and _filled(state, left, pattern, least, np.bool_(False))
            and state.total[0] <= least
        ):
            continue
        take_back(state, moves, total)
        if not could:
            return False
        emptied(state, left, pattern)
    return True
