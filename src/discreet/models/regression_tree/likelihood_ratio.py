"""The likelihood ratio test of a node's covariance matrix (Li & Sarkar, eq. 9)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers

SINGULAR = 1e-14
"""A covariance, in units of the file's, below which a node's responses do not vary."""


def likelihood_ratio_p(
    scatters: Numbers, counts: NDArray[np.int64], adjusted: bool = False
) -> Numbers:
    """Return the p-value of each node's covariance matrix against that of the file (eq. 9).

    The statistic is chi-squared with r(r + 1)/2 degrees of freedom if the responses are normal.
    `adjusted` multiplies it by 1 − (2r + 1 − 2/(r + 1)) / (6ν − 1), by 0 where that is negative.
    A node in which a response depends on others has p = 0: it discloses a response.

    >>> likelihood_ratio_p(np.array([[[9.0]], [[0.1]]]), np.array([10, 5])).round(3)
    array([1.   , 0.001])
    """
    r = scatters.shape[1]
    statistic = likelihood_ratio(scatters, counts)
    varies = np.isfinite(statistic)
    if adjusted:
        factor = 1 - (2 * r + 1 - 2 / (r + 1)) / np.maximum(6 * (counts - 1.0) - 1, 1.0)
        statistic = np.where(varies, statistic, 0.0) * np.maximum(factor, 0.0)
    finite = np.where(varies, statistic, 0.0)
    return np.where(varies, upper_tail(r * (r + 1) // 2, finite), 0.0)


def likelihood_ratio(scatters: Numbers, counts: NDArray[np.int64]) -> Numbers:
    """Return L_t = ν (log|Σ| − log|Σ_t| + tr(Σ_t Σ⁻¹) − r) with ν = n_t − 1 (eq. 9).

    The file is the first matrix; none of its responses depends on others. Where they do in a
    node, L is infinite.

    >>> likelihood_ratio(np.array([[[9.0]], [[4.0]], [[0.0]]]), np.array([10, 5, 5])).round(3)
    array([ 0.,  0., inf])
    """
    free = counts - 1.0
    # With Σ = C C', the eigenvalues λ of C⁻¹ Σ_t C'⁻¹ give L_t = ν Σ (λ − 1 − log λ).
    lower = np.linalg.inv(np.linalg.cholesky(scatters[0] / free[0]))
    covariances = scatters / np.maximum(free, 1.0)[:, None, None]
    values = np.linalg.eigvalsh(lower @ covariances @ lower.T)
    varies = np.asarray((values > SINGULAR).all(axis=1))
    safe = np.where(varies[:, None], values, 1.0)
    statistic = np.maximum(free * (safe - 1 - np.log(safe)).sum(axis=1), 0.0)
    return np.where(varies, statistic, np.inf)


def upper_tail(freedom: int, statistic: Numbers) -> Numbers:
    """Return how often a chi-squared number is above the statistic.

    >>> upper_tail(1, np.array([0.0, 3.841459])).round(4)
    array([1.  , 0.05])
    """
    from scipy.special import chdtrc

    tail: Any = chdtrc(float(freedom), statistic)
    return np.asarray(tail, dtype=np.float64)
