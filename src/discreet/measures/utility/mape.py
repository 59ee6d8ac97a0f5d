"""MAPE: the error of predictions by a regression that was fitted to the release."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    Randomness,
    Ruin,
    Score,
    Side,
    known_pairing,
    param,
)
from discreet.errors import NotApplicable
from discreet.measures.utility.words import lost, weighted
from discreet.measures.view import decoded
from discreet.microdata import MISSING_CODE, Column, Microdata, Numbers, Role
from discreet.microdata.decoded import Decoded, DecodedColumn
from discreet.microdata.weights import weights_of
from discreet.models.design_matrix import (
    BLOCK,
    DesignMatrix,
    centre_and_spread,
    standardised,
)
from discreet.models.regression import LeastSquares, triangular_factor


class MAPE(Measure):
    """The mean absolute percentage error of a linear regression trained on the release.

    The original records are dealt into folds, always the same ones for files of the same length, so
    that releases are compared on equal terms. For each fold a regression of the confidential column
    on the quasi-identifiers is fitted to the released records that came from the other folds, and
    predicts the originals of the fold. Every continuous confidential column is a response, and
    their errors are averaged; where there is none, each continuous quasi-identifier is predicted
    from the others. The mean is over the records of all folds at once, as in eq. 11, not over the
    means of folds. Records whose response is zero have no percentage error: they are left out and
    counted, and the mean absolute error over the range of the response, which needs no such
    exception, is reported beside it. Regressions and means count records by their weights.

    A released label that covers several categories counts in equal parts for those that it
    covers, or by their numbers if it is a weighted concatenation; a label that covers numbers
    counts as the middle of their range.

    >>> import discreet
    >>> data = discreet.read({"x": [1, 2, 3, 4], "y": [3, 5, 7, 9]},
    ...                      roles={"x": "quasi-identifier", "y": "confidential"})
    >>> round(MAPE().score(data, data, Context(), Pairing.same_order(4)).value, 9)
    0.0
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="mape",
        title="MAPE: error of predictions from the release",
        citation="Li & Sarkar, Protecting privacy against regression attacks in predictive data "
        "mining, eq. 11",
        missing="a missing predictor stands at the mean with an indicator; records without the "
        "response are left out",
        side=Side.UTILITY,
        better=Better.LOWER,
        low=0,
        high=np.inf,
        at_identity=None,
        paired=True,
        percent=True,
        formula="MAPE = (1/n) Σᵢ |ŷᵢ − yᵢ| / |yᵢ|,  ŷ from the release",
        cost="n·p² time for the p terms of the regression of each response; memory n·c",
        sees=(Ruin.CONSTANT, Ruin.STARRED),
        blind_to=(Ruin.UNPAIRED, Ruin.NUMBER_DROPPED, Ruin.CATEGORY_DROPPED),
    )

    folds: int = param(default=10, help="the number of folds of the cross-validation", at_least=2)

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the mean over responses and records; detail has each response."""
        pairing = known_pairing(pairing)
        if len(original) < 3 or len(released) < 3:
            raise NotApplicable("it needs at least three records")
        responses = _responses(original)
        folds = min(self.folds, len(original))
        fold = dealt(len(original), folds)
        parts: dict[str, dict[str, Any]] = {}
        joined: set[str] = set()
        names = list(dict.fromkeys([*original.quasi_identifiers, *responses]))
        view = decoded(original, released, names, pairing, context)
        with context.task("predicting", len(responses)) as advance:
            for together in _together(original, view, responses):
                task = _Task.of(original, released, view, pairing.origin, together)
                joined.update(task.design.joined)
                parts.update(_errors(task, fold, folds))
                advance(len(together))
        parts = {name: parts[name] for name in responses}
        kept = {name: part for name, part in parts.items() if part["MAPE"] is not None}
        if not kept:
            raise NotApplicable("every response is zero or missing")
        zeros = {name: part["zero responses"] for name, part in parts.items()}
        counted = ", ".join(f"{count:,} of {name}" for name, count in zeros.items() if count)
        notes = [f"left out because the response is zero: {counted}"] if counted else []
        if joined:
            notes.append(f"rare categories count as one in {', '.join(sorted(joined))}")
        return Score(
            float(np.mean([part["MAPE"] for part in kept.values()])),
            detail={"responses": parts},
            note="; ".join(filter(None, [*notes, lost(view), weighted(original)])),
            parts={(name,): part["MAPE"] for name, part in kept.items()},
            at_loss=float(np.mean([part["MAPE of the mean"] for part in kept.values()])),
        )


def dealt(rows: int, folds: int) -> NDArray[np.int64]:
    """Return the fold of each record: mixed, of equal size, and not secret.

    >>> np.bincount(dealt(10, 4))
    array([3, 3, 2, 2])
    """
    return Randomness(0).generator("folds").permutation(rows) % folds


def _responses(original: Microdata) -> list[str]:
    for role in (Role.CONFIDENTIAL, Role.QUASI_IDENTIFIER):
        names = [n for n in original.having(role) if original.schema[n].continuous]
        names = [n for n in names if set(original.quasi_identifiers) - {n}]
        if names:
            return names
    raise NotApplicable(
        "it needs a continuous confidential column and a quasi-identifier to predict it from, or "
        "two quasi-identifiers"
    )


def _together(original: Microdata, view: Decoded, responses: Sequence[str]) -> Iterator[list[str]]:
    """Yield the responses that have predictors and records in common, one by one if they do not."""
    alike = [
        name
        for name in responses
        if name not in original.quasi_identifiers
        and (view[name].lost or not (view[name].unknown | view[name].missing).any())
    ]
    if alike:
        yield alike
    yield from ([name] for name in responses if name not in alike)


@dataclass(frozen=True, eq=False)
class _Task:
    """Regressions on the same predictors: those of the release, and those of the originals.

    The responses are in deviations of the original.
    """

    design: DesignMatrix
    original: Microdata
    view: Decoded
    responses: list[str]
    released_y: list[Numbers]
    scales: list[tuple[float, float]]
    origin: NDArray[np.int64]
    weights: tuple[Numbers, Numbers | None]

    @classmethod
    def of(
        cls,
        original: Microdata,
        released: Microdata,
        view: Decoded,
        origin: NDArray[np.int64],
        responses: list[str],
    ) -> _Task:
        predictors = [n for n in original.quasi_identifiers if n not in responses]
        gaps = Microdata([_with_gaps(view[name]) for name in predictors])
        design = DesignMatrix.fit(original, predictors, also=gaps, join_rare=True)
        scales = [centre_and_spread([original.column(name)]) for name in responses]
        released_y = [
            # Where nothing is known about any record, the mean is the only guess.
            np.zeros(len(view)) if view[name].lost else _scaled(view[name].expected, scale)
            for name, scale in zip(responses, scales, strict=True)
        ]
        known = weights_of(original)
        weights = np.ones(len(original)) if known is None else known, weights_of(released)
        return cls(design, original, view, responses, released_y, scales, origin, weights)

    def released_matrix(self, rows: NDArray[np.int64]) -> Numbers:
        """Return ones, what is expected of the predictors, and the responses of some records."""
        terms = self.design.terms
        across = np.empty((1 + len(terms) + len(self.responses), len(rows)))
        across[0] = 1.0
        columns: dict[str, DecodedColumn] = {}
        for term, row in zip(terms, across[1:], strict=False):
            if term.column not in columns:
                columns[term.column] = self.view[term.column].take(rows)
            column = columns[term.column]
            if term.missing:
                row[:] = column.unknown | column.missing
            elif term.category is not None:
                row[:] = column.share_of(term.category)
            else:
                row[:] = standardised(column.expected, self.design.scales[term.column])
        for values, row in zip(self.released_y, across[1 + len(terms) :], strict=True):
            np.take(values, rows, out=row)
        if self.weights[1] is not None:
            across *= np.sqrt(self.weights[1][rows])
        return across.T


def _scaled(values: Numbers, scale: tuple[float, float]) -> Numbers:
    """Return values in deviations of the original, a missing one still missing."""
    return np.where(np.isnan(values), np.nan, standardised(values, scale))


def _with_gaps(column: DecodedColumn) -> Column:
    """Return a column of the original's scale that is missing where nothing is known."""
    nothing = np.nan if column.original.attribute.continuous else MISSING_CODE
    values = np.where(column.unknown | column.missing, nothing, 0)
    return Column(column.original.attribute, values)


def _errors(task: _Task, fold: NDArray[np.int64], folds: int) -> dict[str, dict[str, Any]]:
    """Return of each response MAPE and the error over the range, over the records of all folds."""
    usable = np.flatnonzero(~np.isnan(task.released_y[0]))
    of_usable = fold[task.origin[usable]].astype(np.min_scalar_type(folds))
    factors = [_factor(task, usable[of_usable == f]) for f in range(folds)]
    errors = {
        name: _Errors(task.original[name], scale, task.weights[0])
        for name, scale in zip(task.responses, task.scales, strict=True)
    }
    first = 1 + len(task.design.terms)
    for f in range(folds):
        training = [r for other, r in enumerate(factors) if other != f and r is not None]
        test = np.flatnonzero(fold == f)
        if not training or not len(test):
            continue
        factor = triangular_factor([np.vstack(training)])
        coefficients = np.column_stack(
            [
                LeastSquares.of(factor[:, :first], factor[:, first + i], len(usable)).coefficients
                for i in range(len(task.responses))
            ]
        )
        blocks = task.design.blocks(task.original, test)
        guesses = np.concatenate([block @ coefficients for block in blocks])
        for guess, response in zip(guesses.T, errors.values(), strict=True):
            response.add(test, guess)
    return {name: response.means() for name, response in errors.items()}


class _Errors:
    """The errors of one response, added up over the records of all folds (eq. 11)."""

    def __init__(self, truth: Numbers, scale: tuple[float, float], weights: Numbers) -> None:
        self.truth, self.spread, self.weights = truth, scale[1], weights
        self.scaled = _scaled(truth, scale)
        known = self.scaled[~np.isnan(self.scaled)]
        self.span = float(np.ptp(known)) if len(known) else 0.0
        self.percentages = self.constant = self.over_range = 0.0
        # The weights of all records compared, and of those whose response is not zero.
        self.known = self.nonzero = 0.0
        self.zeros = 0

    def add(self, rows: NDArray[np.int64], guess: Numbers) -> None:
        """Compare guesses with the truth, where there is one."""
        scaled, weights, truth = (of[rows] for of in (self.scaled, self.weights, self.truth))
        known = ~np.isnan(scaled) & (weights > 0)
        guess, scaled, weights, truth = _only(known, guess, scaled, weights, truth)
        if not len(scaled):
            return
        misses = np.abs(guess - scaled)
        self.known += float(weights.sum())
        if self.span > 0:
            self.over_range += float(weights @ misses / self.span)
        nonzero = truth != 0
        self.zeros += int((~nonzero).sum())
        if nonzero.any():
            misses, scaled, weights, truth = _only(nonzero, misses, scaled, weights, truth)
            self.nonzero += float(weights.sum())
            # Divided last: no miss is 0 % even of the least number, in whose terms one is infinite.
            with np.errstate(over="ignore"):
                size = np.abs(truth)
                miss, far = misses * self.spread, np.abs(scaled) * self.spread
                self.percentages += float((miss / size * weights).sum())
                self.constant += float((far / size * weights).sum())

    def means(self) -> dict[str, Any]:
        """Return the means over all records; None where there is nothing to average."""
        spread_out = self.known > 0 and self.span > 0
        return {
            "MAPE": self.percentages / self.nonzero if self.nonzero else None,
            "MAPE of the mean": self.constant / self.nonzero if self.nonzero else None,
            "error over range": self.over_range / self.known if spread_out else None,
            "zero responses": self.zeros,
        }


def _only(chosen: NDArray[np.bool_], *arrays: Numbers) -> tuple[Numbers, ...]:
    """Return the chosen records of each array; the arrays themselves if all are chosen."""
    return arrays if chosen.all() else tuple(array[chosen] for array in arrays)


def _factor(task: _Task, rows: NDArray[np.int64]) -> Numbers | None:
    if not len(rows):
        return None
    starts = range(0, len(rows), BLOCK)
    return triangular_factor(task.released_matrix(rows[at : at + BLOCK]) for at in starts)
