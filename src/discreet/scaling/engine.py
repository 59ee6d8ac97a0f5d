"""Where the tasks of a large file run: in this process, or on the workers of a Dask cluster.

A task is a function of its arguments and of files that nobody changes; it writes files of its
own. So a task that was lost with its worker can be run again without changing the outcome.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from discreet.contracts import Progress

WORTH_SAYING = 20.0
"""Seconds of remaining work that are worth reporting."""

A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True)
class Stage:
    """A stage of the work: what it does, how often it reads the data, and what that takes.

    `seconds` are of one core; `disk` are the bytes that it leaves, `passing` those that it takes
    besides while it lasts.
    """

    title: str
    passes: int
    seconds: float
    disk: int
    passing: int = 0


def duration(seconds: float) -> str:
    """Return a time in words.

    >>> duration(75), duration(4000)
    ('75 s', '67 min')
    """
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


class Engine:
    """Runs tasks in this process, one after another; each uses all cores if it can.

    >>> Engine().map(abs, [-1, 2], "counting")
    [1, 2]
    """

    def __init__(self, progress: Progress | None = None) -> None:
        self.progress = Progress() if progress is None else progress
        self.stages: list[tuple[str, float]] = []
        """What was done, and the seconds that it took."""
        self._started = time.monotonic()
        self._expected: list[Stage] = []
        self._begun = 0

    def expect(self, stages: Sequence[Stage]) -> None:
        """State the stages of the work, so that each can say how much time is left."""
        self._expected = list(stages)

    def begin(self) -> None:
        """Say that the next stage begins, and how long the rest will take.

        The estimate extrapolates from the time of the stages so far and their share of the total.
        """
        done, rest = self._expected[: self._begun], self._expected[self._begun :]
        self._begun += 1
        if not rest:
            return
        before, after = (sum(stage.seconds for stage in part) for part in (done, rest))
        elapsed = time.monotonic() - self._started
        left = elapsed * after / before if before else after
        if left > WORTH_SAYING:
            self.progress.say(
                f"stage {self._begun} of {len(self._expected)} ({rest[0].title}); about "
                f"{duration(left)} left"
            )

    @property
    def described(self) -> str:
        """Where it runs, in a few words."""
        return "on this machine"

    @property
    def at_once(self) -> int:
        """How many tasks share the memory."""
        return 1

    def map(self, function: Callable[[A], B], tasks: Sequence[A], label: str) -> list[B]:
        """Return the outcome of each task, in their order, and show how far it has come."""
        started = time.monotonic()
        with self.progress.task(label, len(tasks)) as advance:
            outcome = self.run(function, tasks, lambda: advance(1))
        self.stages.append((label, time.monotonic() - started))
        return outcome

    def run(
        self, function: Callable[[A], B], tasks: Sequence[A], done: Callable[[], None]
    ) -> list[B]:
        """Return the outcome of each task; `done` is called after each."""
        outcome = []
        for task in tasks:
            outcome.append(function(task))
            done()
        return outcome

    def closing(self, records: int) -> str:
        """Say how long the work on this many records took, its passes and its longest stages."""
        longest = sorted(self.stages, key=lambda stage: -stage[1])[:3]
        listed = ", ".join(f"{label} {seconds:.0f} s" for label, seconds in longest)
        whole = time.monotonic() - self._started
        passes = sum(stage.passes for stage in self._expected)
        over = f" and {passes} passes over the data" if passes else ""
        return f"{records:,} records {self.described}, in {whole:.0f} s{over} ({listed})"
