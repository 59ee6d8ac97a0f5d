"""ABIM: average absolute bias in mean."""

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
from discreet.models.moments import means


class ABIM(Measure):
    """The mean over the continuous quasi-identifiers of |change of the mean| / |mean|.

    >>> import discreet
    >>> roles = {"age": "quasi-identifier"}
    >>> original = discreet.read({"age": [20, 40]}, roles=roles)
    >>> released = discreet.read({"age": [26, 40]}, roles=roles)
    >>> ABIM().score(original, released, Context()).value   # 30 became 33
    0.1
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="abim",
        title="ABIM: average absolute bias in mean",
        citation="Li & Sarkar (2013), eq. 14",
        missing="statistics are taken over the values present",
        random=True,
        side=Side.UTILITY,
        question=Question.COLUMNS,
        better=Better.LOWER,
        low=0,
        high=np.inf,
        at_identity=0,
        at_loss=1,
        percent=True,
        formula="ABIM = (1/c) Σⱼ |x̄′ⱼ − x̄ⱼ| / |x̄ⱼ|",
        cost="n·c time",
        sees=(Ruin.STARRED, Ruin.NUMBER_DROPPED),
        blind_to=(Ruin.PERMUTED, Ruin.CONSTANT, Ruin.UNPAIRED, Ruin.CATEGORY_DROPPED),
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the average over the columns; detail has each one."""
        return average_absolute_bias(original, released, means, context, pairing)
