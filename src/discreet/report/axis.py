"""The axis of a picture: round values along it, and the place of every value."""

from __future__ import annotations

import math
from collections.abc import Sequence

from discreet.microdata.intervals import round_edges

DECADES = 6
"""A logarithmic axis is cut off this many powers of ten below its largest value: anything lower is
practically 0 to a reader, and would squeeze everything else."""
WIDE = 50.0
LEAST = 1e-290
"""Below this, powers of ten cannot be distinguished from 0."""


class Axis:
    """Maps values to positions between two ends of a drawing, on a scale between round values.

    A value off the scale is placed at its end. A scale of values that reach down towards 0 begins
    there.

    >>> axis = Axis([3, 100], 0, 50)
    >>> axis.ticks, axis(50)
    ([0.0, 20.0, 40.0, 60.0, 80.0, 100.0], 25.0)
    >>> Axis([1e-33, 0.02, 3], 0, 50, logarithmic=True).ticks
    [1e-06, 1e-05, 0.0001, 0.001, 0.01, 0.1, 1.0, 5.0]
    """

    def __init__(
        self, values: Sequence[float], start: float, end: float, *, logarithmic: bool = False
    ) -> None:
        low, high = min(values), max(values)
        self.logarithmic = logarithmic and high > LEAST
        if self.logarithmic:
            least = min(value for value in values if value > 0)
            first = math.floor(math.log10(max(least, high / 10**DECADES)))
            self.ticks = _powers(first, high)
        else:
            self.ticks = round_edges(0.0 if 0 < low < high / 5 else low, high, 5) or [low, high]
        self._start, self._end = start, end
        self._first, self._last = self._at(self.ticks[0]), self._at(self.ticks[-1])

    def __call__(self, value: float) -> float:
        """Return the place of a value."""
        if self.logarithmic:
            value = max(value, self.ticks[0])
        share = (self._at(value) - self._first) / (self._last - self._first)
        return self._start + min(1.0, max(0.0, share)) * (self._end - self._start)

    def _at(self, value: float) -> float:
        return math.log10(value) if self.logarithmic else value


def _powers(first: int, high: float) -> list[float]:
    """Return powers of ten from 10^first to the first round value at or above `high`.

    If there are few powers, there is room for the round values between them.
    """
    last = math.ceil(math.log10(high))
    steps = [float(f"{m}e{e}") for e in range(first, last + 1) for m in (1, 2, 5)]
    top = next(step for step in steps if step >= high)
    kept = [step for step in steps if step <= top]
    if len(kept) > 8:
        kept = [step for step in kept if f"{step:e}".startswith("1.0") or step == top]
    return kept if len(kept) > 1 else [*kept, 10 * kept[-1]]


def spans_powers(values: Sequence[float]) -> bool:
    """Whether positive values differ so much that a logarithmic axis is more readable.

    >>> spans_powers([0.01, 3]), spans_powers([1, 3]), spans_powers([0, 3])
    (True, False, False)
    """
    return min(values) > 0 and max(values) / min(values) > WIDE
