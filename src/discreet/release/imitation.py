"""Imitation: what an intruder who knows the steps of a plan, but not its seed, can do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.contracts import Context, Imitated, Method
from discreet.contracts.measure import Imitate
from discreet.errors import DiscreetError
from discreet.io.frames import settled
from discreet.microdata import Microdata, Role
from discreet.release.course import run_steps


def imitation(data: Microdata, steps: Sequence[Method], outcome: Imitated | None = None) -> Imitate:
    """Return the function that runs the steps once more, with random numbers of its own.

    The intruder has the quasi-identifiers. If the steps need more than that, the whole file is
    assumed to be known: an upper bound on what an intruder can do. `outcome` is the result of the
    steps; if none of them draws random numbers, that is what the intruder gets, and they need not
    be run again.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 40, 41]}, roles={"age": "quasi-identifier"})
    >>> pairs = discreet.Microaggregation(discreet.partition.MDAV(k=2))
    >>> imitation(data, [pairs])(Context()).released["age"]
    array([21.5, 21.5, 40.5, 40.5])
    """

    if outcome is not None and not any(step.is_random for step in steps):
        return lambda context: outcome

    def imitate(context: Context) -> Imitated | None:
        unknown = [n for n in data.schema.names if n not in data.quasi_identifiers]
        try:
            masked = run_steps(data.drop(unknown), steps, context)
        except DiscreetError:
            masked = run_steps(data, steps, context)
        origin = np.arange(len(data)) if masked.origin is None else masked.origin
        if len(origin) and origin.min() < 0:
            return None
        table = settled(masked.data.drop(masked.data.having(Role.IDENTIFIER)))
        return Imitated(table, origin, masked.groups)

    return imitate
