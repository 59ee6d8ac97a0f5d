"""ABICO: average absolute bias in correlation."""

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
)
from discreet.measures.utility.bias import average_absolute_bias
from discreet.microdata import Microdata
from discreet.models.moments import correlations


class ABICO(Measure):
    """The mean over the pairs of continuous quasi-identifiers of |change of r| / |r|.

    >>> import discreet
    >>> roles = {"a": "quasi-identifier", "b": "quasi-identifier"}
    >>> original = discreet.read({"a": [1, 2, 3], "b": [1, 2, 3]}, roles=roles)
    >>> released = discreet.read({"a": [1, 2, 3], "b": [1, 3, 2]}, roles=roles)
    >>> round(ABICO().score(original, released, Context()).value, 12)   # 1 became 0.5
    0.5
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="abico",
        title="ABICO: average absolute bias in correlation",
        citation="Li & Sarkar (2013), eq. 16",
        missing="statistics are taken over the values present",
        random=True,
        side=Side.UTILITY,
        question=Question.PAIRS,
        better=Better.LOWER,
        low=0,
        high=np.inf,
        at_identity=0,
        at_loss=1,
        percent=True,
        formula="ABICO = 2/(c(c − 1)) · Σ_{j<l} |r′ⱼₗ − rⱼₗ| / |rⱼₗ|",
        cost="n·c² time",
        sees=(Ruin.PERMUTED, Ruin.CONSTANT, Ruin.STARRED, Ruin.NUMBER_DROPPED),
        blind_to=(Ruin.CATEGORY_DROPPED,),
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the average over the columns; detail has each one."""
        return average_absolute_bias(original, released, correlations, context, pairing, pairs=True)
