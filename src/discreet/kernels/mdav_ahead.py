"""What MDAV will look for around the next records, found ahead of time by other threads.

See `discreet.kernels.looking_ahead`: lists stay right while records leave.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.claims import CLAIMED, DONE, OPEN, change, state_of
from discreet.kernels.compiling import compiled, inner
from discreet.kernels.kdtree import NOBODY, Tree, steps_from_record
from discreet.kernels.looking_ahead import PATIENCE, Records, claim, left_of, sort_list
from discreet.kernels.neighbours import farthest, nearest

_OPPOSITES = 2
"""Farthest records that are listed: another group will often take the first."""


class Ahead(NamedTuple):
    """Lists for the Q records of a queue, around which groups will form in about this order."""

    queue: Records  # (Q,)
    reached: Records  # (1,) how many have a group, from the first on
    far: Records  # (Q, 2) the farthest from each, the farthest first
    near: Records  # (Q, k - 1) the nearest to each
    opposite: Records  # (Q,) who will probably be the farthest from each
    centre: Records  # (Q,) a record that was thought to be so
    around: Records  # (Q, k - 1) and the nearest to that one
    far_state: Records  # (Q,) whether these lists are made
    near_state: Records
    around_state: Records
    over: Records  # (1,) DONE when no list is needed any more
    window: int  # how many records of the queue lists are made for at a time


def look_ahead_to(queue: Records, k: int, window: int) -> Ahead:
    """Return the lists of some records, none of which is made."""
    count = len(queue)
    states = [np.full(size, OPEN, np.int64) for size in (count, count, count, 1)]
    lists = [np.full((count, size), NOBODY) for size in (_OPPOSITES, k - 1, k - 1)]
    return Ahead(
        queue,
        np.zeros(1, np.int64),
        lists[0],
        lists[1],
        np.full(count, NOBODY),
        np.full(count, NOBODY),
        lists[2],
        *states,
        window,
    )


@inner
def _list_nearest(
    tree: Tree, points: NDArray[np.float64], record: Records, near: Records
) -> None:
    nearest(tree, points[record[0]], np.empty(len(near)), near, record)


@inner
def _in_window(ahead: Ahead, record: int, first: int, last: int) -> int:
    """The place of a record in the queue, or -1 if it is not among the next ones."""
    for at in range(first, last):
        if ahead.queue[at] == record:
            return at
    return -1


@inner
def _likely_opposite(ahead: Ahead, at: int, first: int, labels: NDArray[np.int64]) -> int:
    """Who will be the farthest from a record, when those before it have taken theirs."""
    for record in ahead.far[at]:
        if record == NOBODY or labels[record] >= 0:
            continue
        taken = False
        for earlier in range(first, at):
            taken |= ahead.opposite[earlier] == record
        if not taken:
            return int(record)
    return NOBODY


@compiled
def make_a_list(
    tree: Tree, points: NDArray[np.float64], labels: NDArray[np.int64], ahead: Ahead
) -> bool:
    """Make the list that is needed soonest, if there is one that nobody makes."""
    k = ahead.near.shape[1] + 1
    first = ahead.reached[0]
    last = min(first + ahead.window, len(ahead.queue))
    for at in range(first, last):
        if labels[ahead.queue[at]] >= 0:
            continue
        seed = ahead.queue[at : at + 1]
        if claim(ahead.far_state, at, ahead.far[at], 1, labels):
            keys = np.empty(ahead.far.shape[1])
            steps_from_record(tree, points[seed[0]])
            farthest(tree, points[seed[0]], keys, ahead.far[at])
            sort_list(keys, ahead.far[at])
            change(ahead.far_state, at, CLAIMED, DONE)
            return True
        if claim(ahead.near_state, at, ahead.near[at], k - 1, labels):
            _list_nearest(tree, points, seed, ahead.near[at])
            change(ahead.near_state, at, CLAIMED, DONE)
            return True
        if state_of(ahead.far_state, at) != DONE:
            continue
        opposite = _likely_opposite(ahead, at, first, labels)
        if opposite == NOBODY:
            continue
        ahead.opposite[at] = opposite
        other = _in_window(ahead, opposite, first, last)
        if other >= 0:
            if claim(ahead.near_state, other, ahead.near[other], k - 1, labels):
                _list_nearest(tree, points, ahead.queue[other : other + 1], ahead.near[other])
                change(ahead.near_state, other, CLAIMED, DONE)
                return True
        else:
            enough = k - 1 if ahead.centre[at] == opposite else k
            if claim(ahead.around_state, at, ahead.around[at], enough, labels):
                ahead.centre[at] = opposite
                _list_nearest(tree, points, ahead.centre[at : at + 1], ahead.around[at])
                change(ahead.around_state, at, CLAIMED, DONE)
                return True
    return False


@compiled
def make_lists(
    tree: Tree, points: NDArray[np.float64], labels: NDArray[np.int64], ahead: Ahead
) -> None:
    """Make lists until none is needed any more, or there has long been none to make."""
    idle = 0
    while idle < PATIENCE and state_of(ahead.over, 0) != DONE:
        idle = 0 if make_a_list(tree, points, labels, ahead) else idle + 1


@inner
def place_in_queue(ahead: Ahead, record: int, labels: NDArray[np.int64]) -> int:
    """The place of a record in the queue, or -1; the one farthest from the average."""
    while ahead.reached[0] < len(ahead.queue) and labels[ahead.queue[ahead.reached[0]]] >= 0:
        ahead.reached[0] += 1
    return _in_window(ahead, record, ahead.reached[0], len(ahead.queue))


@inner
def _comes(
    tree: Tree,
    points: NDArray[np.float64],
    labels: NDArray[np.int64],
    ahead: Ahead,
    states: Records,
    at: int,
) -> bool:
    """Whether there is a list, which nobody else will touch any more.

    Until another thread has made it, this one makes others.
    """
    while True:
        if change(states, at, DONE, CLAIMED):
            return True
        if change(states, at, OPEN, CLAIMED):
            return False
        if not make_a_list(tree, points, labels, ahead):
            return False


@inner
def _take(near: Records, labels: NDArray[np.int64], group: NDArray[np.int64]) -> bool:
    if left_of(near, labels) < len(group):
        return False
    for m in range(len(group)):
        group[m] = near[m]
    return True


@inner
def nearest_ahead(
    tree: Tree,
    points: NDArray[np.float64],
    labels: NDArray[np.int64],
    ahead: Ahead,
    at: int,
    group: NDArray[np.int64],
) -> bool:
    """Fill the group of a record in the queue, but for the record, if its list can say it."""
    return _comes(tree, points, labels, ahead, ahead.near_state, at) and _take(
        ahead.near[at], labels, group
    )


@inner
def nearest_opposite(
    tree: Tree,
    points: NDArray[np.float64],
    labels: NDArray[np.int64],
    ahead: Ahead,
    at: int,
    opposite: int,
    group: NDArray[np.int64],
) -> bool:
    """The same for the record that is farthest from one in the queue."""
    if ahead.centre[at] == opposite:
        return (
            _comes(tree, points, labels, ahead, ahead.around_state, at)
            and ahead.centre[at] == opposite
            and _take(ahead.around[at], labels, group)
        )
    first = ahead.reached[0]
    other = _in_window(ahead, opposite, first, min(first + ahead.window, len(ahead.queue)))
    return other >= 0 and nearest_ahead(tree, points, labels, ahead, other, group)


@inner
def farthest_ahead(
    tree: Tree,
    points: NDArray[np.float64],
    labels: NDArray[np.int64],
    ahead: Ahead,
    at: int,
) -> int:
    """The record left that is farthest from one in the queue, if its list says so, else NOBODY."""
    if _comes(tree, points, labels, ahead, ahead.far_state, at):
        for record in ahead.far[at]:
            if record != NOBODY and labels[record] < 0:
                return int(record)
    return NOBODY
