"""Compiled work in stretches: between two the progress bar moves and an interrupt gets through."""

from __future__ import annotations

import time
from collections.abc import Callable

Advance = Callable[[int], None]
"""Called with how much was done since the last call; an exception from it stops the work."""

SECONDS = 0.25
"""How long a stretch should take."""


def next_pace(pace: float, start: float) -> float:
    """Return how much to do in the next stretch if this much was done since the time `start`.

    It at most doubles: the first stretch is a guess, and a short one says little.

    >>> next_pace(500, time.perf_counter() - 2.5) <= 50   # it took ten times as long as it should
    True
    """
    return pace * min(2.0, SECONDS / max(time.perf_counter() - start, 1e-9))
