"""MAPE: the error of predictions by a regression that was fitted to the release."""

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
    Randomness,
    Score,
    Side,
    param,
)
from discreet.errors import NotApplicable
from discreet.microdata import Column, Microdata, Numbers, Role
from discreet.microdata.comparison import comparable, in_same_categories
from discreet.microdata.concatenation import fractional
from discreet.models.design_matrix import (
    BLOCK,
    DesignMatrix,
    centre_and_spread,
    standardised,
)
from discreet.models.regression import LeastSquares, triangular_factor


class MAPE(Measure):
    """The mean absolute percentage error of a linear regression trained on the release.

    The original records are dealt into folds, always the same ones for a file of one length, so
    that releases are compared on equal terms. For each fold a regression of the confidential
    column on the quasi-identifiers is fitted to the released records that came from the other
    folds, and predicts the originals of the fold. Every continuous confidential column is a
    response, and their errors are averaged; where there is none, each continuous quasi-identifier
    is predicted from the others. Records whose response is zero have no percentage error: they are
    left out and counted, and the mean absolute error over the range of the response, which needs
    no such exception, stands beside.

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
    )

    folds: int = param(default=10, help="the number of folds of the cross-validation", at_least=2)

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the mean over responses and folds; detail has each response."""
        if pairing is None:
            raise NotApplicable("it needs to know which original each released record came from")
        if len(original) < 3 or len(released) < 3:
            raise NotApplicable("it needs at least three records")
        responses = _responses(original, released)
        folds = min(self.folds, len(original))
        fold = dealt(len(original), folds)
        parts: dict[str, dict[str, Any]] = {}
        left_out: set[str] = set()
        with context.task("predicting", len(responses)) as advance:
            for name in responses:
                predictors = [n for n in original.quasi_identifiers if n != name]
                task = _Task.of(original, released, pairing, name, predictors)
                left_out.update(task.design.left_out)
                parts[name] = _errors(task, fold, folds)
                advance(1)
        values = [part["MAPE"] for part in parts.values() if part["MAPE"] is not None]
        if not values:
            raise NotApplicable("every response is zero or missing")
        zeros = {name: part["zero responses"] for name, part in parts.items()}
        counted = ", ".join(f"{count:,} of {name}" for name, count in zeros.items() if count)
        told = [f"left out because the response is zero: {counted}"] if counted else []
        if left_out:
            told.append(f"too many categories to predict from: {', '.join(sorted(left_out))}")
        return Score(float(np.mean(values)), detail={"responses": parts}, note="; ".join(told))


def dealt(rows: int, folds: int) -> NDArray[np.int64]:
    """Return the fold of each record: mixed, of equal size, and no secret.

    >>> np.bincount(dealt(10, 4))
    array([3, 3, 2, 2])
    """
    return Randomness(0).generator("folds").permutation(rows) % folds


def _responses(original: Microdata, released: Microdata) -> list[str]:
    for role in (Role.CONFIDENTIAL, Role.QUASI_IDENTIFIER):
        names = [n for n in original.having(role) if original.schema[n].continuous]
        names = comparable(original, released, names)
        predictors = [n for n in original.quasi_identifiers if n in released.schema]
        names = [n for n in names if set(predictors) - {n}]
        if names:
            return names
    raise NotApplicable(
        "it needs a continuous confidential column released as numbers, and a quasi-identifier to "
        "predict it from (or two quasi-identifiers)"
    )


@dataclass(frozen=True, eq=False)
class _Task:
    """One regression: predictors and response of the release, and those of the originals.

    The response is in deviations of the original.
    """

    design: DesignMatrix
    original: Microdata
    released: Microdata
    released_y: Numbers
    original_y: Numbers
    truth: Numbers
    spread: float
    origin: NDArray[np.int64]
    labels: dict[str, Numbers]

    @classmethod
    def of(
        cls,
        original: Microdata,
        released: Microdata,
        pairing: Pairing,
        response: str,
        predictors: Sequence[str],
    ) -> _Task:
        names = [name for name in predictors if name in released.schema]
        same = comparable(original, released, names)
        released = in_same_categories(original, released, same)
        design = DesignMatrix.fit(original, names, also=released)
        others = [n for n in names if n not in same and n not in design.left_out]
        readable = fractional(original, released, others)
        labels = {
            name: _decoded(original, released, pairing, name, design)
            for name in others
            if name not in readable
        }
        scale = centre_and_spread([original.column(response)])
        return cls(
            design,
            original,
            released,
            _scaled(released.column(response), scale),
            _scaled(original.column(response), scale),
            original[response],
            scale[1],
            pairing.origin,
            labels,
        )

    def released_matrix(self, rows: NDArray[np.int64]) -> Numbers:
        """Return ones, predictors and the response of released records."""
        known = [term.column not in self.labels for term in self.design.terms]
        terms = tuple(t for t, ok in zip(self.design.terms, known, strict=True) if ok)
        part = DesignMatrix(terms, self.design.scales, shares=self.design.shares)
        matrix = np.empty((len(rows), len(self.design.terms)))
        matrix[:, np.array(known, dtype=bool)] = part.matrix(self.released, rows)
        for name, table in self.labels.items():
            matrix[:, self.design.positions(name)] = table[self.released[name][rows]]
        return np.column_stack([np.ones(len(rows)), matrix, self.released_y[rows]])


def _scaled(column: Column, scale: tuple[float, float]) -> Numbers:
    """Return values in deviations of the original, a missing one still missing."""
    return np.where(column.missing, np.nan, standardised(column.values, scale))


def _decoded(
    original: Microdata, released: Microdata, pairing: Pairing, name: str, design: DesignMatrix
) -> Numbers:
    """Return what each released label stands for, in terms of the design; last: missing."""
    column = released.column(name)
    places = design.positions(name)
    if column.attribute.continuous:
        raise NotApplicable(f"column '{name}' was released as numbers, which it was not")
    labels = len(column.attribute.categories)
    truth = DesignMatrix(tuple(design.terms[i] for i in places), design.scales).matrix(
        original, pairing.origin
    )
    codes, present = column.values, ~original.column(name).missing[pairing.origin]
    table = np.zeros((labels + 1, len(places)))
    for place, term in enumerate(design.terms[i] for i in places):
        if term.missing:
            table[labels, place] = 1.0
            continue
        low, high = np.full(labels + 1, np.inf), np.full(labels + 1, -np.inf)
        np.minimum.at(low, codes[present], truth[present, place])
        np.maximum.at(high, codes[present], truth[present, place])
        covered = np.isfinite(low[:labels])
        table[:labels, place][covered] = (
            high[:labels][covered]
            if term.category is not None
            else low[:labels][covered] / 2 + high[:labels][covered] / 2
        )
    if design.terms[places[0]].category is not None:
        parts = [i for i, at in enumerate(places) if not design.terms[at].missing]
        total = table[:labels, parts].sum(axis=1, keepdims=True)
        table[:labels, parts] /= np.maximum(total, 1.0)
    return table


def _errors(task: _Task, fold: NDArray[np.int64], folds: int) -> dict[str, Any]:
    """Return MAPE and the error over the range, averaged over the folds."""
    usable = np.flatnonzero(~np.isnan(task.released_y))
    known = ~np.isnan(task.original_y)
    factors = [_factor(task, usable[fold[task.origin[usable]] == f]) for f in range(folds)]
    percentages, scaled, zeros = [], [], 0
    span = float(np.ptp(task.original_y[known])) if known.any() else 0.0
    for f in range(folds):
        training = [r for other, r in enumerate(factors) if other != f and r is not None]
        test = np.flatnonzero(known & (fold == f))
        if not training or not len(test):
            continue
        factor = triangular_factor(training)
        fit = LeastSquares.of(factor[:, :-1], factor[:, -1], len(usable))
        guess = np.concatenate(
            [block @ fit.coefficients for block in task.design.blocks(task.original, test)]
        )
        misses = np.abs(guess - task.original_y[test])
        if span > 0:
            scaled.append(float(misses.mean() / span))
        nonzero = task.truth[test] != 0
        zeros += int((~nonzero).sum())
        if nonzero.any():
            with np.errstate(over="ignore"):
                relative = misses[nonzero] * task.spread / np.abs(task.truth[test][nonzero])
            percentages.append(float(relative.mean()))
    return {
        "MAPE": float(np.mean(percentages)) if percentages else None,
        "error over range": float(np.mean(scaled)) if scaled else None,
        "zero responses": zeros,
    }


def _factor(task: _Task, rows: NDArray[np.int64]) -> Numbers | None:
    if not len(rows):
        return None
    starts = range(0, len(rows), BLOCK)
    return triangular_factor(task.released_matrix(rows[at : at + BLOCK]) for at in starts)
