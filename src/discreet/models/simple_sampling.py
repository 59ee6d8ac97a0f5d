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

from discreet.contracts import Context, InMemory, Passes
from discreet.contracts.passes import STRETCH, stretches
from discreet.errors import DataError
from discreet.microdata import Column, Microdata

MOST = 10**9
"""NumPy draws hypergeometric numbers for fewer records than this."""
PER_VALUE = 100
"""Bytes of memory for a value of the records that models are fitted to."""


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
        """Divide the records wanted from each stratum among stretches, given its counts in each."""
        stretch_counts = list(counts)
        rest = (
            np.sum(stretch_counts, axis=0)
            if stretch_counts
            else np.zeros(len(wanted), dtype=np.int64)
        )
        if rest.max(initial=0) >= MOST:
            raise DataError(
                f"a sample is drawn from strata of fewer than {MOST:,} records, but one has "
                f"{int(rest.max()):,}; name strata that are smaller"
            )
        generator = context.generator(f"{use}: shares")
        left, given = wanted.copy(), []
        for number, count in enumerate(stretch_counts, start=1):
            rest = rest - count
            # The last stretch gives what is left.
            share = (
                left
                if number == len(stretch_counts)
                else generator.hypergeometric(count, rest, left)
            )
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


def sampled_records(file: Passes, most: int, context: Context, use: str) -> Microdata:
    """Return all columns of at most this many records, drawn at random, in the order of the file.

    >>> import discreet
    >>> from discreet.contracts import InMemory
    >>> data = discreet.read({"age": range(100)})
    >>> len(sampled_records(InMemory(data), 30, Context(), "records"))
    30
    """
    count, names = len(file), list(file.head.schema.names)
    if count <= most and isinstance(file, InMemory):
        return file.data
    size = min(most, count)
    file.require(size * len(names) * PER_VALUE, f"fitting models to {size:,} records")
    counts = [np.array([min(STRETCH, count - first)]) for first in range(0, count, STRETCH)]
    sample = SimpleSample.of(counts, np.array([size]), context, use)
    if isinstance(file, InMemory):
        return file.data.take(sample.rows(np.zeros(count, dtype=np.int64), context, 0))
    pieces, first = [], 0
    for piece in file.pieces(names):
        rows = sample.rows(np.zeros(len(piece), dtype=np.int64), context, first)
        pieces.append(piece.take(rows) if size < count else piece)
        first += len(piece)
    columns = [
        Column(pieces[0].schema[name], np.concatenate([piece[name] for piece in pieces]))
        for name in names
    ]
    return Microdata(columns, file.head.source)


def _drawn(
    strata: NDArray[np.int64], wanted: NDArray[np.int64], generator: np.random.Generator
) -> NDArray[np.int64]:
    """Draw from every stratum its first records in a random order of all."""
    sizes = np.bincount(strata, minlength=len(wanted))
    order = generator.permutation(len(strata))
    order = order[np.argsort(strata[order], kind="stable")]
    place = np.arange(len(strata)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.asarray(np.sort(order[place < np.repeat(wanted, sizes)]))
