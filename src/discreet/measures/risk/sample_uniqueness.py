"""Sample uniqueness: released records that are alone in the file."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side
from discreet.measures.uniqueness import cells_of_units
from discreet.microdata import Microdata


class SampleUniqueness(Measure):
    """The share of released records that no other released record equals in all quasi-identifiers.

    A missing value counts as a value of its own, as in k-anonymity.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41, 52]}, roles={"age": "quasi-identifier"})
    >>> SampleUniqueness().score(data, data, Context()).value
    0.5
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="sample-uniqueness",
        title="Sample uniques",
        citation="Bethlehem, Keller & Pannekoek (1990), Disclosure control of microdata",
        missing="a category of its own",
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        of_release=True,
        percent=True,
        formula="#{i : fᵢ = 1} / n",
        cost="n·c time, n·log n more where the combinations of values are many; memory n",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the share; per record 1 for a unique and 0 for another."""
        released_cells = cells_of_units(released, context)
        alone = released_cells.sizes == 1
        pairs = released_cells.sizes == 2
        return Score(
            float(alone.mean()),
            per_record=alone.astype(np.float64),
            detail={"uniques": int(alone.sum()), "share in pairs": float(pairs.mean())},
        )
