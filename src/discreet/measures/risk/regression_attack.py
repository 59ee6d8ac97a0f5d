"""Regression attack: an intruder's tree guesses confidential numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np

from discreet.contracts import (
    Better,
    Context,
    Measure,
    MeasureSpec,
    Pairing,
    Question,
    Score,
    Side,
    param,
)
from discreet.errors import NotApplicable
from discreet.measures.attack.narrowness import Ranges
from discreet.measures.intruder import (
    Guesses,
    Intruder,
    interval_of_mean,
    per_released,
    worst_of,
)
from discreet.microdata import Kind, Microdata

NARROWEST = 10
ROUNDING = 1e-12
"""A deviation this small relative to the values is rounding."""


class RegressionAttack(Measure):
    """By what share a regression tree reduces an intruder's error, compared with the overall mean.

    A tree is trained on the release, the quasi-identifiers as predictors and a confidential
    number as response, and guesses that number for the persons of the original from their true
    quasi-identifiers: 1 − Σ (y − tree)² / Σ (y − overall mean)², or 0 if the tree is the worse
    guess. The value is that of the worst confidential column.

    The persons' own released records are among those the tree learned from; `detail` has the
    figure without them ("own record kept out"), which is what the same tree says about people who
    are not in the file, and the leaves whose confidential values lie closest together. The attack
    of the same name shows what the rules of such a tree reveal; against a release, its success is
    this measure's.

    >>> import discreet
    >>> data = discreet.read({"age": [30] * 20 + [60] * 20, "pay": [1.0] * 20 + [2.0] * 20},
    ...                      roles={"age": "quasi-identifier", "pay": "confidential"})
    >>> RegressionAttack().score(data, data, Context()).value
    1.0
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="regression-attack",
        title="Regression attack: error removed by a tree",
        citation="Li & Sarkar, Protecting privacy against regression attacks in predictive data "
        "mining, introduction",
        missing="a missing quasi-identifier is a value of its own; records without the "
        "confidential value are left out",
        random=True,
        side=Side.RISK,
        question=Question.LEARNED,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        default=False,
        percent=True,
        formula="max(0, 1 − Σᵢ (yᵢ − tree(xᵢ))² / Σᵢ (yᵢ − ȳ′)²),  ȳ′ the mean of the release",
        cost="as the measure classification-attack, for each confidential column",
    )

    leaf: int = param(
        default=20, help="minimum number of released records in a leaf of the tree", at_least=1
    )
    confidential: str | None = param(
        default=None,
        public=True,
        help="the continuous column to guess; the worst of all confidential ones if not given",
    )

    @classmethod
    def example(cls) -> Self:
        """Return the attack on a column that the tables of the checks have as a number."""
        return cls(confidential="weight")

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the share of error removed; per record the share of its own."""
        intruder = Intruder.of(original, released, self.confidential, [Kind.CONTINUOUS], pairing)
        scores: dict[str, Score] = {}
        for name in intruder.targets:
            guesses = intruder.guesses(name, self.leaf, context.within(name))
            score = _score(_scaled(guesses), len(original), pairing)
            if score is not None:
                scores[name] = score
        if not scores:
            raise NotApplicable("the confidential numbers are all equal")
        return worst_of(scores, intruder.quasi)


def _scaled(guesses: Guesses) -> Guesses:
    """Return the guesses in units of the largest value, so that squares are finite."""
    numbers = np.concatenate([guesses.truth, guesses.learned])
    largest = float(np.abs(numbers).max(initial=0)) or 1.0
    kept_out = guesses.kept_out
    return replace(
        guesses,
        truth=guesses.truth / largest,
        guess=guesses.guess / largest,
        blind=guesses.blind / largest,
        learned=guesses.learned / largest,
        kept_out=None if kept_out is None else kept_out / largest,
    )


def _score(guesses: Guesses, originals: int, pairing: Pairing | None) -> Score | None:
    """Return the score of one column; None if there is no error to remove."""
    truth = guesses.truth
    blind = (truth - guesses.blind) ** 2
    error = (truth - guesses.guess) ** 2
    if not blind.mean() > ROUNDING**2:
        return None
    removed = 1 - float(error.mean() / blind.mean())
    # The variance of a ratio of means, by the delta method.
    half = interval_of_mean((error - (1 - removed) * blind) / blind.mean())
    remaining = np.divide(error, blind, out=np.ones_like(error), where=blind > 0)
    detail: dict[str, Any] = {
        "share of error removed": removed,
        "leaves": len(np.unique(guesses.leaf)),
        "narrowest leaves": _narrowest(guesses),
    }
    if guesses.kept_out is not None:
        kept_out = ((truth - guesses.kept_out) ** 2).mean()
        detail["own record kept out"] = 1 - float(kept_out / blind.mean())
    return Score(
        _clipped(removed),
        (_clipped(removed - half), _clipped(removed + half)),
        per_released(1 - np.minimum(remaining, 1), guesses.rows, pairing, originals),
        detail,
        guesses.note,
    )


def _clipped(share: float) -> float:
    return min(1.0, max(0.0, share))


def _narrowest(guesses: Guesses) -> list[dict[str, float]]:
    """Return the leaves with the smallest range of released values, as a share of the whole."""
    leaves, labels = np.unique(guesses.leaf, return_inverse=True)
    ranges = Ranges.of(guesses.learned, labels, len(leaves))
    least = np.argsort(ranges.width, kind="stable")[:NARROWEST]
    return [{"records": int(ranges.known[i]), "range": float(ranges.width[i])} for i in least]
