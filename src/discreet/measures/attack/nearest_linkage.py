"""Linkage by distance: each released record to the nearest person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from discreet.contracts import Context, Pairing, Spec, Target
from discreet.measures.linkage.attempt import Comparison, LinkageAttack
from discreet.measures.linkage.cells import Matrix, Rows, cells, summed


class NearestLinkage(LinkageAttack):
    """Links each released record to the person at the smallest standardised distance.

    This is the intruder of the survey, who knows nothing about the method: the distance of distance
    linkage, also tried with no person linked twice.

    >>> import discreet
    >>> from discreet.contracts import Target
    >>> data = discreet.read({"age": [20, 40, 60]}, roles={"age": "quasi-identifier"})
    >>> NearestLinkage().attempt(Target(data, data, Pairing.same_order(3)), Context()).success
    1.0
    """

    spec: ClassVar[Spec] = Spec(
        name="nearest-linkage",
        title="Linkage by distance",
        citation="Domingo-Ferrer, A survey of inference control methods, Example 1.4; one to one: "
        "Winkler (2004), Re-identification methods for masked microdata",
        missing="a value of its own, one standard deviation from every other",
        random=True,
        formula="c(i, j) = Σ_c (gap of released i and person j in column c)²",
        cost="n² comparisons, of a sample where these are more than 30 million; memory n² up to "
        "2,000 records",
    )

    def compare(
        self, target: Target, names: Sequence[str], pairing: Pairing, context: Context
    ) -> Comparison:
        """Compare by the sum of squared gaps."""
        columns = cells(target.original, target.released, names, pairing.origin)

        def costs(rows: Rows, originals: Rows | slice) -> Matrix:
            squares = (column.looked_up(rows, originals, np.square) for column in columns)
            return summed(squares, rows, originals, len(target.original))

        return Comparison(costs)
