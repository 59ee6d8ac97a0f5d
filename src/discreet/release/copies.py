"""Several releases by one random method, for inference that combines them.

Multiple imputation releases M synthetic data sets, and an analyst combines their results
(`discreet.models.combining`). Each is a separate release, with a seed derived from a common one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from discreet.contracts import Randomness, Seed
from discreet.errors import UsageError
from discreet.release.protecting import Steps, protect
from discreet.release.release import Release


def copies(
    data: Any, method: Steps, count: int = 5, seed: Seed = None, **options: Any
) -> list[Release]:
    """Return `count` releases of the same data by the same method, each with its own draws.

    `options` are those of `discreet.protect`. The same seed gives the same releases.

    >>> import discreet
    >>> age = list(range(20, 60))
    >>> data = discreet.read({"age": age, "pay": [50 * a for a in age]},
    ...                      roles={"age": "quasi-identifier"})
    >>> made = copies(data, "sequential-regression", 3, seed=1)
    >>> len(made), bool((made[0].data["age"] != made[1].data["age"]).any())
    (3, True)
    """
    refuse_held_back(options.get("hold_back"))
    return list(drawn(partial(protect, data, method, **options), count, seed))


def refuse_held_back(share: float | None) -> None:
    """Refuse copies that would each hold back other people."""
    if share is not None:
        raise UsageError(
            "each copy would hold back different records, so that together they would have seen "
            "everybody; leave out hold_back, or make a single release"
        )


def drawn(make: Callable[..., Release], count: int, seed: Seed = None) -> Iterator[Release]:
    """Yield this many releases one after another, each with its own seed.

    `make` takes the seed and the number of copies by these names, as `discreet.protect` and
    `Plan.run` do.
    """
    for copy_seed in seeds_of(count, seed):
        yield make(seed=copy_seed, copies=count)


def seeds_of(count: int, seed: Seed = None) -> list[Randomness]:
    """Return the seeds of this many copies, each derived from a common one.

    >>> seeds_of(2, seed=1)[0].reveal() == seeds_of(5, seed=1)[0].reveal()
    True
    """
    if count < 1:
        raise UsageError(f"the number of copies must be 1 or more, but {count} was given")
    root = Randomness.of(seed)
    return [root.derived("copy", number) for number in range(1, count + 1)]
