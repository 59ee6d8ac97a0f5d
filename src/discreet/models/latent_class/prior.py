"""The class priors p_g(x): a multinomial logit fitted to shares of classes.

In the M step each record has a share in every class, not one class. The fit maximises
Σ_i Σ_g z_ig ln p_g(x_i), whose score equation for the constant makes the mean of the fitted priors
equal to the mean of the shares, class by class.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers

DEPENDENT = 1e-10
"""Directions with less than this share of the largest spread count as dependent."""
FLAT = 1e-9
"""Curvature below this share of the largest counts as none: the priors there are already 0 or 1."""
ROOM = 10_000_000
"""Products of regressors that are kept at a time."""
FARTHEST = 50.0
"""In deviations of the original; a point farther out counts as this far."""


@dataclass(frozen=True, eq=False)
class Regressors:
    """Maps continuous attributes to the regressors of the logit: a constant and deviations.

    A missing value (NaN) is set to the mean and has its own indicator. Attributes that
    depend on each other linearly are put in the coordinates that they span.

    >>> points = np.array([[1.0], [2.0], [3.0]])
    >>> Regressors.fit(points).matrix(points).round(4)
    array([[ 1.    , -1.2247],
           [ 1.    ,  0.    ],
           [ 1.    ,  1.2247]])
    """

    centre: Numbers
    spread: Numbers
    with_missing: NDArray[np.int64]
    rotation: Numbers

    @classmethod
    def fit(cls, points: Numbers) -> Regressors:
        """Take centres and spreads from these points."""
        points = np.asarray(points, dtype=np.float64)
        present = ~np.isnan(points)
        counts = np.maximum(present.sum(axis=0), 1)
        # In units of the largest value, so that squares neither overflow nor vanish.
        unit = np.where(present, np.abs(points), 0.0).max(axis=0, initial=0.0)
        unit = np.where(unit > 0, unit, 1.0)
        scaled = np.where(present, points / unit, 0.0)
        centre = scaled.sum(axis=0) / counts
        deviations = np.where(present, scaled - centre, 0.0)
        spread = np.sqrt((deviations**2).sum(axis=0) / counts)
        constant = spread <= 1e-12
        with_missing = np.flatnonzero(~present.all(axis=0))
        unrotated = cls(
            centre * unit,
            np.where(constant, np.inf, spread * unit),
            with_missing,
            np.eye(points.shape[1] + len(with_missing)),
        )
        plain = unrotated.matrix(points)[:, 1:]
        if not plain.shape[1] or not len(plain):
            return unrotated
        values, vectors = np.linalg.eigh(plain.T @ plain / len(plain))
        kept = values > DEPENDENT * max(float(values[-1]), 1e-300)
        independent = bool(kept.all())
        rotation = unrotated.rotation if independent else vectors[:, kept]
        return cls(unrotated.centre, unrotated.spread, with_missing, rotation)

    def matrix(self, points: Numbers) -> Numbers:
        """Return one row of regressors per point, the first of them 1."""
        points = np.asarray(points, dtype=np.float64)
        missing = np.isnan(points)
        deviations = np.where(missing, 0.0, (points - self.centre) / self.spread)
        deviations = np.clip(deviations, -FARTHEST, FARTHEST)
        gaps = missing[:, self.with_missing].astype(np.float64)
        plain = np.hstack([deviations, gaps])
        return np.hstack([np.ones((len(points), 1)), plain @ self.rotation])


class Priors(NamedTuple):
    """p_g(x) for every record (row) and class (column) at some coefficients, and ln p_g(x)."""

    coefficients: Numbers
    values: Numbers
    logs: Numbers


def priors_at(regressors: Numbers, coefficients: Numbers) -> Priors:
    """Return the priors of all records; the first class is the reference.

    `coefficients` has one column per further class.

    >>> np.exp(priors_at(np.ones((1, 1)), np.array([[np.log(3.0)]])).logs).round(6)
    array([[0.25, 0.75]])
    """
    logs = np.zeros((len(regressors), coefficients.shape[1] + 1))
    logs[:, 1:] = regressors @ coefficients
    logs -= row_maximum(logs)[:, None]
    values = np.exp(logs)
    total = row_sum(values)
    values /= total[:, None]
    logs -= np.log(total)[:, None]
    return Priors(coefficients, values, logs)


def priors(regressors: Numbers, coefficients: Numbers) -> Numbers:
    """Return p_g(x) for every record (row) and class (column).

    >>> priors(np.ones((1, 1)), np.array([[np.log(3.0)]])).round(6)
    array([[0.25, 0.75]])
    """
    return priors_at(regressors, coefficients).values


def row_maximum(table: Numbers) -> Numbers:
    """Return the largest entry of each row; for few columns much faster than the reduction.

    >>> row_maximum(np.array([[1.0, 3.0], [2.0, 0.0]]))
    array([3., 2.])
    """
    largest = table[:, 0].copy()
    for g in range(1, table.shape[1]):
        np.maximum(largest, table[:, g], out=largest)
    return largest


def row_sum(table: Numbers) -> Numbers:
    """Return the sum of each row, as `row_maximum`.

    >>> row_sum(np.array([[1.0, 3.0], [2.0, 0.0]]))
    array([4., 2.])
    """
    return np.asarray(table @ np.ones(table.shape[1]))


def column_mean(table: Numbers) -> Numbers:
    """Return the mean of each column, as `row_sum`.

    >>> column_mean(np.array([[1.0, 3.0], [2.0, 0.0]]))
    array([1.5, 1.5])
    """
    return np.asarray(np.ones(len(table)) @ table / len(table))


@dataclass(frozen=True, eq=False)
class Design:
    """The regressors of the records that a model is fitted to, and what Newton steps need of them.

    >>> Design(np.array([[1.0, 2.0], [1.0, 3.0]])).curvature(np.full((2, 2), 0.5))
    array([[0.5 , 1.25],
           [1.25, 3.25]])
    """

    regressors: Numbers

    def __len__(self) -> int:
        return len(self.regressors)

    @cached_property
    def _pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The pairs of regressors, each with itself too."""
        return np.triu_indices(self.regressors.shape[1])

    def _products(self, rows: slice) -> Numbers:
        """Return x_a·x_b for each pair of regressors (row) and some records (columns)."""
        first, second = self._pairs
        across = np.ascontiguousarray(self.regressors[rows].T)
        products = across[first]
        products *= across[second]
        return products

    @cached_property
    def _all_products(self) -> Numbers:
        return self._products(slice(None))

    def curvature(self, fitted: Numbers) -> Numbers:
        """Return −H at the fitted priors: Σ_i p_g (δ_gh − p_h) x xᵀ, a block for each g and h."""
        width, classes = self.regressors.shape[1], fitted.shape[1] - 1
        across = np.ascontiguousarray(fitted.T[1:])
        of_classes = np.triu_indices(classes)
        weights = np.empty((len(of_classes[0]), len(fitted)))
        for row, g, h in zip(weights, *of_classes, strict=True):
            np.multiply(across[g], across[h] if g != h else across[g] - 1, out=row)
        first, second = self._pairs
        if len(first) * len(self) <= ROOM:
            sums = -(self._all_products @ weights.T)
        else:
            sums = np.zeros((len(first), len(weights)))
            step = max(1, ROOM // len(first))
            for start in range(0, len(self), step):
                rows = slice(start, start + step)
                sums -= self._products(rows) @ weights[:, rows].T
        curvature = np.empty((classes, width, classes, width))
        block = np.empty((width, width))
        for column, g, h in zip(sums.T, *of_classes, strict=True):
            block[first, second] = block[second, first] = column
            curvature[g, :, h] = curvature[h, :, g] = block
        return curvature.reshape(classes * width, classes * width)


def fit_priors(design: Design, shares: Numbers, start: Priors, steps: int) -> Priors:
    """Return priors that raise Σ z_ig ln p_g(x_i), by Newton steps halved where they fail.

    A few steps suffice within EM, which needs only that the sum does not fall.

    >>> x = np.array([[1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [1.0, 1.0]])
    >>> shares = np.array([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9], [0.5, 0.5]])
    >>> fitted = fit_priors(Design(x), shares, priors_at(x, np.zeros((2, 1))), 20)
    >>> fitted.values[[0, 2]].round(6)   # the mean shares of the two groups
    array([[0.7, 0.3],
           [0.3, 0.7]])
    """
    best = start
    if not start.coefficients.shape[1]:
        return best
    value = expected_log_prior(best, shares)
    for _ in range(steps):
        gradient = design.regressors.T @ (shares - best.values)[:, 1:]
        if np.abs(gradient).max() <= 1e-10 * len(design):
            break
        step = _newton_step(design.curvature(best.values), gradient)
        for _ in range(30):
            tried = priors_at(design.regressors, best.coefficients + step)
            reached = expected_log_prior(tried, shares)
            if reached >= value:
                break
            step = step / 2
        else:
            break
        gain = reached - value
        best, value = tried, reached
        if gain <= 1e-13 * max(1.0, abs(value)):
            break
    return best


def expected_log_prior(fitted: Priors, shares: Numbers) -> float:
    """Return Σ_i Σ_g z_ig ln p_g(x_i); a class without a share adds nothing."""
    return float(np.vdot(shares, fitted.logs))


def _newton_step(curvature: Numbers, gradient: Numbers) -> Numbers:
    """Return (−H)⁻¹ · gradient, without the directions in which there is no curvature left."""
    width, classes = gradient.shape
    values, vectors = np.linalg.eigh(curvature)
    kept = values > FLAT * max(float(values[-1]), 1e-300)
    along = vectors[:, kept].T @ gradient.T.reshape(-1)
    step = vectors[:, kept] @ (along / values[kept])
    return np.asarray(step.reshape(classes, width).T)
