"""Simple random samples without replacement from strata of a file that is read in stretches.

How many records of each stratum a stretch gives is drawn first, stretch by stretch, from
hypergeometric distributions; which of them, when the stretch is read. Together that is a simple
random sample of each stratum, and a file in memory gives the same one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.contracts.passes import STRETCH, stretches
from discreet.errors import DataError

MOST = 10**9
"""NumPy draws hypergeometric numbers for fewer records than this."""


@dataclass(frozen=True, eq=False)
class SimpleSample:
    """How many records of each stratum the stretches of a file give to a sample.

    >>> sample = SimpleSample.of([np.array([7])], np.array([3]), Context(), "sample")
    >>> len(sample.rows(np.zeros(7, dtype=np.int64), Context(), 0))
    3
    """

    given: tuple[NDArray[np.int64], ...]
    use: str

    @classmethod
    def of(
        cls,
        counts: Iterable[NDArray[np.int64]],
        wanted: NDArray[np.int64],
        context: Context,
        use: str,
    ) -> SimpleSample:
        """Share out the records that are wanted of each stratum, given its counts by stretch."""
        there = list(counts)
        rest = np.sum(there, axis=0) if there else np.zeros(len(wanted), dtype=np.int64)
        if rest.max(initial=0) >= MOST:
            raise DataError(
                f"a sample is drawn from strata of fewer than {MOST:,} records, but one has "
                f"{int(rest.max()):,}; name strata that are smaller"
            )
        generator = context.generator(f"{use}: shares")
        left, given = wanted.copy(), []
        for number, count in enumerate(there, start=1):
            rest = rest - count
            # What the last stretch gives is what is left.
            share = left if number == len(there) else generator.hypergeometric(count, rest, left)
            given.append(np.asarray(share, dtype=np.int64))
            left = left - share
        return cls(tuple(given), use)

    def rows(self, strata: NDArray[np.int64], context: Context, first: int) -> NDArray[np.int64]:
        """Return which of some rows are drawn; they begin with row `first`, at a stretch.

        `strata` numbers the stratum of each row.
        """
        chosen = [np.zeros(0, dtype=np.int64)]
        parts = stretches(context, self.use, first, len(strata))
        for number, (place, generator) in enumerate(parts, start=first // STRETCH):
            chosen.append(place.start + _drawn(strata[place], self.given[number], generator))
        return np.concatenate(chosen)


def _drawn(
    strata: NDArray[np.int64], wanted: NDArray[np.int64], generator: np.random.Generator
) -> NDArray[np.int64]:
    """Draw from every stratum its first records in a random order of all."""
    sizes = np.bincount(strata, minlength=len(wanted))
    order = generator.permutation(len(strata))
    order = order[np.argsort(strata[order], kind="stable")]
    place = np.arange(len(strata)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.asarray(np.sort(order[place < np.repeat(wanted, sizes)]))
