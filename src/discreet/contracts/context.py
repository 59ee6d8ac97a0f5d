"""Context: what a computation receives besides the data."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from discreet.contracts.accounting import Accounting
from discreet.contracts.progress import Advance, Progress
from discreet.contracts.randomness import Randomness
from discreet.contracts.sharing import Shared

if TYPE_CHECKING:
    from discreet.microdata import Microdata

T = TypeVar("T")


@dataclass(frozen=True)
class Context:
    """The generators and the progress display of one piece of work.

    `path` names the piece, so that each step, and each use within it, has its own random numbers.
    `shared` keeps results that several parts of the work need, such as the search for the nearest
    originals that several measures ask for; if it is None, nothing is kept. `control` has the
    records that were held back from the method, for measures that compare with them. `accounting`
    says what the steps of a release spend of its privacy, for the measure that states it. A risk
    that is above `enough` need not be known more exactly. `asked` names the measures that are
    taken together, so that one can find on its way what another needs.
    """

    randomness: Randomness = field(default_factory=Randomness)
    progress: Progress = field(default_factory=Progress)
    path: tuple[str | int, ...] = ()
    shared: Shared | None = field(default=None, repr=False, compare=False)
    control: Microdata | None = field(default=None, repr=False, compare=False)
    accounting: Accounting | None = field(default=None, repr=False, compare=False)
    enough: float | None = None
    asked: frozenset[str] = frozenset()

    def sharing(self) -> Context:
        """Return a context whose parts share the results of `once`."""
        return replace(self, shared=Shared())

    def once(self, key: Hashable, work: Callable[[], T]) -> T:
        """Return the result of some work, which is done once for all parts that share it.

        >>> context = Context().sharing()
        >>> context.once("sum", lambda: 1 + 1), context.within("part").once("sum", lambda: 0)
        (2, 2)
        """
        return work() if self.shared is None else self.shared.once(key, work)

    def forget(self) -> None:
        """Release a shared result that no other part of the work will ask for."""
        if self.shared is not None:
            self.shared.clear()

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
