"""Journalist risk: an intruder does not know who is in the file and wants to find anybody."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Better, Context, MeasureSpec, Pairing, Score, Side, param
from discreet.measures.population import RESTS_ON, PopulationMeasure
from discreet.measures.reidentification import (
    SUMMARIES,
    SUMMARY_HELP,
    THRESHOLD_HELP,
    summarised,
)
from discreet.microdata import Microdata


class JournalistRisk(PopulationMeasure):
    """The chance of picking the right person of the population for a record.

    A record could be any of the F people of the population that its values stand for; one of them
    is picked, correctly with chance 1/F. F is counted in a register, by what the released labels
    stand for, or estimated from the sampling weights or the fraction; then the mean of 1/F is used,
    and the highest chance has an interval. A register that lacks people of the file never makes F
    smaller than f.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41]}, roles={"age": "quasi-identifier"})
    >>> everybody = {"age": [30, 30, 30, 30, 41, 41, 56]}
    >>> score = JournalistRisk().from_population(everybody).score(data, data, Context())
    >>> score.value, score.per_record.tolist()
    (0.5, [0.25, 0.25, 0.5])
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="journalist-risk",
        title="Journalist risk",
        citation="Dankar & El Emam (2010), A method for evaluating marketer re-identification "
        "risk; El Emam (2013), Guide to the de-identification of personal health information; "
        "Prasser & Kohlmayer (2015), ARX",
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
        formula="highest: max 1/Fᵢ; average: (1/n) Σᵢ 1/Fᵢ; above: #{i : 1/Fᵢ > τ} / n",
        cost="(n + N)·c time for n records and N people, and once more for each way in which "
        "labels overlap; memory n + N",
    )

    summary: str = param(default="highest", help=SUMMARY_HELP, choices=SUMMARIES)
    threshold: float = param(default=0.2, help=THRESHOLD_HELP, above=0, at_most=1)

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the summary; per record its chance; detail has all summaries."""
        behind = self.population(original, released, context, pairing)
        interval = None
        if behind.least is not None and behind.most is not None:
            worst = int(np.argmax(behind.risks))
            interval = (float(1 / behind.most[worst]), float((1 / behind.least).max()))
        risks = behind.risks[behind.class_of]
        return summarised(
            risks, self.summary, self.threshold, behind.note, behind.detail, highest=interval
        )
