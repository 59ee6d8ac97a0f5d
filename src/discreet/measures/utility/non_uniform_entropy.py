"""Non-uniform entropy: the information that recoding takes from each value."""

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
from discreet.measures.utility.denoted import denoted, stands_for
from discreet.measures.utility.words import lost_and_weighted
from discreet.measures.view import compared_keys, decoded
from discreet.microdata import Microdata
from discreet.microdata.weights import weights_of


class NonUniformEntropy(Measure):
    """The share of the values' information that the release has lost.

    Anyone who knows the released cell finds the original value x in it with the chance n(x) / n(S),
    by the records of the original that have x and those that have any value of the cell. The bits
    that are missing are summed and divided by those missing if everything were suppressed. It is
    only for recoded and suppressed files: after noise or swapping, cells do not stand for their
    value.

    >>> import discreet
    >>> roles = {"age": "quasi-identifier"}
    >>> original = discreet.read({"age": [21, 38, 47, 59]}, roles=roles)
    >>> released = discreet.read({"age": ["20–39", "20–39", "47", "59"]}, roles=roles)
    >>> NonUniformEntropy().score(original, released, Context(), Pairing.same_order(4)).value
    0.25
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="non-uniform-entropy",
        title="Non-uniform entropy lost",
        citation="De Waal & Willenborg (1999), Information loss through global recoding and local "
        "suppression; Gionis & Tassa (2009), k-Anonymization with minimal loss of information; a "
        "quality model of ARX",
        missing="a value of its own where the original is missing too, otherwise suppressed",
        side=Side.UTILITY,
        question=Question.COLUMNS,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=0,
        paired=True,
        of_recoded=True,
        default=False,
        percent=True,
        formula="Σᵢ Σⱼ −log₂(n(xᵢⱼ)/n(Sᵢⱼ)) / Σᵢ Σⱼ −log₂(n(xᵢⱼ)/n)",
        cost="n·c time, n·log n to count values",
        sees=(Ruin.STARRED, Ruin.NUMBER_DROPPED, Ruin.CATEGORY_DROPPED),
        blind_to=(),
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the share of the bits; per record its own bits over the mean."""
        names = compared_keys(original, released)
        pairing = known_pairing(pairing)
        origin = pairing.origin
        view = decoded(original, released, names, pairing, context)
        weights = weights_of(original)
        # A record's loss counts as often as the record did.
        w = np.ones(len(released)) if weights is None else weights[origin]
        w = w if w.any() else np.ones(len(released))
        bits, total = np.zeros(len(released)), 0.0
        parts: dict[tuple[str, ...], float] = {}
        for name in names:
            cells = denoted(view[name], weights)
            if not stands_for(view[name], origin).all():
                raise NotApplicable(
                    f"values of '{name}' were changed, and this measure is only for recoded values"
                )
            original_count = np.where(cells.same_value > 0, cells.same_value, cells.all_records)[
                origin
            ]
            largest = np.log2(cells.all_records / original_count)
            lost_bits = np.log2(np.maximum(cells.records, original_count) / original_count)
            bits += lost_bits
            mean = float(np.average(largest, weights=w))
            total += mean
            if mean > 0:
                parts[(name,)] = float(np.average(lost_bits, weights=w)) / mean
        if not total > 0:
            raise NotApplicable("all original records have the same quasi-identifiers")
        return Score(
            min(float(np.average(bits, weights=w)) / total, 1.0),
            per_record=bits / total,
            detail={"bits of a record lost": float(np.average(bits, weights=w)), "of": total},
            note=lost_and_weighted(view, original),
            parts=parts,
        )
