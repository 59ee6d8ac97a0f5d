"""Record linkage of Pagliuca & Seri: linked or second closely linked."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side, param
from discreet.measures.linkage.distance import linked_share
from discreet.microdata import Microdata
from discreet.microdata.embedding import SCALINGS


class LinkedOrSecond(Measure):
    """The share of released records whose own original is the nearest or second nearest.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 40, 60]}, roles={"age": "quasi-identifier"})
    >>> LinkedOrSecond().score(data, data, Context(), Pairing.same_order(3)).value
    1.0
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="linked-or-second",
        title="Linked or second-linked records",
        citation="Li & Sarkar (2013), §6.1, after Pagliuca & Seri (1999)",
        missing="a category of its own, one step from every value",
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        paired=True,
        percent=True,
        on_all_cores=True,
        formula="(1/n) Σᵢ P(own original of i is among the two originals nearest to i)",
        cost="as distance-linkage",
    )

    scaling: str = param(
        default="standard",
        help="what a column is divided by before computing distances: its standard deviation, its "
        "range (as in the comparisons of the paper), its interquartile range (robust), or nothing",
        choices=SCALINGS,
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the linked share; per record the probability of being linked."""
        return linked_share(
            original, released, context, pairing, candidates=2, scaling=self.scaling
        )
