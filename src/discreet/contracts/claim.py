"""Claim: a promise about a release that is measured before anything is written."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

from discreet.errors import UsageError

if TYPE_CHECKING:
    from discreet.contracts.measure import Measure


@dataclass(frozen=True)
class Claim:
    """A bound on a measure, such as a k-anonymity of at least 5.

    `measured` is the value that the release gate measured; None until then. `by` is the measure if
    its parameters are part of the claim, such as the register of a population.

    >>> Claim("k-anonymity", 5)
    Claim(k-anonymity: 5 claimed)
    """

    measure: str
    bound: float
    measured: float | None = None
    by: Measure | None = None

    def __repr__(self) -> str:
        measured = "" if self.measured is None else f", {self.measured:g} measured"
        return f"Claim({self.measure}: {self.bound:g} claimed{measured})"


def claim_bound(measure: str, bound: Any) -> float:
    """Return the bound of a claim as a number; anything else is a usage error.

    >>> claim_bound("k-anonymity", 5)
    5.0
    """
    if isinstance(bound, Real) and not isinstance(bound, bool):
        try:
            number = float(bound)
        except OverflowError:
            number = math.inf
        if math.isfinite(number):
            return number
    raise UsageError(f"the bound of the claim {measure} must be a number, but {bound!r} was given")
