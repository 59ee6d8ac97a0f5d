"""ABISD: average absolute bias in standard deviation."""

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
from discreet.models.moments import covariance, deviations


class ABISD(Measure):
    """The mean over the continuous quasi-identifiers of |change of s| / s, s the deviation.

    >>> import discreet
    >>> roles = {"age": "quasi-identifier"}
    >>> original = discreet.read({"age": [20, 40]}, roles=roles)
    >>> released = discreet.read({"age": [25, 35]}, roles=roles)
    >>> ABISD().score(original, released, Context()).value   # half of the spread is gone
    0.5
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="abisd",
        title="ABISD: average absolute bias in standard deviation",
        citation="Li & Sarkar (2013), eq. 15",
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
        formula="ABISD = (1/c) Σⱼ |s′ⱼ − sⱼ| / sⱼ",
        cost="n·c time",
        sees=(Ruin.CONSTANT, Ruin.STARRED, Ruin.NUMBER_DROPPED),
        blind_to=(Ruin.PERMUTED, Ruin.UNPAIRED, Ruin.CATEGORY_DROPPED),
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the average over the columns; detail has each one."""
        return average_absolute_bias(
            original, released, covariance, context, pairing, then=deviations
        )
