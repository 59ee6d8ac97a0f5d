"""Regression: least squares with standard errors, and logistic regression, on blocks of rows.

Least squares uses the triangular factor of the matrix, which is computed block by block and holds
all that the fit needs: many regressions between the same columns share it. Terms that depend on
each other linearly are allowed: fitted values are then still unique, and a coefficient that is not
is reported as such.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.threads import one_thread
from discreet.microdata import Microdata, Numbers
from discreet.models.design_matrix import DesignMatrix

DEPENDENT = 1e-10
"""Singular values below this share of the largest count as zero."""
MOST_STEPS = 500
"""Most fits take ten; extreme values make the steps small, and then a hundred may be needed."""
SETTLED = 1e-11
PIECE_CELLS = 25_000
"""Numbers of a piece that is factored at a time."""


def triangular_factor(blocks: Iterable[Numbers]) -> Numbers:
    """Return R of the QR decomposition of the blocks, one under the other.

    >>> rows = np.array([[3.0, 1.0], [4.0, 1.0]])
    >>> np.abs(triangular_factor([rows[:1], rows[1:]])).round(6)
    array([[5. , 1.4],
           [0. , 0.2]])
    """
    factor: Numbers | None = None
    with one_thread():
        for block in blocks:
            pieces = _factors_of_pieces(block)
            stacked = pieces if factor is None else np.vstack([factor, pieces])
            factor = np.asarray(np.linalg.qr(stacked, mode="r"))
    if factor is None:
        raise ValueError("a factor needs at least one block")
    return factor


def _factors_of_pieces(block: Numbers) -> Numbers:
    """Return the factors of pieces that fit into the processor's cache, one under the other."""
    terms = block.shape[1]
    size = max(4 * terms, PIECE_CELLS // max(terms, 1))
    count = len(block) // size
    if count < 2:
        return block
    pieces = block[: count * size].reshape(count, size, terms)
    factors = np.asarray(np.linalg.qr(pieces, mode="r"))
    return np.vstack([factors.reshape(-1, terms), block[count * size :]])


@dataclass(frozen=True, eq=False)
class LeastSquares:
    """A fitted linear regression: coefficients, the rank, and the residuals.

    >>> x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 4.0])
    >>> factor = triangular_factor([np.column_stack([np.ones(4), x, y])])
    >>> fit = LeastSquares.of(factor[:, :2], factor[:, 2], rows=4)
    >>> fit.coefficients.round(6)
    array([0.5, 0.8])
    >>> value, error = fit.estimates(np.eye(2))
    >>> error.round(6)   # √(Σe² / 2 / Σ(x − x̄)²) for the slope
    array([1.161895, 0.424264])
    """

    coefficients: Numbers
    rank: int
    rows: int
    residual: float
    spread: Numbers
    basis: Numbers
    scale: Numbers

    @classmethod
    def of(cls, predictors: Numbers, response: Numbers, rows: int) -> LeastSquares:
        """Regress a column of a triangular factor on others; `rows` is the number of records."""
        lengths = np.sqrt((predictors**2).sum(axis=0))
        scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        left, singular, right = np.linalg.svd(predictors * scale, full_matrices=False)
        kept = singular > DEPENDENT * max(float(singular.max(initial=0.0)), 1e-300)
        left, singular, right = left[:, kept], singular[kept], right[kept]
        scaled = right.T @ ((left.T @ response) / singular)
        rest = response - (predictors * scale) @ scaled
        return cls(
            scale * scaled,
            int(kept.sum()),
            rows,
            float(rest @ rest),
            right.T / singular,
            right,
            scale,
        )

    @property
    def free(self) -> int:
        """The degrees of freedom of the residuals."""
        return self.rows - self.rank

    def estimates(self, combinations: Numbers) -> tuple[Numbers, Numbers]:
        """Return the value and standard error of each combination of coefficients.

        A combination that the data do not determine is NaN, and so is the error where no degree
        of freedom is left.
        """
        values = combinations @ self.coefficients
        scaled = combinations * self.scale
        outside = scaled - (scaled @ self.basis.T) @ self.basis
        size = np.sqrt((scaled**2).sum(axis=1))
        # A term that is zero throughout has the scale 0 and no coefficient.
        lost = (combinations != 0) & (self.scale == 0)
        unclear = (np.sqrt((outside**2).sum(axis=1)) > 1e-6 * size) | (size == 0)
        unclear |= lost.any(axis=1)
        variance = self.residual / self.free if self.free > 0 else np.nan
        errors = np.sqrt(variance * ((scaled @ self.spread) ** 2).sum(axis=1))
        return np.where(unclear, np.nan, values), np.where(unclear, np.nan, errors)


@dataclass(frozen=True, eq=False)
class ColumnRegression:
    """One column regressed on all others: coefficients with errors, in deviations of the original.

    A nominal category's coefficient is its difference from the mean over the original's records,
    so that no category has to be the reference.
    """

    response: str
    labels: tuple[str, ...]
    coefficients: Numbers
    errors: Numbers
    explained: float
    free: int


@dataclass(frozen=True, eq=False)
class Factors:
    """The triangular factor of some records, and of those of them with a value of each response.

    `present` has the responses that some records lack, with the number of records that do not.
    """

    whole: Numbers
    rows: int
    present: Mapping[str, tuple[Numbers, int]]

    @classmethod
    def of(
        cls,
        data: Microdata,
        design: DesignMatrix,
        responses: Sequence[str],
        rows: NDArray[np.int64] | None = None,
    ) -> Factors:
        """Take the factors of these records, of all if none are named."""
        rows = np.arange(len(data)) if rows is None else rows
        present = {}
        for name in responses:
            missing = data.column(name).missing
            if missing.any():
                kept = rows[~missing[rows]]
                present[name] = _factor(data, design, kept), len(kept)
        return cls(_factor(data, design, rows), len(rows), present)

    def having(self, response: str) -> tuple[Numbers, int]:
        """Return the factor of the records with a value of a column, and their number."""
        return self.present.get(response, (self.whole, self.rows))

    def joined(self, other: Factors) -> Factors:
        """Return the factors of both sets of records together."""
        present = {}
        for name in {**self.present, **other.present}:
            (mine, rows), (two, more) = self.having(name), other.having(name)
            present[name] = triangular_factor([np.vstack([mine, two])]), rows + more
        whole = triangular_factor([np.vstack([self.whole, other.whole])])
        return Factors(whole, self.rows + other.rows, present)


def _factor(data: Microdata, design: DesignMatrix, rows: NDArray[np.int64]) -> Numbers:
    if not len(rows):
        return np.zeros((0, 1 + len(design.terms)))
    return triangular_factor(design.blocks(data, rows))


def column_regressions(
    data: Microdata,
    design: DesignMatrix,
    responses: Sequence[str],
    factors: Factors | None = None,
) -> list[ColumnRegression]:
    """Regress each of these columns on all others of the design.

    Records without a value of the response are left out of its regression. `factors` are those of
    the data, where they are known already.

    >>> import discreet
    >>> data = discreet.read({"x": [1, 2, 3, 4], "y": [1, 3, 2, 4]})
    >>> design = DesignMatrix.fit(data, ["x", "y"])
    >>> regression = column_regressions(data, design, ["x", "y"])[1]
    >>> regression.labels, regression.coefficients.round(6)
    (('x',), array([0.8]))
    """
    factors = Factors.of(data, design, responses) if factors is None else factors
    regressions = []
    for name in responses:
        factor, present = factors.having(name)
        if not present:
            continue
        response_terms = design.positions(name)
        others = [i for i in range(len(design.terms)) if i not in response_terms]
        columns = [0, *(i + 1 for i in others)]
        response = factor[:, response_terms[0] + 1]
        fit = LeastSquares.of(factor[:, columns], response, present)
        labels, combinations = _combinations(data, design, others)
        values, errors = fit.estimates(combinations)
        # The first row of the factor is the part along the constant: the mean.
        total = float(response[1:] @ response[1:])
        explained = 1 - fit.residual / total if total > 0 else np.nan
        regressions.append(ColumnRegression(name, labels, values, errors, explained, fit.free))
    return regressions


def _combinations(
    data: Microdata, design: DesignMatrix, others: Sequence[int]
) -> tuple[tuple[str, ...], Numbers]:
    labels, rows = [], []
    for place, i in enumerate(others):
        term = design.terms[i]
        if term.missing or (term.category is not None and term.share == 0):
            continue
        row = np.zeros(len(others) + 1)
        row[place + 1] = 1.0
        label = term.column
        if term.category is not None:
            label += f" = {data.schema[term.column].categories[term.category]}"
            for other, j in enumerate(others):
                if design.terms[j].column == term.column:
                    row[other + 1] -= design.terms[j].share
        labels.append(label)
        rows.append(row)
    return tuple(labels), np.array(rows).reshape(len(rows), len(others) + 1)


@dataclass(frozen=True, eq=False)
class Logistic:
    """A fitted logistic regression: probabilities and the number of free coefficients."""

    probabilities: Numbers
    rank: int
    settled: bool


def logistic(target: Numbers, block: Callable[[slice], Numbers], size: int) -> Logistic:
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
        return _logistic(target, block, size)


def _logistic(target: Numbers, block: Callable[[slice], Numbers], size: int) -> Logistic:
    pieces = [slice(at, min(at + size, len(target))) for at in range(0, len(target), size)]
    squares = sum(_gram(block(piece)) for piece in pieces)
    to_terms = _independent(np.asarray(squares))
    share = float(target.mean())
    offset = float(np.log(share / (1 - share)))
    weights = np.zeros(to_terms.shape[1])
    state = _pass(target, block, pieces, to_terms @ weights, offset)
    settled = False
    for _ in range(MOST_STEPS):
        step = _newton(to_terms.T @ state.curvature @ to_terms, to_terms.T @ state.gradient)
        new = _pass(target, block, pieces, to_terms @ (weights + step), offset)
        halvings = 0
        while new.deviance > state.deviance * (1 + SETTLED) and halvings < 20:
            step = step / 2
            halvings += 1
            new = _pass(target, block, pieces, to_terms @ (weights + step), offset)
        if new.deviance > state.deviance * (1 + SETTLED):
            break
        gain = state.deviance - new.deviance
        weights, state = weights + step, new
        if gain <= SETTLED * len(target):
            settled = True
            break
    return Logistic(state.probabilities, to_terms.shape[1], settled)


@dataclass(frozen=True, eq=False)
class _State:
    probabilities: Numbers
    deviance: float
    gradient: Numbers
    curvature: Numbers


def _pass(
    target: Numbers,
    block: Callable[[slice], Numbers],
    pieces: Sequence[slice],
    coefficients: Numbers,
    offset: float,
) -> _State:
    probabilities = np.empty(len(target))
    gradient = np.zeros(len(coefficients))
    curvature = np.zeros((len(coefficients), len(coefficients)))
    deviance = 0.0
    for piece in pieces:
        x, t = block(piece), target[piece]
        linear = np.clip(x @ coefficients + offset, -500, 500)
        p = 1 / (1 + np.exp(-linear))
        probabilities[piece] = p
        # −log of the probability of what was observed, without loss at either end.
        deviance += float(np.logaddexp(0, np.where(t > 0, -linear, linear)).sum())
        gradient += x.T @ (t - p)
        curvature += _gram(x, p * (1 - p))
    return _State(probabilities, deviance, gradient, curvature)


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
