"""What V-MDAV will look for around the next records, found ahead of time by several threads.

See `discreet.kernels.looking_ahead`: lists stay right while records leave.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.claims import CLAIMED, DONE, OPEN, change, state_of
from discreet.kernels.compiling import compiled, inner
from discreet.kernels.kdtree import NOBODY, Tree
from discreet.kernels.kdtree_leaves import before
from discreet.kernels.looking_ahead import PATIENCE, Records, claim, left_of
from discreet.kernels.neighbours import nearest


class Ahead(NamedTuple):
    """Lists for the Q records of a queue, around which groups will form in this order."""

    queue: Records  # (Q,)
    reached: Records  # (1,) how many of them have a group, or form one
    near: Records  # (Q, k - 1) the nearest to each
    group: Records  # (Q, k) each and its nearest
    outside: Records  # (Q, k + 1) who is nearest to each member, and last to the nearest of these
    gaps: NDArray[np.float64]  # (Q, k + 1) their squared distances
    near_state: Records  # (Q,) whether these lists are made
    outside_state: Records
    over: Records  # (1,) DONE when no list is needed any more
    window: int  # how many records of the queue lists are made for at a time
    grows: bool  # whether groups may grow


def look_ahead_to(queue: Records, k: int, window: int, grows: bool) -> Ahead:
    """Return the lists of some records, none of which is made."""
    count = len(queue)
    lists = (np.full((count, size), NOBODY) for size in (k - 1, k, k + 1))
    states = (np.full(size, OPEN) for size in (count, count, 1))
    reached, gaps = np.zeros(1, np.int64), np.empty((count, k + 1))
    return Ahead(queue, reached, *lists, gaps, *states, window, grows)


@inner
def _closest(gaps: NDArray[np.float64], near: Records, size: int) -> int:
    """The member of a group to which a record outside of it is closest."""
    best = 0
    for m in range(1, size):
        if before(gaps[m], near[m], gaps[best], near[best]):
            best = m
    return best


@inner
def _around_group(ahead: Ahead, at: int, group: Records) -> bool:
    """Whether what is nearest to a group is listed for these records."""
    same = True
    for m in range(len(group)):
        same &= ahead.group[at, m] == group[m]
    return same


@inner
def _look_outside(
    tree: Tree,
    points: NDArray[np.float64],
    labels: NDArray[np.int64],
    ahead: Ahead,
    at: int,
    group: Records,
) -> None:
    """List what is nearest to a group, and to the first that may join it, if not listed yet."""
    k = len(group)
    near, gaps = ahead.outside[at], ahead.gaps[at]
    if not _around_group(ahead, at, group):
        near[:] = NOBODY
        ahead.group[at] = group
    listed = NOBODY if near[k] == NOBODY else near[_closest(gaps, near, k)]
    for m in range(k):
        if near[m] == NOBODY or labels[near[m]] >= 0:
            nearest(tree, points[group[m]], gaps[m : m + 1], near[m : m + 1], group)
    first = near[_closest(gaps, near, k)]
    if first != NOBODY and (first != listed or labels[near[k]] >= 0):
        several = np.append(group, first)
        nearest(tree, points[first], gaps[k:], near[k:], several)


@compiled
def make_a_list(
    tree: Tree, points: NDArray[np.float64], labels: NDArray[np.int64], ahead: Ahead
) -> bool:
    """Make the list that is needed soonest, if there is one that nobody makes."""
    k = ahead.group.shape[1]
    first = ahead.reached[0]
    for at in range(first, min(first + ahead.window, len(ahead.queue))):
        seed = ahead.queue[at : at + 1]
        if labels[seed[0]] >= 0:
            continue
        near = ahead.near[at]
        if claim(ahead.near_state, at, near, k - 1, labels):
            nearest(tree, points[seed[0]], np.empty(k - 1), near, seed)
            change(ahead.near_state, at, CLAIMED, DONE)
            return True
        if not ahead.grows or state_of(ahead.near_state, at) != DONE:
            continue
        group = np.append(seed, near)
        if left_of(group, labels) < k:
            continue
        enough = k + 1 if _around_group(ahead, at, group) else k + 2
        if claim(ahead.outside_state, at, ahead.outside[at], enough, labels):
            _look_outside(tree, points, labels, ahead, at, group)
            change(ahead.outside_state, at, CLAIMED, DONE)
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
def nearest_ahead(
    tree: Tree,
    points: NDArray[np.float64],
    labels: NDArray[np.int64],
    ahead: Ahead,
    at: int,
    others: Records,
) -> bool:
    """Fill the group of a record in the queue, but for the record, if its list can say it."""
    if not _comes(tree, points, labels, ahead, ahead.near_state, at):
        return False
    if left_of(ahead.near[at], labels) < len(others):
        return False
    others[:] = ahead.near[at]
    return True


@inner
def outside_ahead(
    tree: Tree,
    points: NDArray[np.float64],
    labels: NDArray[np.int64],
    ahead: Ahead,
    at: int,
    group: Records,
) -> bool:
    """Whether it is listed what was nearest to a group."""
    return _comes(tree, points, labels, ahead, ahead.outside_state, at) and _around_group(
        ahead, at, group
    )


@inner
def closest_member(ahead: Ahead, at: int) -> int:
    """The member of a listed group to which a record outside of it is closest."""
    return _closest(ahead.gaps[at], ahead.outside[at], ahead.group.shape[1])
