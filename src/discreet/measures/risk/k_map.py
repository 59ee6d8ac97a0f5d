"""k-map: every released record could be at least k people of the population."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Better, Context, MeasureSpec, Pairing, Score, Side
from discreet.measures.population import RESTS_ON, PopulationMeasure
from discreet.microdata import Microdata


class KMap(PopulationMeasure):
    """The minimum number of people of the population that a released record could be.

    A file may be k-map without being k-anonymous: a record that is unique in a sample may have many
    doubles outside it. F is counted in a register, by what the released labels stand for, or
    estimated from the sampling weights or the fraction, with an interval; a claim is held to its
    lower end.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41]}, roles={"age": "quasi-identifier"})
    >>> everybody = {"age": [30, 30, 30, 30, 41, 41, 56]}
    >>> KMap().from_population(everybody).score(data, data, Context()).value
    2.0
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="k-map",
        title="k-map of the release",
        citation="Sweeney (2001), Computational disclosure control; El Emam & Dankar (2008), "
        "Protecting privacy using k-anonymity",
        missing="a category of its own; a suppressed value could be anybody's",
        side=Side.RISK,
        better=Better.HIGHER,
        low=1,
        high=np.inf,
        at_identity=None,
        default=False,
        claimed_as_stated=True,
        rests_on=RESTS_ON,
        formula="k = min over i of Fᵢ, the people whose values the record i stands for",
        cost="(n + N)·c time for n records and N people, and once more for each way in which "
        "labels overlap; memory n + N",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the minimum number of people; per record how many it could be."""
        behind = self.population(original, released, context, pairing)
        interval = None
        if behind.least is not None and behind.most is not None:
            fewest = int(np.argmin(behind.F))
            interval = (float(behind.least.min()), float(behind.most[fewest]))
        return Score(
            float(behind.F.min()),
            interval=interval,
            per_record=behind.F[behind.class_of],
            detail={"k-anonymity": int(behind.f.min()), **behind.detail},
            note=behind.note,
        )
