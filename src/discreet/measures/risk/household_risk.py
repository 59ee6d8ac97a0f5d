"""Household risk: somebody in the household is re-identified."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side
from discreet.errors import NotApplicable
from discreet.measures.uniqueness import cells
from discreet.microdata import Microdata
from discreet.microdata.clusters import households_of


class HouseholdRisk(Measure):
    """The chance that at least one member of a record's household is re-identified, on average.

    Anyone who recognises one member knows the others: with the individual risks rᵢ of the members
    the risk of the household, and of each of its records, is 1 − Π (1 − rᵢ). A record without a
    household number is a household of its own.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41, 41], "home": [1, 1, 2, 3]},
    ...                      roles={"age": "quasi-identifier", "home": "household"})
    >>> HouseholdRisk().score(data, data, Context()).per_record.tolist()
    [0.75, 0.75, 0.5, 0.5]
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="household-risk",
        title="Household risk",
        citation="Hundepool et al. (2012), Statistical Disclosure Control; Templ (2017), "
        "Statistical Disclosure Control for Microdata",
        missing="a category of its own; a missing household number is a household of one",
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        of_release=True,
        percent=True,
        formula="(1/n) Σᵢ [1 − Π_{j in the household of i} (1 − rⱼ)],  rⱼ = E(1/Fⱼ | fⱼ)",
        cost="n·c time, n·log n more where the combinations of values are many; memory n",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the mean over the records; per record the risk of its household."""
        households = households_of(released)
        if households is None:
            raise NotApplicable("no released column says which household a record belongs to")
        released_cells = cells(released, context)
        risks = released_cells.risks
        home = households.labels
        # The logarithm of 0 is the right answer here: somebody is re-identified for certain.
        with np.errstate(divide="ignore"):
            spared = np.log1p(-risks)
        together = -np.expm1(np.bincount(home, weights=spared))
        return Score(
            float(together[home].mean()),
            per_record=together[home],
            detail={
                "households": len(together),
                "expected households re-identified": float(together.sum()),
                "individual risk": float(risks.mean()),
            },
        )
