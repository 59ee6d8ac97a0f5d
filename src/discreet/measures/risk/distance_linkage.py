"""Distance linkage disclosure: the nearest original is the right one."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side
from discreet.measures.linkage.distance import linked_share
from discreet.microdata import Microdata


class DistanceLinkage(Measure):
    """The share of released records whose nearest original record is their own.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 40, 60]}, roles={"age": "quasi-identifier"})
    >>> DistanceLinkage().score(data, data, Context(), Pairing.same_order(3)).value
    1.0
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="distance-linkage",
        title="Distance linkage (DLD)",
        citation="Domingo-Ferrer, A survey of inference control methods, Example 1.4",
        missing="a category of its own, one step from every value",
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        paired=True,
        percent=True,
        on_all_cores=True,
        formula="DLD = (1/n) Σᵢ P(own original of i is drawn from the originals nearest to i)",
        cost="n·log n steps with few columns; n² comparisons where there are many columns or "
        "categories, of a sample of the released records where that would take hours; memory n·c",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the linked share; per record the probability of being linked."""
        score = linked_share(original, released, context, pairing, candidates=1)
        return replace(score, blind=score.detail["expected by chance"])
