"""Regression: least squares with standard errors, on blocks of rows.

Least squares uses the triangular factor of the matrix, which is computed block by block and holds
all that the fit needs: many regressions between the same columns share it. Terms that depend on
each other linearly are allowed: fitted values are then still unique, and a coefficient that is not
is reported as such.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.threads import one_thread
from discreet.microdata import Microdata, Numbers
from discreet.models.design_matrix import BLOCK, DesignMatrix

DEPENDENT = 1e-10
"""Singular values below this share of the largest count as zero."""
ROBUST_RECORDS = 6_000
"""Records used to see how residuals vary: with this many a standard error is known to within 2
%.
"""
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
        for pieces in _reduced(iter(blocks)):
            stacked = pieces if factor is None else np.vstack([factor, pieces])
            factor = np.asarray(np.linalg.qr(stacked, mode="r"))
    if factor is None:
        raise ValueError("a factor needs at least one block")
    return factor


def _reduced(blocks: Iterator[Numbers]) -> Iterator[Numbers]:
    """Yield what `_factors_of_pieces` makes of each block, in their order; several at once.

    No more blocks are taken than there are cores for, since a large file is not in memory twice.
    """
    first = list(islice(blocks, 2))
    if len(first) < 2 or len(first[0]) < BLOCK:
        yield from map(_factors_of_pieces, chain(first, blocks))
        return
    cores = os.cpu_count() or 1
    with ThreadPoolExecutor(cores) as threads:
        ahead: deque[Future[Numbers]] = deque()
        for block in chain(first, blocks):
            ahead.append(threads.submit(_factors_of_pieces, block))
            if len(ahead) > cores:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()


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

    def influences(self, combinations: Numbers, rows: Numbers) -> Numbers:
        """Return by how much each combination changes for a residual of 1 in each of some rows."""
        half = (combinations * self.scale) @ self.spread
        return np.asarray((rows * self.scale) @ self.spread @ half.T)


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
        weights: Numbers | None = None,
    ) -> Factors:
        """Take the factors of these records, of all if none are named, each by its weight."""
        rows = np.arange(len(data)) if rows is None else rows
        present = {}
        for name in responses:
            missing = data.column(name).missing
            if missing.any():
                kept = rows[~missing[rows]]
                present[name] = _factor(data, design, kept, weights), len(kept)
        return cls(_factor(data, design, rows, weights), len(rows), present)

    def having(self, response: str) -> tuple[Numbers, int]:
        """Return the factor of the records with a value of a column, and their number."""
        return self.present.get(response, (self.whole, self.rows))

    def joined(self, other: Factors) -> Factors:
        """Return the factors of both sets of records together."""
        present = {}
        for name in {**self.present, **other.present}:
            (first, rows), (two, more) = self.having(name), other.having(name)
            present[name] = triangular_factor([np.vstack([first, two])]), rows + more
        whole = triangular_factor([np.vstack([self.whole, other.whole])])
        return Factors(whole, self.rows + other.rows, present)


def _factor(
    data: Microdata, design: DesignMatrix, rows: NDArray[np.int64], weights: Numbers | None
) -> Numbers:
    if not len(rows):
        return np.zeros((0, 1 + len(design.terms)))
    blocks = design.blocks(data, rows)
    if weights is not None:
        # Least squares of rows times √w are weighted least squares.
        roots = np.sqrt(weights[rows])
        starts = range(0, len(rows), BLOCK)
        blocks = (_times(b, roots[at : at + BLOCK]) for at, b in zip(starts, blocks, strict=True))
    return triangular_factor(blocks)


def _times(block: Numbers, roots: Numbers) -> Numbers:
    """Multiply the rows of a block, which nobody else looks at."""
    block *= roots[:, None]
    return block


def column_regressions(
    data: Microdata,
    design: DesignMatrix,
    responses: Sequence[str],
    factors: Factors | None = None,
    weights: Numbers | None = None,
) -> list[ColumnRegression]:
    """Regress each of these columns on all others of the design.

    Records without a value of the response are left out of its regression. `factors` are those of
    the data, where they are known already. With weights the standard errors are robust.

    >>> import discreet
    >>> data = discreet.read({"x": [1, 2, 3, 4], "y": [1, 3, 2, 4]})
    >>> design = DesignMatrix.fit(data, ["x", "y"])
    >>> regression = column_regressions(data, design, ["x", "y"])[1]
    >>> regression.labels, regression.coefficients.round(6)
    (('x',), array([0.8]))
    """
    if factors is None:
        factors = Factors.of(data, design, responses, weights=weights)
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
        if weights is not None:
            robust = _robust_errors(data, design, name, fit, combinations, weights)
            errors = np.where(np.isnan(errors), np.nan, robust)
        # The first row of the factor is the part along the constant: the mean.
        total = float(response[1:] @ response[1:])
        explained = 1 - fit.residual / total if total > 0 else np.nan
        regressions.append(ColumnRegression(name, labels, values, errors, explained, fit.free))
    return regressions


def _robust_errors(
    data: Microdata,
    design: DesignMatrix,
    response: str,
    fit: LeastSquares,
    combinations: Numbers,
    weights: Numbers,
) -> Numbers:
    """Return standard errors of weighted least squares that assume nothing about the variances.

    White (1980): Σ (w·e·x)² between A⁻¹, raised by n/(n − rank). Of many records, evenly spaced
    ones show the sum.
    """
    present = np.flatnonzero(~data.column(response).missing)
    rows = present[:: max(1, len(present) // ROBUST_RECORDS)]
    response_columns = design.positions(response)
    columns = [0, *(1 + i for i in range(len(design.terms)) if i not in response_columns)]
    sums, at = np.zeros(len(combinations)), 0
    with one_thread():
        for block in design.blocks(data, rows):
            x, y = block[:, columns], block[:, 1 + response_columns[0]]
            w = weights[rows[at : at + len(block)]]
            residuals = w * (y - x @ fit.coefficients)
            sums += residuals**2 @ fit.influences(combinations, x) ** 2
            at += len(block)
    raised = len(present) / max(len(rows), 1) * fit.rows / max(fit.free, 1)
    return np.asarray(np.sqrt(raised * sums))


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
