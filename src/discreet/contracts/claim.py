"""Claim: a promise about a release that is measured before anything is written."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Claim:
    """A bound on a measure, such as a k-anonymity of at least 5.

    `measured` is what the release gate found; None until it has looked.

    >>> Claim("k-anonymity", 5)
    Claim(k-anonymity: 5 claimed)
    """

    measure: str
    bound: float
    measured: float | None = None

    def __repr__(self) -> str:
        found = "" if self.measured is None else f", {self.measured:g} measured"
        return f"Claim({self.measure}: {self.bound:g} claimed{found})"
