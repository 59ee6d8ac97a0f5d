"""Eigenvalues: the change of the principal components' variances."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import (
    Better,
    Context,
    Measure,
    MeasureSpec,
    Pairing,
    Question,
    Ruin,
    Score,
    Side,
    param,
)
from discreet.errors import NotApplicable
from discreet.measures.utility.words import lost, weighted
from discreet.measures.view import decoded
from discreet.microdata import Microdata, Numbers
from discreet.microdata.weights import weights_of
from discreet.models.moments import correlations

ZERO = 1e-9
"""An eigenvalue of a correlation matrix below this is zero up to rounding."""


class Eigenvalues(Measure):
    """The summed relative change of the eigenvalues of the correlation matrix.

    The eigenvalues, from the largest to the smallest, are the variances of the principal components
    of the standardised continuous quasi-identifiers; sdcMicro compares them as here. Their sum is
    always the number of columns, so that they say how the columns are related and nothing about
    single columns, nor which columns are related: exchanging two of them changes nothing. With
    `robust`, correlations are those of the ranks, which a few far records do not decide.

    >>> import discreet
    >>> roles = {"a": "quasi-identifier", "b": "quasi-identifier"}
    >>> original = discreet.read({"a": [1, 2, 3], "b": [1, 3, 2]}, roles=roles)
    >>> released = discreet.read({"a": [1, 2, 3], "b": [1, 1, 1]}, roles=roles)
    >>> round(Eigenvalues().score(original, released, Context()).value, 4)  # 1.5, 0.5 became 1, 1
    1.3333
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="eigenvalues",
        title="Change of eigenvalues",
        citation="Templ & Meindl (2008), Robust statistics meets SDC; sdcMicro's dUtility, 'eigen'",
        missing="statistics are taken over the values present",
        random=True,
        side=Side.UTILITY,
        question=Question.PAIRS,
        better=Better.LOWER,
        low=0,
        high=np.inf,
        at_identity=0,
        default=False,
        formula="Σⱼ |λⱼ − λ′ⱼ| / λⱼ, λ the eigenvalues of the original's correlation matrix in "
        "their order, λ′ those of the release",
        cost="n·c² time, n·log n more for ranks",
        sees=(Ruin.CONSTANT, Ruin.STARRED),
        blind_to=(Ruin.CATEGORY_DROPPED,),
    )

    robust: bool = param(
        default=False, help="whether correlations are those of ranks instead of values"
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the sum; detail has both lists of eigenvalues."""
        names = [n for n in original.quasi_identifiers if original.schema[n].continuous]
        if len(names) < 2:
            raise NotApplicable(
                f"it needs 2 continuous quasi-identifiers, but there are {len(names)}"
            )
        if len(original) < 2 or len(released) < 2:
            raise NotApplicable("it needs at least two records")
        view = decoded(original, released, names, pairing, context)
        before = self._of(original.matrix(names), weights_of(original))
        kept = before > ZERO
        weights = weights_of(released)
        draws = [
            self._of(draw.matrix(names), weights) for draw in view.draws(context.generator("draws"))
        ]
        changes = [float(_change(before[kept], after[kept])) for after in draws]
        note = "" if kept.all() else f"{int((~kept).sum())} left out: eigenvalues of zero"
        return Score(
            float(np.mean(changes)),
            detail={
                "original": before.tolist(),
                "release": np.mean(draws, axis=0).tolist(),
            },
            note="; ".join(filter(None, [note, lost(view), weighted(original)])),
            at_loss=_change(before[kept], np.ones(int(kept.sum()))),
        )

    def _of(self, values: Numbers, weights: Numbers | None) -> Numbers:
        """Return the eigenvalues, the largest first; a correlation that does not exist is 0."""
        if self.robust:
            values = np.column_stack([_ranks(column) for column in values.T])
        matrix = np.nan_to_num(correlations(values, weights))
        np.fill_diagonal(matrix, 1.0)
        return np.asarray(np.linalg.eigvalsh(matrix)[::-1])


def _ranks(values: Numbers) -> Numbers:
    """Return the ranks of the present values, equal ones sharing theirs."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(values, nan_policy="omit"), dtype=np.float64)


def _change(before: Numbers, after: Numbers) -> float:
    return float((np.abs(before - after) / before).sum())
