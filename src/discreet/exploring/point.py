"""A point of the R-U map: one setting of a candidate, over all its repetitions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from discreet.contracts import Better, Measure, MeasureSpec
from discreet.contracts.registry import find
from discreet.exploring.candidates import Candidate, Steps
from discreet.exploring.trial import Trial

LEAST_KEPT = 0.5
"""If less of the association between columns is kept, the file is no longer the one that was
protected.
"""

MASKED, SYNTHETIC, EITHER = "masked", "synthetic", "either"
"""Records of the file that were changed, and records that were drawn anew: two kinds of release,
between which a steward decides first, or leaves it to the figures.
"""

ROUNDING = 1e-9
"""Sums that differ by less than this share of the limit are equal."""


@dataclass(frozen=True)
class Value:
    """The mean of a measure over the repetitions, with a 95 % interval if there were several.

    If it is only known to be `at_least` that, the interval reaches up to the worst possible.

    >>> Value.of([0.25, 0.5, 0.75]).mean
    0.5
    """

    mean: float
    low: float
    high: float
    count: int
    at_least: bool = False

    @classmethod
    def of(cls, values: Sequence[float], least: float = -math.inf, most: float = math.inf) -> Value:
        """Take the mean of draws that differ only in their seed.

        The interval stays within the range of the measure.
        """
        count = len(values)
        # The mean of equal values is exactly that value: it may be right at the limit.
        mean = values[0] if min(values) == max(values) else math.fsum(values) / count
        squares = math.fsum((value - mean) ** 2 for value in values)
        margin = 0.0
        if squares:
            # The quantile of Student's t; `scipy.stats` has it too and takes longer to load.
            from scipy.special import stdtrit

            error = math.sqrt(squares / (count - 1) / count)
            margin = float(stdtrit(count - 1, 0.975)) * error
        return cls(mean, max(mean - margin, least), min(mean + margin, most), count)


@dataclass(frozen=True)
class Limit:
    """The worst acceptable value of a measure: at most for risks, at least for k-anonymity."""

    measure: Measure
    bound: float

    @property
    def spec(self) -> MeasureSpec:
        """The measure's spec."""
        return self.measure.spec

    def excess(self, value: Value) -> float:
        """Return by how much the worse end of the interval exceeds the limit; 0 or less if it
        holds."""
        if self.spec.better is Better.HIGHER:
            return self.bound - value.low
        return value.high - self.bound

    def enough(self, values: Sequence[float], times: int) -> float:
        """Return the figure of the next repetition that makes the mean of `times` exceed the limit.

        Whatever the others give; it is infinite where more is better.

        >>> from discreet.contracts.registry import build
        >>> limit = Limit(build("measure", "distance-linkage"), 0.05)
        >>> limit.enough([], 3), limit.enough([0.125], 4)   # of 0.15 and 0.2 altogether
        (0.15000000000000002, 0.07500000000000001)
        """
        if self.spec.better is Better.HIGHER:
            return math.inf
        rest = max(times - len(values) - 1, 0)
        spared = rest * self.spec.low if rest else 0.0
        return max(times, len(values)) * self.bound - math.fsum(values) - spared

    def exceeded(self, values: Sequence[float], times: int) -> bool:
        """Whether this many repetitions exceed the limit on average, whatever is still to come."""
        if not values:
            return False
        return values[-1] > self.enough(values[:-1], times) + ROUNDING * abs(self.bound)


@dataclass(frozen=True, eq=False)
class Point:
    """One setting with its trials, in the order of their repetition."""

    candidate: Candidate
    value: Any
    trials: tuple[Trial, ...]

    @property
    def steps(self) -> Steps:
        """The steps of the plan."""
        return self.candidate.at(self.value)

    @cached_property
    def label(self) -> str:
        """The setting in words."""
        axis = self.candidate.axis
        setting = "" if axis is None else f", {axis.name} = {_short(self.value)}"
        if axis is not None and axis.partner is not None:
            setting += f", {axis.partner.name} = {_short(axis.beside(self.value))}"
        return f"{self.candidate.label}{setting}"

    @cached_property
    def methods(self) -> frozenset[str]:
        """The kinds of method: perturbative, nonperturbative or synthetic.

        For a method of another package, it is the name of the package.
        """
        modules = [find("method", next(iter(s))).__module__.split(".") for s in self.steps]
        return frozenset(p[2] if p[:2] == ["discreet", "methods"] else p[0] for p in modules)

    @property
    def records(self) -> str:
        """Whether the released records are masked or synthetic ones."""
        return SYNTHETIC if SYNTHETIC in self.methods else MASKED

    @property
    def reason(self) -> str:
        """Why scores are missing; empty if none is."""
        return next((trial.reason for trial in self.trials if trial.reason), "")

    @cached_property
    def scores(self) -> Mapping[str, Value]:
        """The measures that every repetition has."""
        if not self.trials:
            return {}
        values = {}
        for name in self.trials[0].scores:
            draws = [trial.scores.get(name, math.nan) for trial in self.trials]
            if all(map(math.isfinite, draws)):
                spec = find("measure", name).spec
                assert isinstance(spec, MeasureSpec)
                values[name] = Value.of(draws, spec.low, spec.high)
                if self.at_least(name):
                    values[name] = replace(values[name], high=spec.high, at_least=True)
        return values

    def at_least(self, name: str) -> bool:
        """Whether a measure may be larger than its figure, which exceeds a limit already."""
        return any(name in trial.at_least for trial in self.trials)

    def exceeds(self, limits: Sequence[Limit], times: int) -> bool:
        """Whether a limit is exceeded, whatever the rest of this many repetitions gives."""
        return any(
            limit.exceeded([trial.scores[limit.spec.name] for trial in self.trials], times)
            for limit in limits
            if limit.spec.name in self.scores
        )

    @property
    def lost(self) -> tuple[str, ...]:
        """The columns in which all released records agreed, in one of the repetitions."""
        return tuple(dict.fromkeys(name for trial in self.trials for name in trial.lost))

    @property
    def loose(self) -> tuple[str, ...]:
        """The columns that were cut loose from the others, in most of the repetitions."""
        counts = Counter(name for trial in self.trials for name in trial.loose)
        return tuple(name for name, count in counts.items() if 2 * count > len(self.trials))

    @property
    def kept(self) -> float | None:
        """How much of the association between columns is kept, on average; None if unknown."""
        return _mean([trial.kept for trial in self.trials])

    @property
    def changed(self) -> float | None:
        """How much of the association between columns changed, on average; None if unknown."""
        return _mean([trial.changed for trial in self.trials])

    @property
    def ruin(self) -> str:
        """What was lost that no good figure can make up for, in words; empty if nothing was."""
        if self.lost:
            return f"all its records agree on {', '.join(self.lost)}"
        if self.loose:
            verb = "are" if len(self.loose) > 1 else "is"
            return f"{', '.join(self.loose)} {verb} hardly related to the other columns any more"
        if self.kept is not None and self.kept < LEAST_KEPT:
            return f"it keeps {100 * self.kept:.0f} % of the association between columns"
        return ""

    @property
    def seconds(self) -> float:
        """How long one trial took, on average."""
        return sum(trial.seconds for trial in self.trials) / max(1, len(self.trials))

    def excess(self, limits: Sequence[Limit]) -> float:
        """Return by how much the worst limit is exceeded; 0 or less if all hold, infinite if
        unknown."""
        scores = self.scores
        if any(limit.spec.name not in scores for limit in limits):
            return math.inf
        return max((limit.excess(scores[limit.spec.name]) for limit in limits), default=-math.inf)

    def keeps(self, limits: Sequence[Limit]) -> bool:
        """Whether all limits hold."""
        return self.excess(limits) <= 0

    def undecided(self, limits: Sequence[Limit]) -> bool:
        """Whether the means keep all limits, and only the width of an interval exceeds one."""
        scores = self.scores
        if self.keeps(limits) or any(limit.spec.name not in scores for limit in limits):
            return False
        means = [(limit, scores[limit.spec.name]) for limit in limits]
        return all(limit.excess(replace(v, low=v.mean, high=v.mean)) <= 0 for limit, v in means)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
