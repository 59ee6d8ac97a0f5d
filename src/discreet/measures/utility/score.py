"""Score: information loss and disclosure risk in one figure, never without its parts."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side
from discreet.contracts.registry import find
from discreet.errors import NotApplicable
from discreet.microdata import Microdata

RISKS = {
    "DLD": "distance-linkage",
    "PLD": "probabilistic-linkage",
    "ID": "interval-disclosure",
}


class TradeOffScore(Measure):
    """(IL + ((DLD + PLD) / 2 + ID) / 2) / 2, all in percent: lower is the better trade.

    IL is the information loss, DLD and PLD the shares of records linked by distance and by
    probabilistic linkage, ID the share of values disclosed by intervals. No weighting does justice
    to all methods: the four parts are in the note and in the detail.

    >>> import discreet
    >>> roles = {"x": "quasi-identifier", "y": "quasi-identifier"}
    >>> data = discreet.read({"x": [1, 5, 9], "y": [2, 9, 4]}, roles=roles)
    >>> found = TradeOffScore().score(data, data, Context(), Pairing.same_order(3))
    >>> found.detail["IL"], found.detail["DLD"]
    (0.0, 100.0)
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="trade-off-score",
        title="Score of loss and risk, in percent",
        citation="Domingo-Ferrer, A survey of inference control methods, Example 1.4; "
        "Domingo-Ferrer & Torra (2001)",
        missing="as each of the four measures treats them",
        random=True,
        side=Side.TRADE_OFF,
        better=Better.LOWER,
        low=0,
        high=np.inf,
        at_identity=None,
        paired=True,
        default=False,
        formula="Score = ½ IL + ¼ · (DLD + PLD)/2 + ¼ ID",
        cost="that of information-loss, distance-linkage, probabilistic-linkage and "
        "interval-disclosure",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the score; detail and note have IL, DLD, PLD and ID."""
        loss = _part("information-loss", original, released, context, pairing)
        parts = {"IL": loss.value}
        for short, name in RISKS.items():
            parts[short] = 100 * _part(name, original, released, context, pairing).value
        risk = (0.5 * parts["DLD"] + 0.5 * parts["PLD"] + parts["ID"]) / 2
        listed = ", ".join(f"{short} {value:.2f} %" for short, value in parts.items())
        return Score(
            (parts["IL"] + risk) / 2,
            detail={**parts, "terms of IL": loss.detail["terms"]},
            note=f"made of {listed}" + (f"; IL: {loss.note}" if loss.note else ""),
        )


def _part(
    name: str,
    original: Microdata,
    released: Microdata,
    context: Context,
    pairing: Pairing | None,
) -> Score:
    measure = find("measure", name)()
    if not isinstance(measure, Measure):
        raise TypeError(f"{name} is not a measure")
    try:
        return measure.score(original, released, context.within(name), pairing)
    except NotApplicable as reason:
        raise NotApplicable(f"{measure.spec.title} has no value here: {reason}") from None
