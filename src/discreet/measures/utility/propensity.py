"""Propensity: how well a model can tell released records from original ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Better,
    Context,
    Measure,
    MeasureSpec,
    Pairing,
    Ruin,
    Score,
    Side,
    param,
)
from discreet.errors import NotApplicable
from discreet.measures.utility.stacked_weights import StackedWeights
from discreet.measures.utility.words import weighted
from discreet.microdata import Kind, Microdata, Numbers
from discreet.microdata.decoded import Decoded
from discreet.microdata.weights import effective_size
from discreet.models.boosting import (
    FOLDS,
    area_under_curve,
    calibrated,
    learner_matrix,
    out_of_fold,
)
from discreet.models.design_matrix import ANALYSED, MOST_TERMS, DesignMatrix
from discreet.models.products import Factor, count_products, factors_of, fit_products

RECORDS_PER_TERM = 5
"""With fewer the model would distinguish the files by luck alone."""
WORK = 4_000_000_000
"""Records × terms² of one step of the logistic regression, beyond which records are sampled."""
MOST_RECORDS = 50_000
"""The most records of each file that are drawn from labels and compared."""
LEARNER_RECORDS = 10_000
"""The most records of each file that the learner sees."""
LEAST_LEARNED = 200
"""With fewer records in both files together there is nothing for a learner to learn."""
CERTAIN = 1e-6
"""A propensity this near to 0 or 1 distinguishes a record with certainty."""

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Fitted:
    """What one model found: propensities of the stacked files, and U_p expected under the null."""

    propensities: Numbers
    share: float
    expected: float
    model: str
    detail: dict[str, Any]
    sampled: bool
    weights: Numbers | None = None

    @property
    def squared(self) -> Numbers:
        return np.asarray((self.propensities - self.share) ** 2)

    @property
    def value(self) -> float:
        return min(float(np.average(self.squared, weights=self.weights)), 0.25)

    @property
    def excess(self) -> float:
        """How much better the files can be told apart than two draws from one distribution."""
        return self.value - self.expected


class Propensity(Measure):
    """The mean squared distance of the propensity scores from the share of released records.

    Original and released records are stacked, and a model estimates for each the probability of
    being a released one. If the files have the same distribution all of these are near the share
    c of the released records (1/2 for files of one size), and U_p is near 0; c(1 − c) is the most.
    A recoded or suppressed value is drawn from what it stands for, and a column that is not
    released tells every record apart. Records count by the weights of their file.

    The logistic model has the main effects and the products of up to `order` different
    standardised columns, each up to the power `powers`. It is not used where there are more than
    400 terms, or fewer than five records per term. Without powers, which is the paper's wording, a
    release whose means and products of different columns are right looks perfect, whatever happened
    to each column's spread and tails.

    The learner grows boosted trees; each record is scored by trees that were grown on others. The
    automatic choice asks both, on files of 200 records or more, and takes the one that tells the
    files apart better: what one model is blind to, the other sees.

    The value expected under the null is that of a release drawn from the original's own
    distribution: (terms)·(1 − c)²·c / N for the logistic model. What the learner finds by chance is
    removed by a logistic regression of the truth on its scores, so that its null is that of one
    term. Look at the ratio to the null first: about 1 means a release like another sample.

    >>> import discreet
    >>> original = discreet.read({"x": [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]})
    >>> released = discreet.read({"x": [0, 0, 0, 0, 0, 0, 0, 0, 1, 1]})
    >>> score = Propensity().score(original, released, Context())
    >>> round(score.value, 6)   # scores 8/13 (13 records) and 2/7 (7 records)
    0.024725
    >>> score.detail["2N·U_p"].__round__(6)
    0.989011
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="propensity",
        title="Propensity score utility U_p",
        citation="Oganian & Domingo-Ferrer (2017), eq. 11; Woo, Reiter, Oganian & Karr (2009); "
        "expectation under the null: Snoke, Raab, Nowok, Dibben & Slavkovic (2018)",
        missing="at the mean with an indicator; a category of its own in nominal columns",
        random=True,
        side=Side.UTILITY,
        better=Better.LOWER,
        low=0,
        high=0.25,
        at_identity=0,
        formula="U_p = (1/N) Σᵢ (p̂ᵢ − c)²,  N the records of both files, c the share of released "
        "ones",
        cost="N·p² time for each step of the fit with p terms, at most 400; a sample of larger "
        "files",
        sees=(Ruin.CONSTANT, Ruin.STARRED, Ruin.NUMBER_DROPPED, Ruin.CATEGORY_DROPPED),
        blind_to=(),
    )

    model: str = param(
        default="auto",
        help="what estimates the propensities; auto uses whichever distinguishes the files better",
        choices=("auto", "logistic", "learner"),
    )
    order: int = param(
        default=3,
        help="products of up to this many columns (logistic model)",
        at_least=1,
        at_most=3,
    )

    powers: int = param(
        default=2,
        help="highest power in which a continuous or ordinal column enters (logistic model); from "
        "2 on the spread and the tails of each column are compared too",
        at_least=1,
        at_most=3,
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return U_p; detail has the ratio to the null, 2N·U_p and what the learner found."""
        names = original.having(*ANALYSED)
        if not names:
            raise NotApplicable("there is no column that an analyst would work with")
        if not len(original) or not len(released):
            raise NotApplicable("one of the files has no records")
        weight_note = weighted(original)
        weights = StackedWeights.of(original, released)
        original = Microdata(original.column(name) for name in names)
        origin = None if pairing is None else pairing.origin
        rows = _sample(len(original), len(released), origin, MOST_RECORDS, context)
        whole = len(rows[0]) == len(original) and len(rows[1]) == len(released)
        if not whole:
            if origin is not None:
                origin = np.searchsorted(rows[0], origin[rows[1]])
            original, released = original.take(rows[0]), released.take(rows[1])
            weights = weights.take(rows)
        view = Decoded(original, released, names, origin)
        draws = list(view.draws(context.generator("draws")))
        fitted = self._fitted(original, draws, origin, weights, context)
        best = max(fitted, key=lambda part: part.excess)
        value, reach = best.value, 1.96 * best.squared.std() / np.sqrt(len(best.squared))
        sampled = best.sampled or not whole
        learned = next((part for part in fitted if part.detail["model"] == "learner"), None)
        return Score(
            value,
            interval=_within(value - reach, value + reach) if sampled else None,
            per_record=None if sampled else best.squared[len(original) :],
            detail={
                "ratio to the null": value / best.expected if best.expected > 0 else None,
                "U_p": value,
                "2N·U_p": 2 * len(best.squared) * value,
                "records": len(best.squared),
                "expected under the null": best.expected,
                "released share": best.share,
                "out-of-fold AUC": learned.detail["AUC"] if learned is not None else None,
                **best.detail,
            },
            note="; ".join(filter(None, [_note(best, sampled, view.lost), weight_note])),
            at_loss=best.share * (1 - best.share),
        )

    def _fitted(
        self,
        original: Microdata,
        draws: list[Microdata],
        origin: Rows | None,
        weights: StackedWeights,
        context: Context,
    ) -> list[_Fitted]:
        """Return what each requested model finds, averaged over the draws of the release."""
        records = len(original) + len(draws[0])
        design = DesignMatrix.fit(original, original.schema.names, also=draws[0], reference=True)
        columns = factors_of(design, self.powers)
        order = _order(columns, self.order, records)
        whole = order == self.order and not design.left_out
        learns = self.model == "learner" or (self.model == "auto" and records >= LEAST_LEARNED)
        parts = []
        if self.model == "logistic" or not learns or (self.model == "auto" and whole):
            if not design.terms:
                raise NotApplicable("no column has few enough categories for the logistic model")
            terms = design, columns, max(order, 1)
            parts.append(_by_products(original, draws, origin, weights, terms, context))
        if learns:
            parts.append(_by_learner(original, draws, origin, weights, context))
        return parts


def _null(terms: int, share: float, records: int, weights: Numbers | None) -> float:
    """Return the U_p expected of this many terms; weighted records count for fewer."""
    many = float(records) if weights is None else effective_size(weights)
    return terms * (1 - share) ** 2 * share / many


def _order(columns: Sequence[Sequence[Factor]], wanted: int, records: int) -> int:
    """Return the highest order up to `wanted` whose terms the records can carry, 0 if none."""
    most = min(MOST_TERMS, records // RECORDS_PER_TERM)
    return max((o for o in range(1, wanted + 1) if count_products(columns, o) <= most), default=0)


def _by_products(
    original: Microdata,
    draws: list[Microdata],
    origin: Rows | None,
    weights: StackedWeights,
    terms: tuple[DesignMatrix, Sequence[Sequence[Factor]], int],
    context: Context,
) -> _Fitted:
    design, columns, order = terms
    most = WORK // (1 + count_products(columns, order)) ** 2 // (2 * len(draws))
    rows = _sample(len(original), len(draws[0]), origin, int(max(most, 1_000)), context)
    kept = original.take(rows[0])
    w = weights.take(rows).stacked(len(rows[0]), len(rows[1]))
    fits = [fit_products(kept, draw.take(rows[1]), *terms, w) for draw in draws]
    share = _share(len(rows[0]), len(rows[1]), w)
    rank = int(np.mean([fit.rank for fit in fits])) - 1
    propensities = _averaged([fit.probabilities for fit in fits], share)
    return _Fitted(
        propensities,
        share,
        _null(rank, share, len(propensities), w),
        f"logistic model, {rank} terms of order up to {order}",
        {
            "model": "logistic",
            "order": order,
            "terms": rank,
            "columns": len(columns),
            "settled": all(fit.settled for fit in fits),
            "columns left out": list(design.left_out),
        },
        len(rows[0]) < len(original) or len(rows[1]) < len(draws[0]),
        w,
    )


def _share(originals: int, released: int, weights: Numbers | None) -> float:
    """Return the share of the released records among all."""
    if weights is None:
        return released / (originals + released)
    return float(weights[originals:].sum() / weights.sum())


def _averaged(draws: list[Numbers], share: float) -> Numbers:
    """Return propensities whose squared distance from the share is the mean over the draws."""
    if len(draws) == 1:
        return draws[0]
    squares = np.mean([(draw - share) ** 2 for draw in draws], axis=0)
    return np.asarray(share + np.sqrt(squares))


def _by_learner(
    original: Microdata,
    draws: list[Microdata],
    origin: Rows | None,
    weights: StackedWeights,
    context: Context,
) -> _Fitted:
    rows = _sample(len(original), len(draws[0]), origin, LEARNER_RECORDS, context)
    if origin is not None:
        # Released records in the order of their originals: shuffled rows give the same figures.
        rows = rows[0], rows[1][np.argsort(origin[rows[1]], kind="stable")]
    kept = original.take(rows[0])
    names = original.schema.names
    nominal = [original.schema[name].kind is Kind.NOMINAL for name in names]
    target = np.repeat([0.0, 1.0], [len(rows[0]), len(rows[1])])
    generator = context.generator("folds")
    # A record and its original are held back together: what is known of one is not learned
    # from the other.
    fold = generator.integers(0, FOLDS, len(original))
    released = fold[origin[rows[1]]] if origin is not None else _folds(generator, len(rows[1]))
    folds = np.concatenate([fold[rows[0]], released])
    w = weights.take(rows).stacked(len(rows[0]), len(rows[1]))
    share = _share(len(rows[0]), len(rows[1]), w)
    points = [learner_matrix(kept, draw.take(rows[1]), names) for draw in draws]
    probabilities = out_of_fold(points, target, nominal, folds, w)
    area = area_under_curve(target, probabilities)
    scores = calibrated(target, probabilities, w)
    # Back into the order of the release.
    order = np.argsort(rows[1], kind="stable")
    back = np.concatenate([np.arange(len(rows[0])), len(rows[0]) + order])
    return _Fitted(
        scores[back],
        share,
        _null(1, share, len(target), w),
        f"boosted trees, AUC {area:.3f} out of fold",
        {"model": "learner", "AUC": area},
        len(rows[0]) < len(original) or len(rows[1]) < len(draws[0]),
        None if w is None else w[back],
    )


def _folds(generator: np.random.Generator, rows: int) -> Rows:
    return generator.integers(0, FOLDS, rows)


def _sample(
    originals: int, released: int, origin: Rows | None, most: int, context: Context
) -> tuple[Rows, Rows]:
    """Return at most about `most` rows of each file; the same persons where they are known."""
    if originals <= most and released <= most:
        return np.arange(originals), np.arange(released)
    generator = context.generator("rows")
    rate = most / max(originals, released)
    kept = generator.random(originals) < rate
    if origin is not None:
        rows = np.flatnonzero(kept), np.flatnonzero(kept[origin])
    else:
        rows = np.flatnonzero(kept), np.flatnonzero(generator.random(released) < rate)
    if not len(rows[0]) or not len(rows[1]):
        raise NotApplicable("one of the files is too small beside the other to be sampled")
    return rows


def _within(low: float, high: float) -> tuple[float, float]:
    return max(0.0, low), min(0.25, high)


def _note(fitted: _Fitted, sampled: bool, lost: Sequence[str]) -> str:
    sentences = []
    records = len(fitted.squared)
    if fitted.expected > 0:
        ratio = fitted.value / fitted.expected
        times = f"{ratio:.3g}" if ratio < 100 else f"{ratio:,.0f}"
        sentences.append(f"{times} times the value expected under the null")
    sentences.append(f"{fitted.model}; 2N·U_p = {2 * records * fitted.value:.4g}")
    if lost:
        sentences.append(f"nothing is known about {', '.join(lost)}")
    if sampled:
        sentences.append(f"on {records:,} sampled records of both files")
    if fitted.detail.get("settled") is False:
        sentences.append("the fit did not converge, and the value may be too low")
    if fitted.detail["model"] == "logistic":
        sentences += _certain(fitted, records)
        if fitted.detail["order"] == 1 and fitted.detail["columns"] > 1:
            sentences.append(
                "products of columns did not fit, so relations between columns were not compared"
            )
        if fitted.detail["columns left out"]:
            sentences.append(f"without {', '.join(fitted.detail['columns left out'])}")
    return "; ".join(sentences)


def _certain(fitted: _Fitted, records: int) -> list[str]:
    certain = int((np.abs(fitted.propensities - 0.5) > 0.5 - CERTAIN).sum())
    if not certain:
        return []
    several = "all records are" if certain == records else f"{certain:,} records are"
    return [f"{'1 record is' if certain == 1 else several} told apart with certainty"]
