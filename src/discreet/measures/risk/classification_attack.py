"""Classification attack: an intruder's tree guesses confidential classes."""

from __future__ import annotations

from typing import Any, ClassVar

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
from discreet.measures.intruder import (
    Guesses,
    Intruder,
    interval_of_mean,
    per_released,
    worst_of,
)
from discreet.measures.sampled import exact_low
from discreet.microdata import Kind, Microdata, Numbers


class ClassificationAttack(Measure):
    """How many more confidential classes a tree guesses right than always guessing the most
    frequent.

    A tree is trained on the release, the quasi-identifiers as predictors and a nominal or ordinal
    confidential column as response, and guesses the class of the persons of the original from
    their true quasi-identifiers: its share of right guesses less that of an intruder who always
    says the most frequent class, or 0 if the tree is no better. The value is that of the worst
    confidential column.

    The persons' own released records are among those the tree learned from; `detail` has the
    figure without them ("own record kept out"), which is what the same tree says about people who
    are not in the file.

    >>> import discreet
    >>> data = discreet.read({"age": [30] * 20 + [60] * 20, "ill": ["n"] * 20 + ["y"] * 20},
    ...                      roles={"age": "quasi-identifier", "ill": "confidential"})
    >>> ClassificationAttack().score(data, data, Context()).value
    0.5
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="classification-attack",
        title="Classification attack: classes guessed by a tree",
        citation="Li & Sarkar, Protecting privacy against regression attacks in predictive data "
        "mining, related work: the classification attack of Li & Sarkar (2009)",
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
        formula="max(0, share right by the tree − share right by the most frequent class)",
        cost="n·c·log n time for each level of six trees, which learn from 50,000 records at "
        "most; memory n·c",
    )

    leaf: int = param(
        default=20, help="minimum number of released records in a leaf of the tree", at_least=1
    )
    confidential: str | None = param(
        default=None,
        public=True,
        help="the nominal or ordinal column to guess; the worst of all confidential ones if not "
        "given",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the gain in right guesses; per record 1 if the tree is right, 0 if not."""
        kinds = [Kind.NOMINAL, Kind.ORDINAL]
        intruder = Intruder.of(original, released, self.confidential, kinds, pairing)
        scores = {}
        for name in intruder.targets:
            guesses = intruder.guesses(name, self.leaf, context.within(name))
            scores[name] = _score(guesses, len(original), pairing)
        return worst_of(scores, intruder.quasi)


def _score(guesses: Guesses, originals: int, pairing: Pairing | None) -> Score:
    """Return the score of one column."""
    right = (guesses.guess == guesses.truth).astype(np.float64)
    blind = (guesses.truth == guesses.blind).astype(np.float64)
    gain = float((right - blind).mean())
    half = interval_of_mean(right - blind)
    low = min(gain - half, _exact_low(right - blind))
    wrong = 1 - float(blind.mean())
    detail: dict[str, Any] = {
        "right": float(right.mean()),
        "right by the most frequent class": float(blind.mean()),
        "share of error removed": gain / wrong if wrong > 0 else 0.0,
        "leaves": len(np.unique(guesses.leaf)),
    }
    if guesses.kept_out is not None:
        kept_out = guesses.kept_out == guesses.truth
        detail["own record kept out"] = float((kept_out - blind).mean())
    return Score(
        max(0.0, gain),
        (max(0.0, low), max(0.0, min(1.0, gain + half))),
        per_released(right, guesses.rows, pairing, originals),
        detail,
        guesses.note,
    )


def _exact_low(gains: Numbers) -> float:
    """Return the lower end of a mean gain, by the records that only one of two guesses gets right.

    There may be few of them, which are not normal (McNemar 1947, Note on the sampling error of the
    difference between correlated proportions).

    >>> round(_exact_low(np.array([1.0, 1.0, 1.0, -1.0, 0.0])), 2)
    -0.49
    """
    apart = gains[gains != 0]
    if not len(apart):
        return 0.0
    won = exact_low(float((apart > 0).mean()), len(apart))
    return (2 * won - 1) * len(apart) / len(gains)
