"""Marginals: distances between the distributions of single columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from discreet.contracts import Better, MeasureSpec, Question, Ruin, Side
from discreet.measures.utility.cell_distances import CellDistance


class Marginals(CellDistance):
    """The mean distance between the original and the released distribution of each column.

    The total variation distance is half the sum of the absolute differences between the shares: the
    share of records that would have to move. A continuous column is cut into bins that hold about
    as many original records each. Every column of the original counts, except identifiers, weights,
    households and strata: a label counts by values drawn from what it stands for, and a column
    about which the release says nothing is at the maximum distance.

    >>> import discreet
    >>> from discreet.contracts import Context
    >>> original = discreet.read({"town": ["Ayle", "Ayle", "Bron", "Cull"]})
    >>> released = discreet.read({"town": ["Ayle", "Bron", "Bron", "Cull"]})
    >>> Marginals().score(original, released, Context()).value
    0.25
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="marginals",
        title="Distance between the distributions of columns",
        citation="Drechsler (2011), Synthetic datasets for statistical disclosure control; total "
        "variation and Hellinger distance",
        missing="a category of its own",
        random=True,
        side=Side.UTILITY,
        question=Question.COLUMNS,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=0,
        percent=True,
        formula="½ Σ_v |p′_v − p_v|,  or Hellinger's √(½ Σ_v (√p′_v − √p_v)²)",
        cost="n·log n time for each column",
        sees=(Ruin.STARRED, Ruin.NUMBER_DROPPED, Ruin.CATEGORY_DROPPED),
        blind_to=(Ruin.PERMUTED, Ruin.UNPAIRED),
    )

    def tables(self, names: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the columns, each by itself."""
        return [(name,) for name in names]
