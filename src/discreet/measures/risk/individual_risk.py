"""Individual risk of re-identification, by the sampling weights."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side
from discreet.measures.uniqueness import cells
from discreet.microdata import Microdata


class IndividualRisk(Measure):
    """The expected share of released records that an intruder who picks at random gets right.

    An intruder looks in a register of the population for the F persons with a record's
    quasi-identifiers and picks one: right with chance 1/F. F is unknown; the mean of 1/F given the
    f released records of the cell and their weights is used (`discreet.measures.uniqueness`). The
    value is the expected number of re-identifications over the number of records. Without a weight
    column the file is taken as the whole population, and the risk is 1/f.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41], "w": [60, 50, 8]},
    ...                      roles={"age": "quasi-identifier", "w": "weight"})
    >>> score = IndividualRisk().score(data, data, Context())
    >>> score.per_record.round(6).tolist()
    [0.017144, 0.017144, 0.297063]
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="individual-risk",
        title="Individual risk, expected re-identifications",
        citation="Benedetti & Franconi (1998); Franconi & Polettini (2004), Individual risk "
        "estimation in μ-Argus: a review",
        missing="a category of its own",
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        of_release=True,
        percent=True,
        formula="(1/n) Σᵢ E(1/Fᵢ | fᵢ)",
        cost="n·c time, n·log n more where the combinations of values are many; memory n",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the mean risk; per record its risk."""
        released_cells = cells(released, context)
        risks = released_cells.risks
        return Score(
            float(risks.mean()),
            per_record=risks,
            detail={
                "expected re-identifications": float(risks.sum()),
                "highest": float(risks.max()),
            },
            note=""
            if released_cells.weights is not None
            else "no sampling weights: the file is taken as the whole population",
        )
