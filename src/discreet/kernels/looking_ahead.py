"""Searches made ahead of time, by several threads, for records around which groups will soon form.

Records only ever leave the tree. So a list of the nearest records, or of the farthest, stays right:
those of it that are still there are the nearest of all that are still there, as long as enough of
them are. Who looks ahead in vain loses time but never gets another answer, so that groups do not
depend on how far ahead somebody looked, nor on how many threads did.

One thread forms groups. The others make the lists that it will need soonest, for the next few
records of a queue, and make those again of which records have left. The former never waits: while
another thread still makes the list that it needs, it makes another that it will need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from types import TracebackType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.claims import CLAIMED, DONE, change, state_of
from discreet.kernels.compiling import at_hand, inner
from discreet.kernels.cores import cores
from discreet.kernels.kdtree import NOBODY, Tree, for_thread
from discreet.kernels.kdtree_leaves import before

Records = NDArray[np.int64]
Labels = NDArray[np.int64]

PATIENCE = 2_000
"""How often a thread finds nothing to do before it gives up: for a millisecond or so."""


WORTH_COMPILING = 100_000
"""Records from which on it pays to compile the looking ahead, which takes seconds."""


def threads_for(records: int, make_lists: Callable[..., None]) -> int:
    """Return how many threads should group so many records; the groups are the same."""
    return cores() if records >= WORTH_COMPILING or at_hand(make_lists) else 1


class Lists(Protocol):
    """Lists that several threads make."""

    @property
    def states(self) -> Records:
        """Whether each is made, and last, CLAIMED as long as lists are needed."""


class Crew:
    """Threads beside the one that forms groups."""

    def __init__(self, threads: int) -> None:
        self._others = threads - 1
        self._pool = ThreadPoolExecutor(threads)
        self.each = self._pool.map

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    @contextmanager
    def looking_ahead(
        self,
        make_lists: Callable[..., None],
        tree: Tree,
        points: NDArray[np.float64],
        labels: Labels,
        ahead: Lists,
    ) -> Iterator[None]:
        """While this lasts, the other threads make lists, with working space of their own.

        They go on as long as the last of the states is CLAIMED.
        """
        last = len(ahead.states) - 1
        looks = [
            self._pool.submit(make_lists, for_thread(tree), points, labels, ahead, last)
            for _ in range(self._others)
        ]
        try:
            yield
        finally:
            ahead.states[last] = DONE
            wait(looks)
        for done in looks:
            done.result()


@inner
def left_of(records: Records, labels: Labels) -> int:
    """How many of a list have no group yet."""
    left = 0
    for record in records:
        if record != NOBODY and labels[record] < 0:
            left += 1
    return left


@inner
def claim(states: Records, at: int, records: Records, enough: int, labels: Labels) -> bool:
    """Claim to make a list, if nobody has or if it has not enough records any more."""
    state = state_of(states, at)
    if state == CLAIMED or (state == DONE and left_of(records, labels) >= enough):
        return False
    return bool(change(states, at, state, CLAIMED))


@inner
def sort_list(keys: NDArray[np.float64], records: Records) -> None:
    """Put a list that a search returned in its order."""
    for m in range(1, len(keys)):
        key, record, at = keys[m], records[m], m
        while at > 0 and before(key, record, keys[at - 1], records[at - 1]):
            keys[at], records[at] = keys[at - 1], records[at - 1]
            at -= 1
        keys[at], records[at] = key, record
