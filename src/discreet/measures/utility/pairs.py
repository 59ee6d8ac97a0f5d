"""Pairs: distances between the joint distributions of two columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from discreet.contracts import Better, Context, MeasureSpec, Question, Side
from discreet.errors import NotApplicable
from discreet.measures.utility.cell_distances import CellDistance, Cells


class Pairs(CellDistance):
    """The mean distance between the original and the released two-way table of each pair.

    Cells and distances are those of the measure "marginals". A table of fine cells is never
    reached exactly: compare releases of one file with each other, not with zero.

    >>> import discreet
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
    )

    def tables(
        self, columns: Mapping[str, Cells], context: Context
    ) -> Iterator[tuple[tuple[str, ...], Cells]]:
        """Yield the two-way table of each pair of columns."""
        if len(columns) < 2:
            raise NotApplicable("it needs two columns")
        with context.task("pairs of columns", len(columns)) as advance:
            for place, (one, (before, after)) in enumerate(columns.items()):
                for other, (before2, after2) in list(columns.items())[place + 1 :]:
                    room = int(max(before2.max(), after2.max())) + 1
                    yield (one, other), (before * room + before2, after * room + after2)
                advance(1)
