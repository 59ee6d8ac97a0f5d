"""Logistic regression on blocks of rows: the probability of a yes or no, given many terms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from discreet.contracts.threads import one_thread
from discreet.microdata import Numbers
from discreet.models.regression import DEPENDENT

MOST_STEPS = 500
"""Most fits take ten steps; extreme values make the steps small, so a hundred may be needed."""
SETTLED = 1e-11
MOST_KEPT = 5_000_000
"""Up to this many numbers, the terms of all records are kept between passes: 40 MB."""


@dataclass(frozen=True, eq=False)
class Logistic:
    """A fitted logistic regression: probabilities and the number of free coefficients."""

    probabilities: Numbers
    rank: int
    settled: bool


def logistic(
    target: Numbers,
    block: Callable[[slice], Numbers],
    size: int,
    weights: Numbers | None = None,
) -> Logistic:
    """Fit a logistic regression by iterated weighted least squares on blocks of `size` rows.

    `block` returns the matrix of a slice of the records, its first column ones. Nothing is shrunk:
    terms that depend on each other are fitted in the space that they span, and where the model
    separates the two classes completely the probabilities go to 0 and 1.

    >>> x = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0])
    >>> fit = logistic(np.array([0.0, 0, 1, 0, 1, 1]), lambda s: np.column_stack(
    ...     [np.ones(6), x])[s], 4)
    >>> fit.probabilities.round(6)   # the shares of the two groups
    array([0.333333, 0.333333, 0.333333, 0.666667, 0.666667, 0.666667])
    """
    with one_thread():
        counted = np.ones(len(target)) if weights is None else weights
        return _logistic(_Records.of(target, block, size, counted))


def _logistic(records: _Records) -> Logistic:
    target, counted = records.target, records.counted
    squares = sum(_gram(records.block(piece)) for piece in records.pieces)
    to_terms = _independent(np.asarray(squares))
    share = float(np.average(target, weights=counted))
    offset = float(np.log(share / (1 - share)))
    weights = np.zeros(to_terms.shape[1])
    state = _pass(records, to_terms @ weights, offset)
    settled = False
    for _ in range(MOST_STEPS):
        curvature = _curvature(records, state.probabilities)
        step = _newton(to_terms.T @ curvature @ to_terms, to_terms.T @ state.gradient)
        new = _pass(records, to_terms @ (weights + step), offset)
        halvings = 0
        while new.deviance > state.deviance * (1 + SETTLED) and halvings < 20:
            step = step / 2
            halvings += 1
            new = _pass(records, to_terms @ (weights + step), offset)
        if new.deviance > state.deviance * (1 + SETTLED):
            break
        gain = state.deviance - new.deviance
        weights, state = weights + step, new
        if gain <= SETTLED * len(target):
            settled = True
            break
    return Logistic(state.probabilities, to_terms.shape[1], settled)


@dataclass(frozen=True, eq=False)
class _Records:
    """The records of both classes, and the blocks in which their terms are made."""

    target: Numbers
    counted: Numbers
    block: Callable[[slice], Numbers]
    pieces: Sequence[slice]

    @classmethod
    def of(
        cls, target: Numbers, block: Callable[[slice], Numbers], size: int, counted: Numbers
    ) -> _Records:
        """Return the records; the blocks of a small file are made once for all passes."""
        pieces = [slice(at, min(at + size, len(target))) for at in range(0, len(target), size)]
        made: dict[int, Numbers] = {}
        kept = 0

        def once(piece: slice) -> Numbers:
            nonlocal kept
            if piece.start in made:
                return made[piece.start]
            terms = block(piece)
            if kept + terms.size <= MOST_KEPT:
                made[piece.start], kept = terms, kept + terms.size
            return terms

        return cls(target, counted, once, pieces)


@dataclass(frozen=True, eq=False)
class _State:
    probabilities: Numbers
    deviance: float
    gradient: Numbers


def _pass(records: _Records, coefficients: Numbers, offset: float) -> _State:
    probabilities = np.empty(len(records.target))
    gradient = np.zeros(len(coefficients))
    deviance = 0.0
    for piece in records.pieces:
        x, t, w = records.block(piece), records.target[piece], records.counted[piece]
        linear = np.clip(x @ coefficients + offset, -500, 500)
        p = 1 / (1 + np.exp(-linear))
        probabilities[piece] = p
        # −log of the probability of what was observed, without loss at either end.
        deviance += float((w * np.logaddexp(0, np.where(t > 0, -linear, linear))).sum())
        gradient += x.T @ (w * (t - p))
    return _State(probabilities, deviance, gradient)


def _curvature(records: _Records, probabilities: Numbers) -> Numbers:
    """Return the curvature of the deviance: most of the time goes there; a last step needs none."""
    total: Numbers | None = None
    for piece in records.pieces:
        p = probabilities[piece]
        part = _gram(records.block(piece), records.counted[piece] * p * (1 - p))
        total = part if total is None else total + part
    assert total is not None
    return total


def _gram(x: Numbers, weights: Numbers | None = None) -> Numbers:
    return np.asarray(x.T @ (x if weights is None else x * weights[:, None]))


def _independent(squares: Numbers) -> Numbers:
    """Return coordinates of length one in the space that the terms span."""
    lengths = np.sqrt(np.diag(squares))
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    values, vectors = np.linalg.eigh(squares * np.outer(scale, scale))
    kept = values > DEPENDENT * max(float(values.max(initial=0.0)), 1e-300)
    return np.asarray(scale[:, None] * vectors[:, kept] / np.sqrt(values[kept]))


def _newton(curvature: Numbers, gradient: Numbers) -> Numbers:
    values, vectors = np.linalg.eigh(curvature)
    # Directions in which every probability is 0 or 1 already have no curvature left to use.
    kept = values > 1e-13 * max(float(values.max(initial=0.0)), 1e-300)
    return np.asarray(vectors[:, kept] @ ((vectors[:, kept].T @ gradient) / values[kept]))
