"""Context: what a computation receives besides the data."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np

from discreet.contracts.progress import Advance, Progress
from discreet.contracts.randomness import Randomness


@dataclass(frozen=True)
class Context:
    """The generators and the progress display of one piece of work.

    `path` names the piece, so that each step, and each use within it, has its own random numbers.
    """

    randomness: Randomness = field(default_factory=Randomness)
    progress: Progress = field(default_factory=Progress)
    path: tuple[str | int, ...] = ()

    def within(self, *names: str | int) -> Context:
        """Return the context of a part of the work."""
        return replace(self, path=(*self.path, *names))

    def generator(self, use: str) -> np.random.Generator:
        """Return the generator for one use of random numbers, such as "noise"."""
        return self.randomness.generator(*self.path, use)

    @contextmanager
    def task(self, label: str, total: float) -> Iterator[Advance]:
        """Show the progress of a task; yields the function that reports it."""
        with self.progress.task(label, total) as advance:
            yield advance
