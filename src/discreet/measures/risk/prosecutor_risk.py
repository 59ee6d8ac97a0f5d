"""Prosecutor risk: an intruder knows that a person is in the file and looks for the record."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side, param
from discreet.measures.reidentification import (
    SUMMARIES,
    SUMMARY_HELP,
    THRESHOLD_HELP,
    summarised,
)
from discreet.measures.view import sizes_alike
from discreet.microdata import Microdata
from discreet.microdata.equivalence import distinguishing_columns


class ProsecutorRisk(Measure):
    """The chance of picking a person's record among those that look like it.

    Of the f records of a class the intruder picks one, and is right with chance 1/f. The value is
    the highest chance over all records; the average, which is the number of classes over that of
    records; or the share of records whose chance is above the threshold.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41]}, roles={"age": "quasi-identifier"})
    >>> score = ProsecutorRisk(summary="average").score(data, data, Context())
    >>> round(score.value, 3), score.per_record.tolist()
    (0.667, [0.5, 0.5, 1.0])
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="prosecutor-risk",
        title="Prosecutor risk",
        citation="Dankar & El Emam (2010), A method for evaluating marketer re-identification "
        "risk; El Emam (2013), Guide to the de-identification of personal health information; "
        "Prasser & Kohlmayer (2015), ARX",
        missing="a category of its own",
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        default=False,
        claimed_as_stated=True,
        of_release=True,
        percent=True,
        formula="highest: max 1/fᵢ; average: (1/n) Σᵢ 1/fᵢ; above: #{i : 1/fᵢ > τ} / n",
        cost="n·c time, n·log n more where the combinations of values are many; memory n",
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
        sizes = sizes_alike(released, distinguishing_columns(released), context)
        return summarised(1 / sizes, self.summary, self.threshold)
