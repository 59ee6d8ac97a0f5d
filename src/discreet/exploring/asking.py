"""What a search is asked for: its measures, limits and time, as people write them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from discreet.contracts import Measure, MeasureSpec
from discreet.contracts.claim import claim_bound
from discreet.contracts.registry import build, entries, register
from discreet.errors import UsageError, nearest
from discreet.exploring.point import Limit

Measures = str | Measure | Mapping[str, Any]

UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def measure_of(name: Measures) -> Measure:
    """Return a measure by its name, or by a word in the name of only one of the usual measures.

    >>> measure_of("sst").spec.name, measure_of(measure_of("abico")).spec.name
    ('sse-sst', 'abico')
    """
    if isinstance(name, Measure):
        register(type(name))
        return name
    if isinstance(name, Mapping):
        stated = build("measure", name)
        assert isinstance(stated, Measure)
        return stated
    known = entries("measure")
    names = [entry.spec.name for entry in known]
    word = name.strip().lower().replace("_", "-")
    if word not in names:
        having = [entry for entry in known if word in entry.spec.name.split("-")]
        usual = [e for e in having if isinstance(e.spec, MeasureSpec) and e.spec.default]
        matching = usual if len(usual) == 1 else having
        if len(matching) > 1:
            listed = ", ".join(entry.spec.name for entry in matching)
            raise UsageError(f"several measures are called '{name}': {listed}; name one of them")
        if not matching:
            raise UsageError(
                f"there is no measure '{name}'{nearest(name, names)} (known: {', '.join(names)})"
            )
        word = matching[0].spec.name
    measure = build("measure", word)
    assert isinstance(measure, Measure)
    return measure


def limits_of(risk: Mapping[Any, float]) -> tuple[Limit, ...]:
    """Return the limits, or report why one makes no sense."""
    limits: dict[str, Limit] = {}
    for name, bound in risk.items():
        measure = measure_of(name)
        spec, number = measure.spec, claim_bound(measure.spec.name, bound)
        if not spec.low <= number <= spec.high:
            top = "" if math.isinf(spec.high) else f" and at most {spec.high:g}"
            share = (
                f"; {number:g} percent is {number / 100:g}" if spec.percent and number > 0 else ""
            )
            raise UsageError(
                f"the limit of {spec.name} must be at least {spec.low:g}{top}, but {number:g} was "
                f"given{share}"
            )
        if spec.name in limits:
            raise UsageError(f"the measure '{spec.name}' is given two limits; give only one")
        limits[spec.name] = Limit(measure, number)
    return tuple(limits.values())


def seconds_of(budget: float | str) -> float:
    """Return a time such as "10m" in seconds.

    >>> seconds_of("1.5m"), seconds_of(20)
    (90.0, 20.0)
    """
    match = re.fullmatch(r"\s*([0-9.]+)\s*(s|m|min|h)?\s*", str(budget))
    try:
        seconds = float(match[1]) * UNITS[match[2] or ""] if match else 0.0
    except ValueError:
        seconds = 0.0
    if seconds <= 0:
        raise UsageError(f"a budget is a time such as 90s, 10m or 2h, but {budget!r} was given")
    return seconds
