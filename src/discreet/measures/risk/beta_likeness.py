"""β-likeness: how much more likely a class makes a value, relative to its share."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Better, MeasureSpec, Question, Side
from discreet.measures.confidential import Tally, WorstClassMeasure
from discreet.microdata import Column, Numbers


class BetaLikeness(WorstClassMeasure):
    """The largest relative gain of a value's share from the release to a class.

    t-closeness adds differences up, so that a rare value may become many times as likely. Here each
    value counts separately, relative to its share in the release; values that become less likely do
    not count.

    >>> import discreet
    >>> from discreet.contracts import Context
    >>> data = discreet.read({"age": [30, 30, 41, 41, 41], "ill": ["a", "b", "a", "a", "b"]},
    ...                      roles={"age": "quasi-identifier", "ill": "confidential"})
    >>> round(BetaLikeness().score(data, data, Context()).value, 4)   # (1/2 − 2/5) : 2/5
    0.25
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="beta-likeness",
        title="β-likeness of the release",
        citation="Cao & Karras (2012), Publishing microdata with a robust privacy guarantee, basic "
        "β-likeness",
        missing="a category of its own, among quasi-identifiers and confidential values",
        side=Side.RISK,
        question=Question.LEARNED,
        better=Better.LOWER,
        low=0,
        high=np.inf,
        at_identity=None,
        default=False,
        of_release=True,
        formula="β = max over the classes and values of (p − q)/q, p the share of the value in the "
        "class, q that in the release",
        cost="n·c time, n·log n more where the combinations of values are many; memory n",
    )

    def by_class(self, column: Column, counts: Tally) -> Numbers:
        """Return max (p − q)/q for each group; sums are of whole numbers and divided once."""
        total = float(counts.totals.sum())
        gains = (
            counts.count * total / (counts.sizes[counts.group] * counts.totals[counts.value]) - 1
        )
        largest = np.zeros(len(counts.sizes))
        np.maximum.at(largest, counts.group, gains)
        return largest
