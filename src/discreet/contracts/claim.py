"""Claim: a promise about a release that is measured before anything is written."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from numbers import Real
from typing import TYPE_CHECKING, Any

from discreet.errors import UsageError

if TYPE_CHECKING:
    from discreet.contracts.measure import Measure, Score
    from discreet.contracts.spec import Better


@dataclass(frozen=True)
class Claim:
    """A bound on a measure, such as a k-anonymity of at least 5.

    `measured` is the value that the release gate measured; None until then. `by` is the measure if
    its parameters are part of the claim, such as the register of a population. In a file of
    households or persons, `counts` says which of them k is a number of, and `households` how few
    households some class has if k does not count them.

    >>> Claim("k-anonymity", 5)
    Claim(k-anonymity: 5 claimed)
    >>> Claim("k-anonymity", 5, 6, counts="records", households=2)
    Claim(k-anonymity: 5 claimed, 6 records, at least 2 households measured)
    """

    measure: str
    bound: float
    measured: float | None = None
    by: Measure | None = None
    counts: str = ""
    households: int | None = None

    def __repr__(self) -> str:
        measured = "" if self.measured is None else f", {self.measured:g}{self.of_what} measured"
        return f"Claim({self.measure}: {self.bound:g} claimed{measured})"

    def held_to(self, score: Score, better: Better) -> Claim:
        """Return the claim with what was measured: the worse end of what was estimated."""
        worst = score.at_worst(better)
        return replace(self, measured=worst, counts=score.counts, households=score.households)

    @property
    def of_what(self) -> str:
        """What follows the measured number: see `of_what`."""
        return of_what(self.counts, self.households)


def of_what(counts: str, households: int | None) -> str:
    """Return what is counted, to follow a number: five records may be of one household.

    >>> f"5{of_what('records', 1)}", f"5{of_what('persons', None)}", f"5{of_what('', None)}"
    ('5 records, at least 1 household', '5 persons', '5')
    """
    many = "" if households == 1 else "s"
    beside = "" if households is None else f", at least {households:,} household{many}"
    return f"{f' {counts}' if counts else ''}{beside}"


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
