"""Measures of a large file side by side: most of them keep a single core busy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from discreet.contracts import Measure
from discreet.contracts.threads import single_thread
from discreet.kernels.cores import cores
from discreet.release.assessment import Row

LARGE = 65_536
"""Records from which on the bytes of what is kept for each of them matter.

To give back what a smaller table took, and ask for it again, costs as much as a quick measure.
"""
AT_ONCE = 2
"""At most this many measures run at the same time: each needs memory of its own."""


def at_once(records: int) -> int:
    """Return how many measures of a file of so many records are at work at the same time.

    >>> at_once(1_000)
    1
    """
    return min(AT_ONCE, cores()) if records >= LARGE else 1


def side_by_side(
    row_of: Callable[[Measure], Row], measures: Sequence[Measure], threads: int
) -> Iterator[Row]:
    """Yield what is found by each measure, in their order.

    Those that keep all cores busy themselves are taken first, one after the other. Each draws its
    own random numbers by its name: the number of threads makes no difference to what is found.
    """

    def alone(measure: Measure) -> Row:
        # The matrices are small, and threads that wait for each other cost more than they save.
        with single_thread():
            return row_of(measure)

    apart = [number for number, measure in enumerate(measures) if measure.spec.on_all_cores]
    if threads == 1 or len(apart) == len(measures):
        yield from map(alone, measures)
        return
    # Beside an attack another measure would only take room.
    rows = {number: alone(measures[number]) for number in apart}
    with ThreadPoolExecutor(threads) as pool:
        others = pool.map(alone, (m for m in measures if not m.spec.on_all_cores))
        for number in range(len(measures)):
            yield rows.pop(number) if number in rows else next(others)
