"""δ-disclosure privacy: by how much a class changes what is believed about a value."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Better, MeasureSpec, Question, Side
from discreet.measures.confidential import WorstClassMeasure
from discreet.measures.tally import Tally
from discreet.microdata import Column, Numbers


class DeltaDisclosure(WorstClassMeasure):
    """The largest change of a value's share from the release to a class, as a logarithm.

    A release is δ-disclosure private if in every class every value that the release has is as
    frequent as in the release within a factor of e^δ. A value that a class lacks altogether is
    ruled out there: the figure is then infinite, and only classes with all values are private.

    >>> import discreet
    >>> from discreet.contracts import Context
    >>> data = discreet.read({"age": [30, 30, 41, 41, 41], "ill": ["a", "b", "a", "a", "b"]},
    ...                      roles={"age": "quasi-identifier", "ill": "confidential"})
    >>> round(DeltaDisclosure().score(data, data, Context()).value, 4)   # ln(1/2 : 2/5)
    0.2231
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="delta-disclosure",
        title="δ-disclosure privacy of the release",
        citation="Brickell & Shmatikov (2008), The cost of privacy: destruction of data-mining "
        "utility in anonymized data publishing, Definition 3",
        missing="a category of its own, among quasi-identifiers and confidential values",
        side=Side.RISK,
        question=Question.LEARNED,
        better=Better.LOWER,
        low=0,
        high=np.inf,
        at_identity=None,
        default=False,
        of_release=True,
        formula="δ = max over the classes and values of |ln(p/q)|, p the share of the value in the "
        "class, q that in the release",
        cost="n·c time, n·log n more where the combinations of values are many; memory n",
    )

    def by_class(self, column: Column, counts: Tally) -> Numbers:
        """Return max |ln(p/q)| for each group; infinite where a value of the release is absent."""
        shares = counts.count / counts.sizes[counts.group]
        overall = counts.totals[counts.value] / counts.totals.sum()
        changes = np.zeros(len(counts.sizes))
        np.maximum.at(changes, counts.group, np.abs(np.log(shares / overall)))
        changes[counts.distinct < (counts.totals > 0).sum()] = np.inf
        return changes
