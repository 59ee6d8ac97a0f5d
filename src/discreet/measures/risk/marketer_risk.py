"""Marketer risk: an intruder links the whole file with a register of the population."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Better, Context, MeasureSpec, Pairing, Score, Side
from discreet.measures.population import RESTS_ON, PopulationMeasure
from discreet.microdata import Microdata


class MarketerRisk(PopulationMeasure):
    """The expected share of records for which the right person of the population is picked.

    Every record is linked to one of the F people that it could be, correctly with chance 1/F. With
    sampling weights and no register this is the individual risk.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41]}, roles={"age": "quasi-identifier"})
    >>> everybody = {"age": [30, 30, 30, 30, 41, 41, 56]}
    >>> MarketerRisk().from_population(everybody).score(data, data, Context()).value
    0.3333333333333333
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="marketer-risk",
        title="Marketer risk",
        citation="Dankar & El Emam (2010), A method for evaluating marketer re-identification "
        "risk; Prasser & Kohlmayer (2015), ARX",
        missing="a category of its own; a suppressed value could be anybody's",
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        default=False,
        claimed_as_stated=True,
        rests_on=RESTS_ON,
        percent=True,
        formula="(1/n) Σᵢ 1/Fᵢ = (1/n) Σⱼ fⱼ/Fⱼ over the classes j",
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
        """Return the expected share; per record its chance."""
        behind = self.population(original, released, context, pairing)
        risks = behind.risks[behind.class_of]
        return Score(
            float(risks.mean()),
            per_record=risks,
            detail={"expected re-identifications": float(risks.sum()), **behind.detail},
            note=behind.note.partition(";")[0] if behind.least is not None else behind.note,
        )
