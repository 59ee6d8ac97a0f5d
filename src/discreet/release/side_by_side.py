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
    """Return how many measures of a file of this many records are at work at the same time.

    >>> at_once(1_000)
    1
    """
    return min(AT_ONCE, cores()) if records >= LARGE else 1


def side_by_side(
    row_of: Callable[[Measure], Row], measures: Sequence[Measure], threads: int
) -> Iterator[Row]:
    """Yield what is found by each measure, in their order.

    Those that keep all cores busy themselves are taken first, one after the other: beside them
    another measure would only take memory. Those of them that leave room then take turns in this
    thread while others are at work beside them. Each measure draws its own random numbers by its
    name: the number of threads makes no difference to what is found.
    """
    # The library of linear algebra has one limit for the whole process, so it is set around all
    # measures; other libraries have one for each thread. The matrices are small, and threads that
    # wait for each other cost more than they save.
    with single_thread():
        if threads == 1:
            yield from map(row_of, measures)
            return
        rows: dict[int, Row] = {}
        beside, shared = [], []
        for number, measure in enumerate(measures):
            if not measure.spec.on_all_cores:
                beside.append(number)
            elif measure.spec.leaves_room:
                shared.append(number)
            else:
                rows[number] = row_of(measure)

        def alone(measure: Measure) -> Row:
            with single_thread():
                return row_of(measure)

        pool = ThreadPoolExecutor(threads - 1)
        try:
            tasks = {number: pool.submit(alone, measures[number]) for number in beside}
            for number in shared:
                rows[number] = row_of(measures[number])
            waiting = iter(beside)
            for number in range(len(measures)):
                # Until the row that is due is there, this thread takes over what nobody began.
                while number not in rows and not tasks[number].done():
                    later = next(waiting, None)
                    if later is None:
                        break
                    if tasks[later].cancel():
                        rows[later] = row_of(measures[later])
                yield rows.pop(number) if number in rows else tasks[number].result()
        finally:
            pool.shutdown(cancel_futures=True)
