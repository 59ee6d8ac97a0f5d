"""Timing two ways of doing the same thing alternately, so that a busy machine slows both alike."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def ratio(
    ours: Callable[[], Any],
    other: Callable[[], Any],
    rounds: int = 3,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[float, float]:
    """Return the least seconds of each over several alternating rounds.

    With `time.process_time` as the clock they are CPU seconds, whatever else the machine does.
    """
    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        for i, work in enumerate((ours, other)):
            started = clock()
            work()
            best[i] = min(best[i], clock() - started)
    return best[0], best[1]


def report(title: str, ours: float, other: float, against: str) -> None:
    """Print one line: how many times faster (above 1) or slower (below 1) ours is."""
    print(f"{title:<44} {ours:9.3f} s   {against} {other:9.3f} s   ratio {other / ours:6.2f}")
