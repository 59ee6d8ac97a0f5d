"""The analyses that a plan declares are passed to the measures that need them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from discreet.contracts import Analysis, Measure
from discreet.contracts.registry import build
from discreet.errors import UsageError


def analyses_of(given: Sequence[Analysis | str | Mapping[str, Any]] | None) -> tuple[Analysis, ...]:
    """Return the analyses given by name with parameters, as in a plan.

    >>> analyses_of([{"mean": {"of": ["pay"], "by": ["sex"]}}])
    (Mean(of=('pay',), by=('sex',)),)
    """
    made = []
    for entry in given or ():
        analysis = build("analysis", entry) if isinstance(entry, str | Mapping) else entry
        if not isinstance(analysis, Analysis):
            raise UsageError(
                "an analysis is written as its name with its parameters, such as {'mean': {'of': "
                f"['income']}}}}, but a {type(entry).__name__} was given"
            )
        made.append(analysis)
    return tuple(made)


def declared(measure: Measure, analyses: tuple[Analysis, ...]) -> Measure:
    """Return the measure with the declared analyses, if it takes analyses and has none.

    >>> measure = build("measure", "analyses")
    >>> declared(measure, analyses_of([{"mean": {"of": ["pay"]}}])).of
    (Mean(of=('pay',), by=None),)
    """
    for name, param in measure.params().items():
        if analyses and param.type == tuple[Analysis, ...] and not getattr(measure, name):
            return type(measure)(**{**measure.values(), name: analyses})
    return measure
