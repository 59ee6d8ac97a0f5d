"""SSE/SST: the information loss of microaggregation."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Question, Score, Side
from discreet.errors import NotApplicable
from discreet.microdata import Microdata
from discreet.microdata.comparison import comparable, in_same_categories
from discreet.microdata.embedding import Embedding


class SseSst(Measure):
    """Squared change of the standardised quasi-identifiers over their total sum of squares.

    For group means this is the within-group share of the sum of squares: 0 if nothing was
    changed, 1 if every record became the overall mean. Noise can take it above 1. A nominal value
    that changed counts 1.

    >>> import discreet
    >>> roles = {"age": "quasi-identifier"}
    >>> original = discreet.read({"age": [20, 22, 40, 42]}, roles=roles)
    >>> released = discreet.read({"age": [21, 21, 41, 41]}, roles=roles)
    >>> SseSst().score(original, released, Context(), Pairing.same_order(4)).value  # 4 / 404
    0.0099009...
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="sse-sst",
        title="Information loss SSE/SST",
        citation="Domingo-Ferrer, A survey of inference control methods, §2; Sun et al. (2012), §4",
        missing="a category of its own, one step from every value",
        side=Side.UTILITY,
        question=Question.COLUMNS,
        better=Better.LOWER,
        low=0,
        high=np.inf,
        at_identity=0,
        paired=True,
        percent=True,
        formula="SSE/SST = Σᵢ Σⱼ ((x′ᵢⱼ − xᵢⱼ)/sⱼ)² / Σᵢ Σⱼ ((xᵢⱼ − x̄ⱼ)/sⱼ)²",
        cost="n·c time",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the share; per record its squared change over the mean squared distance."""
        names = comparable(original, released, original.quasi_identifiers)
        if not names:
            raise NotApplicable("no quasi-identifier was released on its original scale")
        if pairing is None:
            raise NotApplicable("it needs to know which original each released record came from")
        if not len(released):
            raise NotApplicable("the release has no records")
        released = in_same_categories(original, released, names)
        embedding = Embedding.fit(original, names, also=released)
        before, codes = embedding.apart(original)
        total = float(((before - before.mean(axis=0)) ** 2).sum()) + _spread_of_codes(codes)
        if total == 0:
            raise NotApplicable("all original records have the same quasi-identifiers")
        after, released_codes = embedding.apart(released)
        change = ((after - before[pairing.origin]) ** 2).sum(axis=1)
        change += (released_codes != codes[pairing.origin]).sum(axis=1)
        return Score(
            float(change.sum()) / total,
            per_record=change / (total / len(original)),
            detail={"SSE": float(change.sum()), "SST": total, "columns": names},
        )


def _spread_of_codes(codes: NDArray[np.int32]) -> float:
    """Return the sum of squares of nominal columns about their centre: n (1 − Σ p²) / 2 each.

    That is what the coordinates of the embedding give, without writing them down: a category of
    share p is at 1/√2 for that share of the records and at 0 for the others.
    """
    total = 0.0
    for column in codes.T:
        shares = np.bincount(column + 1) / len(column)
        total += len(column) * (1 - float((shares**2).sum())) / 2
    return total
