"""Fewest suppressed cells when a suppressed cell is a category of its own.

A pattern is a set of columns to suppress. Under each pattern the records fall into slots: those
that agree in all other columns. Suppression gives every record a pattern, and the slots that are
used must have at least k records with that very pattern. Finding the fewest cells that achieve this
is NP-hard (Meyerson & Williams 2004). Here a greedy pass from the cheapest pattern to the dearest,
largest slot first (local_suppression_start), is improved by moves until none of them helps, and
then by annealing.
"""

from __future__ import annotations

import numpy as np

from discreet.kernels.compiling import compiled
from discreet.kernels.local_suppression_moves import (
    LEAST,
    dissolved,
    emptied,
    joined,
    move,
    opened,
    opened_for,
    settled,
    take_back,
)
from discreet.kernels.local_suppression_start import State, start

__all__ = ["annealed", "improved", "start"]


@compiled
def improved(state: State, most: int) -> bool:
    """Go through all records once with the three moves, in place; return whether any helped.

    Dissolving or opening a slot is the same for all of its records, and is tried for the first of
    them only. So the last round, in which nothing changes, has tried every move. It ends early, and
    as the last one, when `most` records and patterns have been examined since the start.
    """
    before = state.total[0]
    tried = np.zeros(len(state.used), np.bool_)
    for i in range(state.slots.shape[1]):
        if state.chosen[i] != state.home[i] and state.work[0] < most:
            state.moves[0] = 0
            joined(state, i)
            slot = state.slots[state.chosen[i], i]
            if not tried[slot]:
                tried[slot] = True
                dissolved(state, i)
    tried[:] = False
    for i in range(state.slots.shape[1]):
        if state.chosen[i] != state.home[i] and state.work[0] < most:
            state.moves[0] = 0
            opened_for(state, i, tried)
    state.moves[0] = 0
    return bool(state.total[0] < before - LEAST and state.work[0] < most)


@compiled
def annealed(state: State, first: int, last: int, steps: int, warmth: float, most: int) -> None:
    """Take the steps from `first` to `last` of a search that may rise at first; the best is kept.

    A step takes a random record that has suppressed cells and a random pattern that is no dearer:
    the record moves to a slot in use, opens an unused one, or its own slot is dissolved. The step
    is kept if the total rises by less than a random amount, which is on average `warmth` times the
    cost of the cheapest cell and falls to zero towards the end. The random numbers are a fixed
    sequence: they steer the search and protect nothing. No step is taken once `most` records and
    patterns have been examined since the start.
    """
    best, least = state.chosen.copy(), state.total[0]
    cheapest = state.cost[min(1, len(state.cost) - 1)]
    seed = np.uint64(88172645463325252) + np.uint64(first)
    for step in range(first, last):
        if state.aways[0] == 0 or state.work[0] >= most:
            break
        seed = _next(seed)
        i = np.int64(state.away[seed % np.uint64(state.aways[0])])
        seed = _next(seed)
        state.moves[0] = 0
        before = state.total[0]
        reach = state.chosen[i] + 1
        while reach < len(state.cost) and state.cost[reach] <= state.cost[state.chosen[i]] + LEAST:
            reach += 1
        p = np.int64(seed % np.uint64(reach))
        s = np.int64(state.slots[p, i])
        done = False
        if p == state.chosen[i]:
            done = emptied(state, s, p)
        elif s >= 0 and state.used[s] == 0:
            done = opened(state, s, p, np.inf)
        elif s >= 0:
            move(state, i, p)
            done = settled(state, np.int64(0))
        for n in range(state.moves[0] if done else 0):
            joined(state, np.int64(state.moved[n]))
        seed = _next(seed)
        chance = (np.float64(seed >> np.uint64(11)) + 1.0) / 9007199254740993.0
        rise = -np.log(chance) * warmth * cheapest * (1.0 - step / steps)
        if not done or state.total[0] > before + rise:
            take_back(state, np.int64(0), before)
        elif state.total[0] < least - LEAST:
            for j in range(len(best)):
                best[j] = state.chosen[j]
            least = state.total[0]
    for j in range(len(best)):
        state.moves[0] = 0
        if best[j] != state.chosen[j]:
            move(state, j, np.int64(best[j]))
    state.moves[0] = 0
    state.total[0] = least


@compiled
def _next(seed: np.uint64) -> np.uint64:
    """Return the next number of a xorshift sequence (Marsaglia 2003)."""
    seed ^= seed << np.uint64(13)
    seed ^= seed >> np.uint64(7)
    return seed ^ (seed << np.uint64(17))
