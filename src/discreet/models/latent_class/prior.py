"""The class priors p_g(x): a multinomial logit fitted to shares of classes.

In the M step each record has a share in every class, not one class. The fit maximises
Σ_i Σ_g z_ig ln p_g(x_i), whose score equation for the constant makes the mean of the fitted priors
equal to the mean of the shares, class by class.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers

DEPENDENT = 1e-10
"""Directions with less than this share of the largest spread count as dependent."""
FLAT = 1e-9
"""Curvature below this share of the largest counts as none: the priors there are already 0 or 1."""
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


def priors(regressors: Numbers, coefficients: Numbers) -> Numbers:
    """Return p_g(x) for every record (row) and class (column); the first class is the reference.

    `coefficients` has one column per further class.

    >>> priors(np.ones((1, 1)), np.array([[np.log(3.0)]])).round(6)
    array([[0.25, 0.75]])
    """
    linear = np.zeros((len(regressors), coefficients.shape[1] + 1))
    linear[:, 1:] = regressors @ coefficients
    linear -= row_maximum(linear)[:, None]
    np.exp(linear, out=linear)
    linear /= row_sum(linear)[:, None]
    return linear


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


def fit_priors(regressors: Numbers, shares: Numbers, start: Numbers, steps: int) -> Numbers:
    """Return coefficients that raise Σ z_ig ln p_g(x_i), by Newton steps halved where they fail.

    A few steps suffice within EM, which needs only that the sum does not fall.

    >>> x = np.array([[1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [1.0, 1.0]])
    >>> shares = np.array([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9], [0.5, 0.5]])
    >>> coefficients = fit_priors(x, shares, np.zeros((2, 1)), 20)
    >>> priors(x, coefficients)[[0, 2]].round(6)   # the mean shares of the two groups
    array([[0.7, 0.3],
           [0.3, 0.7]])
    """
    coefficients = start
    if not coefficients.shape[1]:
        return coefficients
    fitted = priors(regressors, coefficients)
    value = expected_log_prior(fitted, shares)
    for _ in range(steps):
        gradient = regressors.T @ (shares - fitted)[:, 1:]
        if np.abs(gradient).max() <= 1e-10 * len(regressors):
            break
        step = _newton_step(regressors, fitted, gradient)
        for _ in range(30):
            tried = coefficients + step
            tried_priors = priors(regressors, tried)
            reached = expected_log_prior(tried_priors, shares)
            if reached >= value:
                break
            step = step / 2
        else:
            break
        gain = reached - value
        coefficients, fitted, value = tried, tried_priors, reached
        if gain <= 1e-13 * max(1.0, abs(value)):
            break
    return coefficients


def expected_log_prior(fitted: Numbers, shares: Numbers) -> float:
    """Return Σ_i Σ_g z_ig ln p_g(x_i); a class without a share adds nothing."""
    logs = np.log(np.maximum(fitted, 1e-300))
    return float(np.einsum("ig,ig->", shares, logs))


def _newton_step(regressors: Numbers, fitted: Numbers, gradient: Numbers) -> Numbers:
    """Return (−H)⁻¹ · gradient, without the directions in which there is no curvature left."""
    width, classes = gradient.shape
    curvature = np.empty((classes, width, classes, width))
    for g in range(classes):
        p = fitted[:, g + 1]
        for h in range(g, classes):
            q = fitted[:, h + 1]
            weights = p * (1 - p) if g == h else -p * q
            block = regressors.T @ (regressors * weights[:, None])
            curvature[g, :, h] = block
            curvature[h, :, g] = block
    flat = curvature.reshape(classes * width, classes * width)
    values, vectors = np.linalg.eigh(flat)
    kept = values > FLAT * max(float(values[-1]), 1e-300)
    along = vectors[:, kept].T @ gradient.T.reshape(-1)
    step = vectors[:, kept] @ (along / values[kept])
    return np.asarray(step.reshape(classes, width).T)
