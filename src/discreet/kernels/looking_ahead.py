"""Searches made ahead of time, by several threads, for records around which groups will soon form.

Records only ever leave the tree. So a list of the nearest records, or of the farthest, stays
correct: those of its records that are still there are the nearest of all that are still there, as
long as enough of them are. Looking ahead in vain loses time but never changes an answer, so groups
do not depend on how far ahead a thread looked, nor on how many threads did.

One thread forms groups. The others make the lists that it will need soonest, for the next few
records of a queue, and remake lists that have lost records. The first thread never waits: while
another is still making the list that it needs, it makes another that it will need.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from types import TracebackType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.claims import CLAIMED, DONE, change, state_of
from discreet.kernels.compiling import at_hand, inner
from discreet.kernels.cores import cores, together
from discreet.kernels.kdtree import NOBODY, Tree, for_thread

Records = NDArray[np.int64]
Labels = NDArray[np.int64]

LOOKS = 5
"""How many times a thread finds nothing to do before it pauses."""
PAUSE = 1e-4
"""The length of a pause in seconds, in which some five groups form."""

WORTH_COMPILING = 100_000
"""From this many records on it pays to compile the looking ahead, which takes seconds."""


def threads_for(records: int, make_lists: Callable[..., None]) -> int:
    """Return how many threads should group this many records; the groups are the same."""
    return cores() if records >= WORTH_COMPILING or at_hand(make_lists) else 1


class Lists(Protocol):
    """Lists that several threads make."""

    @property
    def states(self) -> Records:
        """Whether each is made, and last, CLAIMED as long as lists are needed."""


class Crew:
    """Threads in addition to the one that forms groups."""

    def __init__(self, threads: int) -> None:
        self._others = threads - 1
        self._pool = ThreadPoolExecutor(self._others)
        self._looks: list[Future[None]] = []
        self.each = together(self._pool, self._others)

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown()
        if error is None:
            self._raise_what_failed()

    def _raise_what_failed(self) -> None:
        ended = [look for look in self._looks if look.done()]
        self._looks = [look for look in self._looks if look not in ended]
        for look in ended:
            look.result()

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

        They go on as long as the last of the states is CLAIMED, with a pause whenever there is
        nothing to do: one that kept looking would take the core from threads that have work. At the
        end nobody waits until they have made their last lists, which change nothing else.
        """
        self._raise_what_failed()
        last = len(ahead.states) - 1
        ended = threading.Event()

        def look() -> None:
            own_tree = for_thread(tree)
            while ahead.states[last] == CLAIMED:
                make_lists(own_tree, points, labels, ahead, last)
                ended.wait(PAUSE)

        self._looks += [self._pool.submit(look) for _ in range(self._others)]
        try:
            yield
        finally:
            ahead.states[last] = DONE
            ended.set()


@inner
def left_of(records: Records, labels: Labels) -> int:
    """How many records of a list have no group yet."""
    left = 0
    for record in records:
        if record != NOBODY and labels[record] < 0:
            left += 1
    return left


@inner
def claim(states: Records, at: int, records: Records, enough: int, labels: Labels) -> bool:
    """Claim a list for making, if it is unclaimed or no longer has enough records."""
    state = state_of(states, at)
    if state == CLAIMED or (state == DONE and left_of(records, labels) >= enough):
        return False
    return bool(change(states, at, state, CLAIMED))
