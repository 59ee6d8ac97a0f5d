"""Weighted regressions as a survey analyst fits them: design-based errors, category by category.

Estimates solve Σ w (y − μ(xβ)) x = 0, by least squares for numbers and by Newton steps for a yes or
no; their covariance is the sandwich A⁻¹ V A⁻¹ with A the curvature and V the design's covariance
of the sum (Binder 1983, On the variances of asymptotically normal estimators from complex surveys).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.threads import one_thread
from discreet.microdata import Numbers
from discreet.models.regression import DEPENDENT
from discreet.models.survey_design import SurveyDesign

MOST_STEPS = 100
SETTLED = 1e-10


def linear(matrix: Numbers, response: Numbers, design: SurveyDesign) -> tuple[Numbers, Numbers]:
    """Return coefficients and standard errors; NaN where the data do not determine them.

    A row with a NaN is left out; it still belongs to the design.

    >>> x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 4.0])
    >>> alone = SurveyDesign(np.ones(4), np.zeros(4, dtype=int), np.arange(4))
    >>> linear(np.column_stack([np.ones(4), x]), y, alone)[0].round(6)
    array([0.5, 0.8])
    """
    rows, x, y, w = _complete(matrix, response, design)
    # In units of the largest values no square overflows or underflows.
    across, up = _largest(x), _largest(y[:, None])
    x, y = x / across, y / up
    with one_thread():
        inverse, determined = _inverse(x, w)
        coefficients = inverse @ (x.T @ (w * y))
        residuals = y - x @ coefficients
        # A second solve corrects the rounding of the first.
        coefficients += inverse @ (x.T @ (w * residuals))
        residuals = y - x @ coefficients
        errors = _errors(design, rows, x * (w * residuals)[:, None], inverse)
    unit = up / across
    scaled = unit * coefficients, unit * errors
    return np.where(determined, scaled[0], np.nan), np.where(determined, scaled[1], np.nan)


def logistic(matrix: Numbers, successes: Numbers, design: SurveyDesign) -> tuple[Numbers, Numbers]:
    """Return coefficients and standard errors of the log odds; NaN where there are none.

    >>> x = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0])
    >>> alone = SurveyDesign(np.ones(6), np.zeros(6, dtype=int), np.arange(6))
    >>> fit = logistic(np.column_stack([np.ones(6), x]), np.array([0.0, 0, 1, 0, 1, 1]), alone)
    >>> fit[0].round(6)   # log ½, and log 2 − log ½
    array([-0.693147,  1.386294])
    """
    rows, x, y, w = _complete(matrix, successes, design)
    undetermined = np.full(matrix.shape[1], np.nan)
    if not len(y) or y.min() == y.max():
        return undetermined, undetermined
    across = _largest(x)
    x = x / across
    coefficients = np.zeros(x.shape[1])
    with one_thread():
        _, determined = _inverse(x, w)
        for _ in range(MOST_STEPS):
            chance = _chance(x, coefficients)
            inverse, curved = _inverse(x, w * chance * (1 - chance))
            step = inverse @ (x.T @ (w * (y - chance)))
            coefficients = coefficients + step
            if np.abs(x @ step).max() < SETTLED:
                break
        else:
            # The categories are completely separated: infinite odds are not an estimate.
            return undetermined, undetermined
        parts = x * (w * (y - _chance(x, coefficients)))[:, None]
        errors = _errors(design, rows, parts, inverse)
    determined &= curved
    scaled = coefficients / across, errors / across
    return np.where(determined, scaled[0], np.nan), np.where(determined, scaled[1], np.nan)


def _largest(columns: Numbers) -> Numbers:
    """Return the largest absolute value of each column; 1 where all are zero."""
    largest = np.abs(columns).max(axis=0, initial=0.0)
    return np.where(largest > 0, largest, 1.0)


def _chance(x: Numbers, coefficients: Numbers) -> Numbers:
    return np.asarray(1 / (1 + np.exp(-np.clip(x @ coefficients, -500, 500))))


def _complete(
    matrix: Numbers, response: Numbers, design: SurveyDesign
) -> tuple[NDArray[np.int64], Numbers, Numbers, Numbers]:
    rows = np.flatnonzero(~(np.isnan(matrix).any(axis=1) | np.isnan(response)))
    return rows, matrix[rows], response[rows], design.weights[rows]


def _inverse(x: Numbers, weights: Numbers) -> tuple[Numbers, NDArray[np.bool_]]:
    """Return the inverse of XᵀWX where the terms span, and which terms it determines."""
    curvature = x.T @ (x * weights[:, None])
    lengths = np.sqrt(np.diag(curvature))
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    values, vectors = np.linalg.eigh(curvature * np.outer(scale, scale))
    kept = values > DEPENDENT * max(float(values.max(initial=0.0)), 1e-300)
    basis = vectors[:, kept]
    inverse = scale[:, None] * (basis / values[kept]) @ basis.T * scale
    determined = ((basis**2).sum(axis=1) > 1 - 1e-6) & (lengths > 0)
    return np.asarray(inverse), determined


def _errors(
    design: SurveyDesign, rows: NDArray[np.int64], parts: Numbers, inverse: Numbers
) -> Numbers:
    everybody = np.zeros((len(design.weights), parts.shape[1]))
    everybody[rows] = parts
    variances = np.diag(inverse @ design.covariance(everybody) @ inverse)
    return np.sqrt(np.maximum(variances, 0.0))
