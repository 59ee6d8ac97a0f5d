"""How long a step will take, said before it starts, and whether blocks would make it quick.

The step itself is run on samples of the file, and the growth of its time is carried on to all
records: no table of costs knows the machine, the columns and the parameters. That takes a few
percent of a long run, and next to nothing of a short one. Nothing is done where nobody listens.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

import numpy as np

from discreet.contracts import Context, Method, Progress, Randomness
from discreet.microdata import Microdata
from discreet.microdata.clusters import clusters_of
from discreet.microdata.derived import Derived
from discreet.release.by_level import protected

LARGE = 100_000
"""Records from which on a step is worth a forecast."""
PATIENCE = 20.0
"""Seconds that need no word beforehand."""
SAMPLES = (1_000, 4_000, 16_000)
WARM = 200
"""Records of a first run, whose time does not count: what is compiled and loaded comes with it."""
ENOUGH = 3.0
"""Seconds for a sample, after which no larger one is tried."""
STEEPEST = 2.0
SURE = 4.0
"""Two samples that promise to be so much quicker than that are enough."""
BLOCK = 10_000


def announce(
    step: Method, data: Microdata, derived: Mapping[str, Derived], context: Context
) -> None:
    """Say how long a step on a large file will take, if that is worth a word.

    `derived` are the columns that follow from the members of a household. Partitions that speak for
    themselves are left to do so.
    """
    silent = type(context.progress).say is Progress.say
    speaks = hasattr(step.values().get("partition"), "announce")
    if silent or speaks or len(data) < LARGE or step.in_blocks is not None:
        return

    def on(size: int) -> object:
        rows = np.linspace(0, len(data) - 1, size).astype(np.int64)
        return protected(step, data.take(rows), derived, Context(Randomness(0)))

    growth = None
    # What is wrong with a few records need not be so with all, and else the step itself says it.
    with suppress(Exception):
        growth = growth_of(on, len(data))
    if growth is None:
        return
    seconds = growth(len(data))
    if seconds > PATIENCE:
        in_blocks = growth(BLOCK) * len(data) / BLOCK
        advice = ""
        if in_blocks < seconds / 2 and clusters_of(data) is None:
            advice = f"; in_blocks: {BLOCK} would take about {in_words(in_blocks)}"
        context.progress.say(
            f"{step.spec.name} will take about {in_words(seconds)} for {len(data):,} records"
            f"{advice}"
        )


def growth_of(
    run: Callable[[int], object], records: int, clock: Callable[[], float] = time.perf_counter
) -> Callable[[float], float] | None:
    """Return seconds as a function of records, from runs on samples; None if all are soon done.

    >>> ticks = iter([0, 1, 1, 17])         # seconds when a run starts and ends
    >>> growth = growth_of(lambda size: None, 100_000, lambda: next(ticks))
    >>> growth(40_000)
    1600.0
    """
    run(WARM)
    times: list[float] = []
    for size in SAMPLES:
        started = clock()
        run(size)
        times.append(clock() - started)
        if times[-1] * (records / size) ** STEEPEST < PATIENCE:
            return None
        if len(times) > 1 and _carried_on(times)(records) < PATIENCE / SURE:
            return None
        if len(times) > 1 and times[-1] > ENOUGH:
            break
    return _carried_on(times)


def _carried_on(times: Sequence[float]) -> Callable[[float], float]:
    """Return the growth from the last two samples on: a power of the records.

    Where it is below the first, there is a cost that does not grow, and the rest grows evenly.
    """
    (before, last), (sooner, seconds) = SAMPLES[len(times) - 2 : len(times)], times[-2:]
    slope = np.log(seconds / sooner) / np.log(last / before)
    if slope < 1:
        each = max(0.0, (seconds - sooner) / (last - before))
        return lambda size: float(seconds + each * max(0.0, size - last))
    power = float(min(slope, STEEPEST))
    return lambda size: float(seconds * (size / last) ** power)


def in_words(seconds: float) -> str:
    """Return a duration as a person would say it.

    >>> in_words(42.3), in_words(170), in_words(9_000)
    ('42 s', '3 minutes', '2.5 hours')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} minutes" if seconds < 5_400 else f"{seconds / 3600:.1f} hours"
