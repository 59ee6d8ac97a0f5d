"""KL divergence: of the original's combinations from those that a recoded release stands for."""

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
)
from discreet.errors import NotApplicable
from discreet.measures.registered import Candidates
from discreet.measures.utility.denoted import denoted
from discreet.measures.utility.words import lost_and_weighted
from discreet.measures.view import alike, compared_keys, decoded
from discreet.microdata import Microdata, Numbers
from discreet.microdata.weights import weights_of

LARGEST_EXPONENT = 700.0
"""e to the power of minus this is about the smallest number that a float holds."""


class KLDivergence(Measure):
    """The bits wasted if the release is taken for the distribution of the original.

    p is the share of a combination of quasi-identifiers in the original. q is its share if every
    released record is spread evenly over all combinations that it stands for, the values being
    those of the original's columns. It is infinite where a combination of the original is not one
    that the release allows: noise and swapping are outside its range. It sees dependence between
    columns too, since it compares whole combinations.

    >>> import discreet
    >>> roles = {"age": "quasi-identifier"}
    >>> original = discreet.read({"age": [21, 21, 21, 38]}, roles=roles)
    >>> released = discreet.read({"age": ["20–39"] * 4}, roles=roles)
    >>> round(KLDivergence().score(original, released, Context()).value, 4)  # ¾ log₂ 3/2 + ¼ log₂ ½
    0.1887
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="kl-divergence",
        title="KL divergence of the recoded release",
        citation="Kifer & Gehrke (2006), Injecting utility into anonymized datasets; a quality "
        "model of ARX",
        missing="a value of its own where the original is missing too, otherwise suppressed",
        side=Side.UTILITY,
        question=Question.PAIRS,
        better=Better.LOWER,
        low=0,
        high=np.inf,
        at_identity=0,
        default=False,
        formula="Σ over the combinations x of p(x) · log₂(p(x)/q(x))\n"
        "q(x) = 1/n Σ over the records i that x could be of 1/Πⱼ |Sᵢⱼ|",
        cost="n·c time, and once more for each way in which labels overlap; memory n",
        sees=(Ruin.PERMUTED, Ruin.CONSTANT, Ruin.STARRED, Ruin.UNPAIRED),
        blind_to=(Ruin.CATEGORY_DROPPED,),
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the divergence in bits; `at_loss` is that of a file without any value."""
        names = compared_keys(original, released)
        view = decoded(original, released, names, pairing, context)
        cells = {name: denoted(view[name]) for name in names}
        domain = sum(np.log(max(c.all_values, 1)) for c in cells.values())
        if domain > LARGEST_EXPONENT:
            raise NotApplicable("its columns have more combinations of values than can be counted")
        weights = weights_of(original)
        w = np.ones(len(original)) if weights is None else weights
        labels = alike(original, names, context)
        p = (np.bincount(labels, w) / w.sum())[labels]
        # Every factor |S| of a cell, those of columns that were not released among them. Where a
        # column has suppressed cells, nobody can tell which of its gaps were the original's.
        spread = np.zeros(len(released))
        for name, cell in cells.items():
            anything = view[name].missing & view[name].suppressed
            spread += np.log(np.where(anything, cell.all_values, cell.values))
        q = _shares(original, released, spread, pairing)
        counted = w > 0
        with np.errstate(divide="ignore"):
            bits = np.log2(p[counted] / q[counted]) if q[counted].all() else np.array([np.inf])
        value = float(np.average(bits, weights=w[counted])) if np.isfinite(bits).all() else np.inf
        entropy = -float(np.average(np.log2(p[counted]), weights=w[counted]))
        return Score(
            max(value, 0.0),
            detail={"entropy of the original": entropy},
            note=lost_and_weighted(view, original),
            at_loss=float(domain / np.log(2.0)) - entropy,
        )


def _shares(
    original: Microdata, released: Microdata, spread: Numbers, pairing: Pairing | None
) -> Numbers:
    """Return for each original record q of its combination, given each release's Σ log |S|."""
    weights = weights_of(released)
    w = np.ones(len(released)) if weights is None else weights
    if not any(name in released.schema for name in original.quasi_identifiers):
        return np.full(len(original), float(np.average(np.exp(-spread), weights=w)))
    origin = None if pairing is None else pairing.origin
    candidates = Candidates.of(original, original, released, origin)
    gives = np.bincount(candidates.class_of, w * np.exp(-spread)) / w.sum()
    return candidates.summed(gives)[0][candidates.combination_of]
