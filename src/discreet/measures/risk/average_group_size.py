"""Average group size: how many records on average share their quasi-identifiers."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side
from discreet.measures.view import alike, units_alike
from discreet.microdata import Microdata
from discreet.microdata.clusters import counted_once
from discreet.microdata.equivalence import distinguishing_columns


class AverageGroupSize(Measure):
    """The number of released records for each different combination of quasi-identifiers.

    Li & Sarkar use it instead of the smallest group size where a small group may remain because its
    confidential values are diverse. It says nothing about the smallest group: read it together with
    k-anonymity.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 30, 41]}, roles={"age": "quasi-identifier"})
    >>> AverageGroupSize().score(data, data, Context()).value
    2.0
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="average-group-size",
        title="Average group size of the release",
        citation="Li & Sarkar, Protecting privacy against regression attacks in predictive data "
        "mining, section 'Experiments'",
        missing="a category of its own",
        side=Side.RISK,
        better=Better.HIGHER,
        low=1,
        high=np.inf,
        at_identity=None,
        default=False,
        of_release=True,
        formula="n / number of different combinations of quasi-identifiers",
        cost="n·c time, n·log n more where the combinations of values are many; memory n",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return records by groups; per record the size of its group."""
        labels = alike(released, distinguishing_columns(released), context)
        sizes = counted_once(labels, units_alike(released, context))
        return Score(
            float(sizes.mean()),
            per_record=sizes[labels].astype(np.float64),
            detail={"groups": len(sizes), "least": int(sizes.min()), "largest": int(sizes.max())},
        )
