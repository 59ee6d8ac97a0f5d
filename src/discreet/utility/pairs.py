"""Pairs: distances between the joint distributions of two columns."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Context, Measure, NotApplicable, Pairing, Score
from discreet.microdata import Microdata
from discreet.parameters import param
from discreet.spec import Better, MeasureSpec, Side
from discreet.utility.marginals import DISTANCES, binned_columns, distances, on_another_scale


class Pairs(Measure):
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
        side=Side.UTILITY,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=0,
        percent=True,
        formula="½ Σ_vw |p′_vw − p_vw|,  or Hellinger's √(½ Σ_vw (√p′_vw − √p_vw)²)",
        cost="n·log n time for each pair of columns",
    )

    distance: str = param(
        default="total-variation", help="which distance is the value", choices=DISTANCES
    )
    bins: int = param(
        default=20, help="the number of bins that a continuous column is cut into", at_least=2
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the mean of the chosen distance; detail has both for each pair."""
        cells, other_scale = binned_columns(original, released, self.bins)
        if len(cells) < 2:
            raise NotApplicable("it needs two columns released on their original scale")
        found = {}
        with context.task("pairs of columns", len(cells)) as advance:
            for place, (one, (before, after)) in enumerate(cells.items()):
                for other, (before2, after2) in list(cells.items())[place + 1 :]:
                    room = int(max(before2.max(), after2.max())) + 1
                    found[f"{one} × {other}"] = distances(
                        before * room + before2, after * room + after2
                    )
                advance(1)
        chosen = DISTANCES.index(self.distance)
        return Score(
            float(np.mean([pair[chosen] for pair in found.values()])),
            detail={
                kind: {name: pair[i] for name, pair in found.items()}
                for i, kind in enumerate(DISTANCES)
            },
            note=on_another_scale(other_scale),
        )
