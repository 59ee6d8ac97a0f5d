"""β-likeness: how much more likely a class makes a value, relative to its share."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Better, MeasureSpec, Question, Side, param
from discreet.measures.confidential import WorstClassMeasure
from discreet.measures.tally import Tally
from discreet.microdata import Column, Numbers

VARIANTS = ("basic", "enhanced")


class BetaLikeness(WorstClassMeasure):
    """The largest relative gain of a value's share from the release to a class.

    t-closeness adds differences up, so that a rare value may become many times as likely. Here each
    value counts separately, relative to its share in the release; values that become less likely do
    not count. The enhanced variant also bounds each gain by −ln q, so that no class may consist of
    a frequent value alone: at q = 0.9 at most 99.5 % of its records may have it, whatever β. Where
    a gain exceeds that, no β holds, and the figure is infinite.

    >>> import discreet
    >>> from discreet.contracts import Context
    >>> data = discreet.read({"age": [30, 30, 41, 41, 41], "ill": ["a", "b", "a", "a", "b"]},
    ...                      roles={"age": "quasi-identifier", "ill": "confidential"})
    >>> round(BetaLikeness().score(data, data, Context()).value, 4)   # (1/2 − 2/5) : 2/5
    0.25
    >>> BetaLikeness(variant="enhanced").score(data, data, Context()).value   # −ln 2/5 = 0.92
    0.25
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="beta-likeness",
        title="β-likeness of the release",
        citation="Cao & Karras (2012), Publishing microdata with a robust privacy guarantee, basic "
        "and enhanced β-likeness",
        missing="a category of its own, among quasi-identifiers and confidential values",
        side=Side.RISK,
        question=Question.LEARNED,
        better=Better.LOWER,
        low=0,
        high=np.inf,
        at_identity=None,
        default=False,
        of_release=True,
        claimed_as_stated=True,
        formula="β = max over the classes and values of (p − q)/q, p the share of the value in the "
        "class, q that in the release; enhanced: infinite if (p − q)/q > −ln q for one of them",
        cost="n·c time, n·log n more where the combinations of values are many; memory n",
    )

    variant: str = param(
        default="basic",
        help="basic bounds gains by β alone, enhanced by min(β, −ln q), q the value's share in the "
        "release",
        choices=VARIANTS,
    )

    def by_class(self, column: Column, counts: Tally) -> Numbers:
        """Return max (p − q)/q for each group; sums are of whole numbers and divided once."""
        total = float(counts.totals.sum())
        gains = (
            counts.count * total / (counts.sizes[counts.group] * counts.totals[counts.value]) - 1
        )
        if self.variant == "enhanced":
            bound = -np.log(counts.totals[counts.value] / total)
            gains = np.where(gains > bound, np.inf, gains)
        largest = np.zeros(len(counts.sizes))
        np.maximum.at(largest, counts.group, gains)
        return largest
