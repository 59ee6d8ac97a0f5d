"""Ambiguity: how many combinations of values a released record could have been."""

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
from discreet.measures.utility.denoted import denoted
from discreet.measures.utility.words import lost_and_weighted
from discreet.measures.view import compared_keys, decoded
from discreet.microdata import Microdata
from discreet.microdata.weights import weights_of


class Ambiguity(Measure):
    """The mean number of combinations of values that a released record stands for.

    A cell stands for the values of its label that occur in the original's column, a suppressed one
    for all of them. 1 if nothing was recoded. A single very coarse record can decide the mean;
    whether values are true does not matter.

    >>> import discreet
    >>> roles = {"age": "quasi-identifier", "sex": "quasi-identifier"}
    >>> original = discreet.read({"age": [21, 38, 47], "sex": ["f", "m", "m"]}, roles=roles)
    >>> released = discreet.read({"age": ["20–39", "20–39", "47"], "sex": ["f", None, "m"]},
    ...                          roles=roles)
    >>> found = Ambiguity().score(original, released, Context(), Pairing.same_order(3))
    >>> found.per_record, round(found.value, 4)
    (array([2., 4., 1.]), 2.3333)
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="ambiguity",
        title="Ambiguity",
        citation="Goldberger & Tassa (2010), Efficient anonymizations with enhanced utility, §3, "
        "AM; a quality model of ARX",
        missing="a value of its own where the original is missing too, otherwise suppressed",
        side=Side.UTILITY,
        question=Question.COLUMNS,
        better=Better.LOWER,
        low=1,
        high=np.inf,
        at_identity=1,
        default=False,
        formula="AM = 1/n Σᵢ Πⱼ |Sᵢⱼ|, Sᵢⱼ the values that the released cell stands for",
        cost="n·c time, n·log n to count values",
        sees=(Ruin.STARRED,),
        blind_to=tuple(ruin for ruin in Ruin if ruin is not Ruin.STARRED),
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the mean; per record its own combinations, and by column the mean |S|."""
        names = compared_keys(original, released)
        view = decoded(original, released, names, pairing, context)
        w = weights_of(released)
        product, most = np.ones(len(released)), 1.0
        by_column: dict[str, float] = {}
        # More combinations than a number can hold count as infinitely many.
        with np.errstate(over="ignore"):
            for name in names:
                cells = denoted(view[name])
                product = product * cells.values
                most *= float(max(cells.all_values, 1))
                by_column[name] = float(np.average(cells.values, weights=w))
            value = float(np.average(product, weights=w))
        return Score(
            value,
            per_record=product,
            detail={"values of a cell, on average": by_column, "combinations": most},
            note=lost_and_weighted(view, original),
            at_loss=most if np.isfinite(most) else None,
        )
