"""Pairs: distances between the joint distributions of two columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import ClassVar

from discreet.contracts import Better, MeasureSpec, Question, Ruin, Side
from discreet.errors import NotApplicable
from discreet.measures.utility.cell_distances import CellDistance


class Pairs(CellDistance):
    """The mean distance between the original and the released two-way table of each pair.

    Cells and distances are those of the measure "marginals". A table of fine cells is never
    reproduced exactly: compare releases of one file with each other, not with zero.

    >>> import discreet
    >>> from discreet.contracts import Context
    >>> original = discreet.read({"a": ["x", "x", "y", "y"], "b": ["p", "p", "q", "q"]})
    >>> released = discreet.read({"a": ["x", "x", "y", "y"], "b": ["p", "q", "p", "q"]})
    >>> Pairs().score(original, released, Context()).value
    0.5
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="pairs",
        title="Distance between the distributions of pairs",
        citation="Drechsler (2011), Synthetic datasets for statistical disclosure control; total "
        "variation and Hellinger distance",
        missing="a category of its own",
        random=True,
        side=Side.UTILITY,
        question=Question.PAIRS,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=0,
        percent=True,
        formula="½ Σ_vw |p′_vw − p_vw|,  or Hellinger's √(½ Σ_vw (√p′_vw − √p_vw)²)",
        cost="n·log n time for each pair of columns",
        sees=(Ruin.STARRED, Ruin.NUMBER_DROPPED, Ruin.CATEGORY_DROPPED),
        blind_to=(Ruin.UNPAIRED,),
    )

    def tables(self, names: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the pairs of columns."""
        if len(names) < 2:
            raise NotApplicable("it needs two columns")
        return list(combinations(names, 2))
