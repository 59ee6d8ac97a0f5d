"""How long something takes, for forecasts that are made while others use the machine."""

from __future__ import annotations

import time
from collections.abc import Callable


def timed(run: Callable[[], object], *clocks: Callable[[], float]) -> float:
    """Return how long something takes on a machine that does nothing else.

    Seconds in which others have the processor do not count; where several threads work at the same
    time, neither does the time of each.

    >>> ticks = iter([0.0, 1.5])
    >>> timed(lambda: None, lambda: next(ticks))
    1.5
    """
    clocks = clocks or (time.perf_counter, time.process_time)
    started = [clock() for clock in clocks]
    run()
    return min(clock() - start for clock, start in zip(clocks, started, strict=True))
