"""Replicated uniques: people alone in the original whom a synthetic file has just once, too."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Better, Context, MeasureSpec, Pairing, Score, Side
from discreet.measures.same_keys import KeyTables, combined
from discreet.microdata import Microdata


class ReplicatedUniques(KeyTables):
    """The share of original records that are alone by their keys in both files (repU).

    Such a record of a synthetic file looks like a disclosed person, whether or not its other values
    are that person's. It does not see records that are nearly the same, and a value of 0 does not
    mean that nothing can be inferred: read it together with DiSCO.

    >>> import discreet
    >>> roles = {"age": "quasi-identifier"}
    >>> original = discreet.read({"age": [30, 30, 41, 52]}, roles=roles)
    >>> synthetic = discreet.read({"age": [30, 41, 41, 52]}, roles=roles)
    >>> found = ReplicatedUniques().score(original, synthetic, Context())
    >>> found.value, found.detail["UiO"]    # only 52 is alone in both
    (0.25, 0.5)
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="replicated-uniques",
        title="Replicated uniques (repU)",
        citation="Raab, Nowok & Dibben (2024), Practical privacy metrics for synthetic data; "
        "synthpop's disclosure()",
        missing="a category of its own",
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        default=False,
        percent=True,
        formula="repU = #{q : d(q) = 1 and s(q) = 1} / n, d and s the records of the original and "
        "of the release with the keys q",
        cost="c·n·log n time; memory n",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return repU; per released record 1 if it is alone in both files."""
        keys = combined(self.keys(original, released, context))
        d, s = keys.counts
        replicated = (d == 1) & (s == 1)
        n = len(original)
        return Score(
            float(replicated.sum()) / n,
            per_record=replicated[keys.after].astype(np.float64),
            detail={
                "UiO": float((d == 1).sum()) / n,
                "UiS": float((s == 1).sum()) / len(released),
                "UiOiS": float(((d == 1) & (s > 0)).sum()) / n,
                "replicated": int(replicated.sum()),
            },
        )
