"""How long a step will take, announced before it starts, and which option would make it quick.

The step itself is run on samples of the file, and the growth of its time is extrapolated to all
records: no table of costs knows the machine, the columns and the parameters. The same is done with
the parameters that it declares quicker. That takes a few percent of a long run, and next to nothing
of a short one. Nothing is done if nobody is listening.

Where models are fitted to a sample of a large file, only the drawing takes longer with more
records: it is timed by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np

from discreet.contracts import Context, InMemory, Method, Needs, Progress, Randomness
from discreet.contracts.timing import timed
from discreet.microdata import Microdata
from discreet.microdata.clusters import clusters_of
from discreet.microdata.derived import Derived
from discreet.models.sequential.fitted import MOST_FITTED
from discreet.models.sequential.options import SequenceOptions
from discreet.release.by_level import protected

Growth = Callable[[float], float]
"""Seconds as a function of records."""


@dataclass(frozen=True)
class Carried:
    """A growth that was extrapolated from samples."""

    seconds: Growth
    at_most: bool = False

    def __call__(self, size: float) -> float:
        """Return the seconds for this many records."""
        return self.seconds(size)


LARGE = 100_000
"""With at least this many records a step is worth a forecast."""
PATIENCE = 12.0
"""Seconds that need no announcement: a step forecast to take this long sometimes takes 20."""
SAMPLES = (1_000, 4_000, 16_000, 64_000)
USUAL = 3
"""Samples to extrapolate from; a further one is for files many times as large."""
WARM = 200
"""Records of a first run, which is not timed: it includes compiling and loading."""
ENOUGH = 3.0
"""If a sample takes more seconds than this, a larger one must be worth its time."""
WORTH = 0.08
"""The share of the whole time that a further sample may take."""
STEEPEST, FLATTEST = 2.0, 0.25
DRAWN = 0.1
"""Time to draw a record, as a share of the time to fit models to one, if it is not measured."""
EVEN = 1.25
"""The steepest power that is believed at first sight: loading may make it look steeper."""
BENT = 0.15
"""The most by which a power is believed to rise beyond the samples."""
FELL = 0.9
"""A larger sample that takes less than this share of the time of the one before is quicker."""
SURE = 4.0
"""Two samples are enough if they promise to be this many times quicker than `PATIENCE`."""
BLOCKS = (20_000, 10_000, 5_000, 2_000)
"""Records in a block: the larger it is, the better are groups and models."""
AT_A_MILLION = 180.0
"""Seconds that count as quick for a million records."""


def announce(
    step: Method, data: Microdata, derived: Mapping[str, Derived], context: Context
) -> None:
    """Say how long a step on a large file will take, if that is worth saying.

    `derived` are the columns that follow from the members of a household. Partitions that announce
    themselves how long they take are left to do so.
    """
    silent = type(context.progress).say is Progress.say
    speaks = hasattr(step.values().get("partition"), "announce")
    if silent or speaks or len(data) < LARGE or step.in_blocks is not None:
        return

    def run(some: Method, size: int) -> object:
        rows = np.linspace(0, len(data) - 1, size).astype(np.int64)
        return protected(some, data.take(rows), derived, Context(Randomness(0)))

    growth = None
    # An error on a few records may not occur with all of them; if it does, the step reports it.
    with suppress(Exception):
        growth = growth_of(lambda size: run(step, size), len(data))
        if growth is not None and len(data) > MOST_FITTED:
            growth = _with_models_of_a_sample(step, data, growth)
    if growth is None or growth(len(data)) <= PATIENCE:
        return
    advice = []
    with suppress(Exception):
        advice.append(_with_other_parameters(step, growth, len(data), run))
    if clusters_of(data) is None and not step.undivided:
        advice.append(_in_blocks(growth, len(data)))
    most = "at most about" if growth.at_most else "about"
    context.progress.say(
        f"{step.spec.name} will take {most} {in_words(growth(len(data)))} for {len(data):,} records"
        + "".join(f"; {words}" for words in advice if words)
    )


def _with_models_of_a_sample(step: Method, data: Microdata, growth: Carried) -> Carried:
    """Return the growth of a step that only draws from its models for most records of the file."""
    if step.needs is Needs.MODELS:
        drawing = _seconds_to_draw(step, data)
    elif isinstance(step, SequenceOptions):
        drawing = DRAWN * growth(MOST_FITTED) / MOST_FITTED
    else:
        return growth
    return _fitted_to_a_sample(growth, drawing)


def _seconds_to_draw(step: Method, data: Microdata) -> float:
    """Return how long it takes to draw a record from models once they are fitted."""
    size = SAMPLES[USUAL - 1]
    sample = data.take(np.linspace(0, len(data) - 1, size).astype(np.int64))
    context = Context(Randomness(0))
    fitted = step.fit(InMemory(sample), context)
    rows = sample if fitted.new is None else Microdata([], rows=size)
    return timed(lambda: list(fitted.treat(rows, context, 0))) / size


def _fitted_to_a_sample(growth: Carried, drawing: float) -> Carried:
    """Return a growth that continues with `drawing` seconds per record that models only draw.

    >>> _fitted_to_a_sample(Carried(lambda size: size * 1e-4), 1e-5)(1_000_000)
    28.0
    """

    def seconds(size: float) -> float:
        return growth(min(size, MOST_FITTED)) + drawing * max(0.0, size - MOST_FITTED)

    return Carried(seconds, growth.at_most)


def _in_blocks(growth: Growth, records: int) -> str:
    """Say how long the largest blocks that are quick take, or else the quickest.

    >>> _in_blocks(lambda size: (size / 8_000) ** 2, 100_000)
    'in_blocks: 10000 would take about 16 s'
    """
    times = {block: growth(block) * records / block for block in BLOCKS if block < records}
    useful = {block: spent for block, spent in times.items() if spent < growth(records) / 2}
    if not useful:
        return ""
    enough = max(PATIENCE, AT_A_MILLION * records / 1_000_000)
    quick = [block for block, spent in useful.items() if spent <= enough]
    block = max(quick, default=min(useful, key=lambda block: useful[block]))
    return f"in_blocks: {block} would take about {in_words(useful[block])}"


def _with_other_parameters(
    step: Method, growth: Growth, records: int, run: Callable[[Method, int], object]
) -> str:
    """Say how long the step takes with the parameters that it declares quicker, by a sample."""
    if not step.quicker:
        return ""
    quick = type(step)(**{**step.values(), **step.quicker})
    size = SAMPLES[USUAL - 1]
    run(quick, WARM)
    seconds = growth(records) * timed(partial(run, quick, size)) / growth(size)
    if seconds > growth(records) / 2:
        return ""
    stated = ", ".join(f"{name}: {value}" for name, value in step.quicker.items())
    return f"{stated} would take about {in_words(seconds)}"


def growth_of(
    run: Callable[[int], object], records: int, *clocks: Callable[[], float]
) -> Carried | None:
    """Return seconds as a function of records, from runs on samples; None if it is quick.

    The first sample that seems to take long is run twice, and so is a later one that exceeds
    its share of the time: whatever is compiled or loaded on the way is so only once.

    >>> ticks = iter([0, 1, 1, 2, 2, 18, 18, 34])   # seconds when a run starts and ends
    >>> growth = growth_of(lambda size: None, 50_000, lambda: next(ticks))
    >>> growth(40_000)
    1600.0
    """
    run(WARM)
    times: list[float] = []
    for number, size in enumerate(SAMPLES):
        seconds = timed(partial(run, size), *clocks)
        share = times[-1] * (size / SAMPLES[number - 1]) ** EVEN if times else 0.0
        if seconds > share and seconds * (records / size) ** STEEPEST > PATIENCE:
            seconds = min(seconds, timed(partial(run, size), *clocks))
        times.append(seconds)
        if times[-1] * (records / size) ** STEEPEST < PATIENCE:
            return None
        if len(times) < 2 or size == SAMPLES[-1]:
            continue
        if times[-1] < FELL * times[-2]:
            # More records are treated another way, of which this sample shows no growth.
            continue
        growth = _carried_on(times)
        if growth(records) < PATIENCE / SURE:
            return None
        costly = times[-1] > ENOUGH or len(times) == USUAL
        if costly and growth(SAMPLES[number + 1]) > WORTH * growth(records):
            break
    return _carried_on(times)


def _carried_on(times: Sequence[float]) -> Carried:
    """Extrapolate the growth beyond the last two samples: a power of the records.

    If that power is below 1, part of the cost does not grow, and the rest grows in proportion, or
    by less if the sample before shows the same: a search may come to an end. If it was above 1
    before, more records are treated another way, and the whole time may then grow in proportion.

    >>> round(_carried_on([0.5, 1.0, 2.0])(64_000), 9)   # twice as much more with each sample
    4.0
    """
    (before, last), (sooner, seconds) = SAMPLES[len(times) - 2 : len(times)], times[-2:]
    ratio = last / before
    slope = _power(times)
    if len(times) > 2 and slope < 1 < _power(times[:-1]):
        return Carried(lambda size: float(seconds * size / last))
    if slope >= 1:
        power = float(min(slope + _bend(times, slope), STEEPEST))
        return Carried(lambda size: float(seconds * (size / last) ** power))
    more, rise = max(0.0, seconds - sooner), 1.0
    if len(times) > 2 and more and 0 < sooner - times[-3] < (ratio - 1) * times[-3]:
        rise = float(np.clip(np.log(more / (sooner - times[-3])) / np.log(ratio), FLATTEST, 1))

    def flat(size: float) -> float:
        steps = (max(size, last) ** rise - last**rise) / (last**rise - before**rise)
        return float(seconds + more * steps)

    # Two samples do not show whether the rest grows in proportion: it may grow less.
    return Carried(flat, at_most=len(times) < USUAL)


def _power(times: Sequence[float]) -> float:
    """Return with which power of the records the last two samples grow."""
    before, last = SAMPLES[len(times) - 2 : len(times)]
    return float(np.log(times[-1] / times[-2]) / np.log(last / before))


def _bend(times: Sequence[float], slope: float) -> float:
    """By how much the power still rises: what outgrows the caches takes longer and longer.

    >>> _bend([1.0, 4.0, 16.0], 1.0), _bend([1.0, 4.0, 24.0], 1.3)
    (0.0, 0.15)
    """
    if len(times) < USUAL:
        return 0.0
    # A power below 1 is one of costs that do not grow, and says nothing of the rest.
    return float(np.clip(slope - max(_power(times[:-1]), 1.0), 0.0, BENT))


def in_words(seconds: float) -> str:
    """Return a duration as a person would say it.

    >>> in_words(42.3), in_words(170), in_words(9_000)
    ('42 s', '3 minutes', '2.5 hours')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} minutes" if seconds < 5_400 else f"{seconds / 3600:.1f} hours"
