"""The search along a candidate's axis, and the confirmation of the leaders.

Each search is a generator: it yields tasks and is sent their trials, so that the searches of all
candidates run side by side while each stays a plain loop.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Generator, Sequence
from typing import Any

from discreet.contracts.registry import build
from discreet.exploring.candidates import Candidate
from discreet.exploring.point import Limit, Point
from discreet.exploring.trial import Task, Trial

Asking = Generator[list[Task], list[Trial], None]

HALVINGS = 3
"""How often the last interval of a parameter that is not a whole number is halved."""


def is_random(candidate: Candidate) -> bool:
    """Whether another seed would give another release.

    >>> is_random(Candidate(({"additive-noise": {}},)))
    True
    """
    value = candidate.axis.values[0] if candidate.axis else None
    return any(build("method", step).is_random for step in candidate.at(value))


class Settings:
    """The settings of a candidate that were tried so far.

    A setting that exceeds one of the `limits` whatever its further repetitions give is not repeated
    further, nor measured more exactly than that takes.
    """

    def __init__(self, candidate: Candidate, repeats: int, limits: Sequence[Limit] = ()) -> None:
        self.candidate, self.limits = candidate, limits
        self.random = is_random(candidate)
        self.repeats = repeats if self.random else 1
        self.points: dict[str, Point] = {}

    def tried(self, value: Any) -> Generator[list[Task], list[Trial], Point]:
        """Run all repetitions of a setting, unless that is already done."""
        return (yield from self.repeated(value, self.repeats))

    def repeated(self, value: Any, times: int) -> Generator[list[Task], list[Trial], Point]:
        """Run a setting until it has this many repetitions; one that failed is not run again."""
        name = json.dumps(value)
        point = self.points.get(name, Point(self.candidate, value, ()))
        steps, of = self.candidate.at(value), max(times, self.repeats)
        while (
            len(point.trials) < times
            and not (point.trials and not point.scores)
            and not point.exceeds(self.limits, of)
        ):
            have, enough = len(point.trials), self._enough(point, of)
            asked = range(have, min(times, have + self._further(point, of)))
            new = yield [Task(steps, repeat, enough) for repeat in asked]
            point = Point(self.candidate, value, (*point.trials, *new))
        if point.trials:
            self.points[name] = point
        return point

    def _enough(self, point: Point, times: int) -> dict[str, float]:
        """Return the figures above which one more repetition decides that a limit is exceeded."""
        enough = {}
        for limit in self.limits:
            name = limit.spec.name
            figures = [trial.scores[name] for trial in point.trials if name in trial.scores]
            enough[name] = limit.enough(figures, times)
        return {name: figure for name, figure in enough.items() if math.isfinite(figure)}

    def _further(self, point: Point, times: int) -> int:
        """Return how many repetitions would decide, if they were like those before; at most all.

        The first is run by itself: it shows whether the others can matter.
        """
        if not self._enough(point, times):
            return times
        if not point.trials:
            return 1
        needed = times
        for limit in self.limits:
            value = point.scores.get(limit.spec.name)
            if value is not None and value.mean > 0:
                left = limit.enough([value.mean] * len(point.trials), times)
                needed = min(needed, 1 + math.floor(min(max(left, 0.0) / value.mean, times)))
        return needed

    def forget(self, point: Point) -> None:
        """Treat a setting as not tried."""
        del self.points[json.dumps(point.value)]


def sweep(settings: Settings) -> Asking:
    """Try every value."""
    axis = settings.candidate.axis
    for value in axis.values if axis else (None,):
        yield from settings.tried(value)


def scout(settings: Settings, limits: Sequence[Limit] = ()) -> Asking:
    """Try the middle of a candidate's values once: a first idea of its scores and its cost.

    If that does not stay within the `limits`, the most protective value may.
    """
    axis = settings.candidate.axis
    values = [_middle(settings)]
    if axis and axis.monotone and limits:
        values.append(axis.values[-1])
    for value in values:
        point = yield from settings.repeated(value, 1)
        if any(trial.stopped for trial in point.trials):
            # It only exceeded the short time of a first look.
            settings.forget(point)
            return
        if point.keeps(limits):
            return


def _middle(settings: Settings) -> Any:
    axis = settings.candidate.axis
    return axis.values[len(axis.values) // 2] if axis else None


def bisect(settings: Settings, limits: Sequence[Limit]) -> Asking:
    """Find the least protection that stays within the limits, by bisection from the middle.

    The points met along the way give the R-U map its line.
    """
    axis = settings.candidate.axis
    if axis is None or not axis.monotone or not limits:
        yield from sweep(settings)
        return
    values = list(axis.values)
    low, high = 0, len(values) - 1
    middle = len(values) // 2
    point = yield from settings.tried(values[middle])
    while not point.scores and middle > 0:
        # It may be too strong for the file, such as a k above the number of records.
        high = middle - 1
        middle //= 2
        point = yield from settings.tried(values[middle])
    if point.keeps(limits):
        first = yield from settings.tried(values[low])
        if first.keeps(limits):
            return
        high = middle
    else:
        last = yield from settings.tried(values[high])
        while not last.scores and high > middle:
            high = (middle + high) // 2
            last = yield from settings.tried(values[high])
        if not last.keeps(limits):
            return
        low = middle
    while high - low > 1:
        middle = (low + high) // 2
        point = yield from settings.tried(values[middle])
        low, high = (low, middle) if point.keeps(limits) else (middle, high)
    yield from _between(settings, values[low], values[high], limits)


def _between(settings: Settings, weak: Any, strong: Any, limits: Sequence[Limit]) -> Asking:
    """Continue the bisection between two numbers."""
    whole = isinstance(weak, int) and isinstance(strong, int)
    if not whole and not (isinstance(weak, float | int) and isinstance(strong, float | int)):
        return
    halvings = 0
    while abs(strong - weak) > 1 if whole else halvings < HALVINGS:
        middle = (weak + strong) // 2 if whole else _round((weak + strong) / 2)
        if middle in (weak, strong):
            return
        point = yield from settings.tried(middle)
        weak, strong = (weak, middle) if point.keeps(limits) else (middle, strong)
        halvings += 1


def _round(value: float) -> float:
    """Return a number that a person would write into a plan."""
    return float(f"{value:.3g}")


def confirm(
    all_settings: Sequence[Settings],
    leading: Callable[[], list[Point]],
    times: int,
) -> Asking:
    """Repeat the points that lead, or would without chance, until luck decides on none of them."""
    while True:
        weak = [
            (settings, point)
            for point in leading()
            for settings in all_settings
            if settings.candidate is point.candidate
            and settings.random
            and len(point.trials) < times
        ]
        if not weak:
            return
        for settings, point in weak:
            yield from settings.repeated(point.value, times)
