"""The searches of V-MDAV around the next records, made ahead of time by several threads.

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
from discreet.kernels.kdtree import NOBODY, Tree
from discreet.kernels.kdtree_leaves import before
from discreet.kernels.looking_ahead import LOOKS, Labels, Records, claim, left_of


class Ahead(NamedTuple):
    """Lists for the Q records of a queue, around which groups will form in this order."""

    queue: Records  # (Q,)
    reached: Records  # (1,) the position of the one around which a group forms
    window: int  # for how many of the next records lists are made
    grows: bool  # whether groups may grow
    make_lists: int  # the address of its code
    near: Records  # (Q, k - 1) the nearest to each
    group: Records  # (Q, k) each and its nearest
    outside: Records  # (Q, k + 1) the nearest to each member, and last that to the nearest of these
    gaps: NDArray[np.float64]  # (Q, k + 1) their squared distances
    states: (
        Records  # (2Q + 1,) of the lists of the nearest, and of those outside; CLAIMED to the end
    )


def look_ahead_to(queue: Records, k: int, window: int, grows: bool) -> Ahead:
    """Return the lists of some records, none of them made yet."""
    count = len(queue)
    return Ahead(
        queue,
        np.zeros(1, np.int64),
        window,
        grows,
        make_lists=0,
        near=np.full((count, k - 1), NOBODY),
        group=np.full((count, k), NOBODY),
        outside=np.full((count, k + 1), NOBODY),
        gaps=np.empty((count, k + 1)),
        states=np.append(np.full(2 * count, OPEN, np.int64), CLAIMED),
    )


@inner
def closest_member(gaps: NDArray[np.float64], near: Records, size: int) -> int:
    """The member of a group to which a record outside of it is closest."""
    best = 0
    for m in range(1, size):
        if before(gaps[m], near[m], gaps[best], near[best]):
            best = m
    return best


@inner
def _is_around(ahead: Ahead, at: int, seed: int, others: Records) -> bool:
    """Whether the list of what is nearest to a group is about this group."""
    same = ahead.group[at, 0] == seed
    for m in range(len(others)):
        same &= ahead.group[at, m + 1] == others[m]
    return bool(same)


@inner
def _claim_next(ahead: Ahead, labels: Labels) -> int:
    """Claim the list that is needed soonest among the unclaimed ones, or return -1."""
    count, size = len(ahead.queue), ahead.near.shape[1]
    first = ahead.reached[0]
    for at in range(first, min(first + ahead.window, count)):
        seed, near = ahead.queue[at], ahead.near[at]
        if labels[seed] >= 0:
            continue
        if claim(ahead.states, at, near, size, labels):
            return at
        if not ahead.grows or state_of(ahead.states, at) != DONE:
            continue
        # what is nearest to another group is of no use
        enough = size + 2 if _is_around(ahead, at, seed, near) else size + 3
        if claim(ahead.states, count + at, ahead.outside[at], enough, labels):
            if not _is_around(ahead, at, seed, near):
                ahead.group[at, 0] = seed
                for m in range(size):
                    ahead.group[at, m + 1] = near[m]
                for m in range(size + 2):
                    ahead.outside[at, m] = NOBODY
            if left_of(ahead.group[at], labels) > size:
                return count + at
            change(ahead.states, count + at, CLAIMED, OPEN)  # a record has just left
    return -1


@compiled
def make_lists(
    tree: Tree, points: NDArray[np.float64], labels: Labels, ahead: Ahead, until: int
) -> None:
    """Make lists while some thread has a claim on a certain one, and there are others to make."""
    count, k = len(ahead.queue), ahead.group.shape[1]
    patience = 1 if until < 2 * count else LOOKS
    keys, without = np.empty(k - 1), np.empty(k + 1, np.int64)
    idle = 0
    while idle < patience and state_of(ahead.states, until) == CLAIMED:
        task = _claim_next(ahead, labels)
        idle = idle + 1 if task < 0 else 0
        if task >= count:
            near, gaps = ahead.outside[task - count], ahead.gaps[task - count]
            for m in range(k):
                without[m] = ahead.group[task - count, m]
            before_last = near[closest_member(gaps, near, k)]
            for m in range(k):
                if left_of(near[m : m + 1], labels) == 0:
                    member, gap = near[m : m + 1], gaps[m : m + 1]
                    call(tree.nearest, tree, points[without[m]], gap, member, without[:k])
            last = near[closest_member(gaps, near, k)]
            if last != NOBODY and (last != before_last or left_of(near[k:], labels) == 0):
                without[k] = last
                call(tree.nearest, tree, points[last], gaps[k:], near[k:], without)
        elif task >= 0:
            seed = ahead.queue[task : task + 1]
            call(tree.nearest, tree, points[seed[0]], keys, ahead.near[task], seed)
        if task >= 0:
            change(ahead.states, task, CLAIMED, DONE)


def callable_lists(ahead: Ahead, tree: Tree) -> Ahead:
    """Return the lists for a kernel that makes some of them by `call(ahead.make_lists, ...)`."""
    points, labels = types.float64[:, ::1], types.int64[::1]
    where = address(make_lists, kind_of(tree), points, labels, kind_of(ahead), types.int64)
    return ahead._replace(make_lists=where)


@inner
def nearest_listed(ahead: Ahead, at: int, labels: Labels, others: Records) -> bool:
    """Fill `others` with the nearest to a record in the queue, if a list says so."""
    made = bool(change(ahead.states, at, DONE, CLAIMED))  # no other thread touches it from now on
    if not made:
        change(ahead.states, at, OPEN, CLAIMED)
    if not made or left_of(ahead.near[at], labels) < len(others):
        return False
    for m in range(len(others)):
        others[m] = ahead.near[at, m]
    return True


@in_place
def outside_is_listed(ahead: Ahead, at: int, group: Records) -> bool:
    """Whether there is a list of what was nearest to a group."""
    made = bool(change(ahead.states, len(ahead.queue) + at, DONE, CLAIMED))
    return made and _is_around(ahead, at, group[0], group[1:])
