"""SSE/SST: the information loss of microaggregation."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import (
    Better,
    Context,
    Measure,
    MeasureSpec,
    Pairing,
    Question,
    Ruin,
    Score,
    Side,
    known_pairing,
)
from discreet.errors import NotApplicable
from discreet.measures.utility.squared_loss import squared_loss
from discreet.measures.utility.words import lost_and_weighted
from discreet.measures.view import compared_keys, decoded
from discreet.microdata import Microdata
from discreet.microdata.weights import weights_of


class SseSst(Measure):
    """Squared change of the standardised quasi-identifiers over their total sum of squares.

    For group means this is the within-group share of the sum of squares: 0 if nothing was
    changed, 1 if every record became the overall mean. Noise can take it above 1. A nominal value
    that changed counts 1. A label counts by its expectation: a number by the middle of its range, a
    category by shares; a column about which the release says nothing counts its whole sum of
    squares. Both sums count records by their weights.

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
        at_loss=1,
        paired=True,
        percent=True,
        formula="SSE/SST = Σᵢ Σⱼ ((x′ᵢⱼ − xᵢⱼ)/sⱼ)² / Σᵢ Σⱼ ((xᵢⱼ − x̄ⱼ)/sⱼ)²",
        cost="n·c time",
        sees=tuple(Ruin),
        blind_to=(),
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the share; per record its squared change over the mean squared distance."""
        names = compared_keys(original, released)
        pairing = known_pairing(pairing)
        view = decoded(original, released, names, pairing, context)
        weights = weights_of(original)
        # A record's loss counts as often as the record did.
        w = None if weights is None else weights[pairing.origin]
        w = w if w is not None and w.any() else None
        change, total = np.zeros(len(released)), 0.0
        parts: dict[tuple[str, ...], float] = {}
        for name in names:
            loss, of_column = squared_loss(view[name], pairing.origin, weights)
            change += loss
            total += of_column
            if of_column > 0:
                parts[(name,)] = float(np.average(loss, weights=w)) / of_column
        if not total > 0:
            raise NotApplicable("all original records have the same quasi-identifiers")
        mean = float(np.average(change, weights=w))
        return Score(
            mean / total,
            per_record=change / total,
            detail={
                "SSE": mean * len(released),
                "SST": total * len(released),
                "columns": [*names],
            },
            note=lost_and_weighted(view, original),
            parts=parts,
        )
