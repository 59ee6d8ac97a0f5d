"""The searches of MDAV around the next records, made ahead of time by several threads.

See `discreet.kernels.looking_ahead`: lists stay right while records leave.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from discreet.kernels.apart import address, call, kind_of
from discreet.kernels.claims import CLAIMED, DONE, OPEN, change, state_of
from discreet.kernels.compiling import compiled, in_place, inner
from discreet.kernels.kdtree import NOBODY, Tree, steps_from_record
from discreet.kernels.kdtree_leaves import before
from discreet.kernels.looking_ahead import LOOKS, Labels, Records, claim, left_of

SPARE = 2
"""Records that a list of the nearest has beyond a group: earlier groups will take some of them."""


class Ahead(NamedTuple):
    """Lists for the Q records of a queue, around which groups will form in about this order."""

    queue: Records  # (Q,)
    reached: Records  # (1,) all records before this one have a group
    window: int  # for how many of the next records lists are made
    make_lists: int  # the address of its code
    far: Records  # (Q, 1) the farthest from each: two take four tenths longer, and rarely serve
    opposite: Records  # (Q,) who will probably be the farthest when its turn has come
    centre: Records  # (2Q,) the records of the queue, and one that may be opposite to each
    near: Records  # (2Q, k - 1 + SPARE) the nearest to these, the nearest first
    states: Records  # (3Q + 1,) of the lists of far and of near records, and CLAIMED to the end


def look_ahead_to(queue: Records, k: int, window: int) -> Ahead:
    """Return the lists of some records, none of them made yet."""
    count = len(queue)
    return Ahead(
        queue,
        np.zeros(1, np.int64),
        window,
        make_lists=0,
        far=np.full((count, 1), NOBODY),
        opposite=np.full(count, NOBODY),
        centre=np.append(queue, np.full(count, NOBODY)),
        near=np.full((2 * count, k - 1 + SPARE), NOBODY),
        states=np.append(np.full(3 * count, OPEN, np.int64), CLAIMED),
    )


@in_place
def _put_in_order(keys: NDArray[np.float64], records: Records) -> None:
    """Put a list that a search returned in its order."""
    for m in range(1, len(keys)):
        key, record, at = keys[m], records[m], m
        while at > 0 and before(key, record, keys[at - 1], records[at - 1]):
            keys[at], records[at] = keys[at - 1], records[at - 1]
            at -= 1
        keys[at], records[at] = key, record


@inner
def _in_window(ahead: Ahead, record: int) -> int:
    """The place of a record in the queue, or -1 if it is not one of the next."""
    first = ahead.reached[0]
    for at in range(first, min(first + ahead.window, len(ahead.queue))):
        if ahead.queue[at] == record:
            return at
    return -1


@in_place
def _likely_opposite(ahead: Ahead, at: int, labels: Labels) -> int:
    """The record that will be farthest from this one when those before it have taken theirs."""
    record = ahead.far[at, 0]
    if record == NOBODY or labels[record] >= 0:
        return NOBODY
    for earlier in range(ahead.reached[0], at):
        if ahead.opposite[earlier] == record:
            return NOBODY
    return int(record)


@inner
def _claim_next(ahead: Ahead, labels: Labels) -> int:
    """Claim the list that is needed soonest among the unclaimed ones, or return -1."""
    count, size = len(ahead.queue), ahead.near.shape[1] - SPARE
    first = ahead.reached[0]
    for at in range(first, min(first + ahead.window, count)):
        if labels[ahead.queue[at]] >= 0:
            continue
        if claim(ahead.states, at, ahead.far[at], 1, labels):
            return at
        if claim(ahead.states, count + at, ahead.near[at], size, labels):
            return count + at
        opposite = NOBODY
        if state_of(ahead.states, at) == DONE:
            opposite = _likely_opposite(ahead, at, labels)
        if opposite == NOBODY:
            continue
        ahead.opposite[at] = opposite
        row = _in_window(ahead, opposite)
        if row < 0:
            row = count + at
        # the list of another record is of no use, whatever it contains
        enough = size if ahead.centre[row] == opposite else size + SPARE + 1
        if claim(ahead.states, count + row, ahead.near[row], enough, labels):
            ahead.centre[row] = opposite
            return count + row
    return -1


@compiled
def make_lists(
    tree: Tree,
    points: NDArray[np.float64],
    labels: Labels,
    ahead: Ahead,
    until: int,
) -> None:
    """Make lists while some thread has a claim on a certain one, and there are others to make."""
    count = len(ahead.queue)
    patience = 1 if until < 3 * count else LOOKS
    far_keys, near_keys = np.empty(1), np.empty(ahead.near.shape[1])
    idle = 0
    while idle < patience and state_of(ahead.states, until) == CLAIMED:
        task = _claim_next(ahead, labels)
        idle = idle + 1 if task < 0 else 0
        if task >= count:
            row = task - count
            centre = ahead.centre[row : row + 1]
            call(tree.nearest, tree, points[centre[0]], near_keys, ahead.near[row], centre)
            _put_in_order(near_keys, ahead.near[row])
        elif task >= 0:
            centre = ahead.queue[task : task + 1]
            steps_from_record(tree, points[centre[0]])
            call(tree.farthest, tree, points[centre[0]], far_keys, ahead.far[task])
        if task >= 0:
            change(ahead.states, task, CLAIMED, DONE)


def callable_lists(ahead: Ahead, tree: Tree) -> Ahead:
    """Return the lists for a kernel that makes some of them by `call(ahead.make_lists, ...)`."""
    points, labels = types.float64[:, ::1], types.int64[::1]
    where = address(make_lists, kind_of(tree), points, labels, kind_of(ahead), types.int64)
    return ahead._replace(make_lists=where)


@in_place
def place_in_queue(ahead: Ahead, record: int, labels: Labels) -> int:
    """The position in the queue of the next record around which a group forms, or -1."""
    first = ahead.reached[0]
    while first < len(ahead.queue) and labels[ahead.queue[first]] >= 0:
        first += 1
    ahead.reached[0] = first
    for at in range(first, len(ahead.queue)):
        if ahead.queue[at] == record:
            return at
    return -1


@in_place
def row_around(ahead: Ahead, at: int, record: int) -> int:
    """Where the nearest to a record may be listed: for one in the queue, or opposite to one."""
    if ahead.centre[len(ahead.queue) + at] == record:
        return len(ahead.queue) + at
    return at if ahead.queue[at] == record else _in_window(ahead, record)


@inner
def nearest_listed(ahead: Ahead, row: int, record: int, labels: Labels, others: Records) -> bool:
    """Fill `others` with the nearest to a record, if a list says so."""
    task = len(ahead.queue) + row
    made = bool(change(ahead.states, task, DONE, CLAIMED))  # no other thread touches it from now on
    if not made:
        change(ahead.states, task, OPEN, CLAIMED)
    if not made or ahead.centre[row] != record or left_of(ahead.near[row], labels) < len(others):
        return False
    m = 0
    for other in ahead.near[row]:
        if m < len(others) and labels[other] < 0:
            others[m] = other
            m += 1
    return True


@in_place
def farthest_listed_from(ahead: Ahead, at: int, labels: Labels) -> int:
    """The record left that is farthest from one in the queue, if a list says so, else NOBODY."""
    if change(ahead.states, at, DONE, CLAIMED):
        record = ahead.far[at, 0]
        if record != NOBODY and labels[record] < 0:
            return int(record)
    return NOBODY
