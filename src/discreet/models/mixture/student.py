"""Components with longer tails: the multivariate t in place of the normal (§4, end).

Peel & McLachlan (2000): a t variable is a normal one whose covariance is divided by a gamma
variable u. Given the squared Mahalanobis distance s, u has the expectation (ν + d) / (ν + s), by
which a record far from the centre counts less. One number of degrees of freedom ν is common to
all components.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.progress import Advance
from discreet.microdata import Numbers
from discreet.models.exact_moments import is_large, put_in_blocks, with_moments_of

FEWEST, MOST = 2.5, 200.0
"""Bounds of ν: the covariance exists above 2, and from 200 on the t is practically normal."""


def log_density(squared: Numbers, log_determinants: Numbers, d: int, freedom: float) -> Numbers:
    """Return the log density at these squared Mahalanobis distances; ν = ∞ is the normal.

    >>> float(log_density(np.array([0.0]), np.array([0.0]), 1, np.inf)[0])   # −log √2π
    -0.9189385...
    >>> float(log_density(np.array([0.0]), np.array([0.0]), 1, 3.0)[0])      # −log(π√3/2)
    -1.0008888...
    """
    if np.isinf(freedom):
        return np.asarray(-0.5 * (squared + log_determinants + d * np.log(2 * np.pi)))
    from scipy.special import gammaln

    constant = gammaln((freedom + d) / 2) - gammaln(freedom / 2) - d / 2 * np.log(freedom * np.pi)
    tails = (freedom + d) / 2 * np.log1p(squared / freedom)
    return np.asarray(constant - 0.5 * log_determinants - tails)


def weight(squared: Numbers, d: int, freedom: float) -> Numbers:
    """Return how much a record counts for its component: E[u | s].

    >>> weight(np.array([1.0, 19.0]), 1, 1.0)
    array([1. , 0.1])
    """
    return np.asarray((freedom + d) / (freedom + squared))


def freedom_of(mean: float, d: int, before: float) -> float:
    """Return the ν that maximises the expected complete likelihood, within the bounds.

    `mean` is that of log u − u over the records, u being what a record counts.

    >>> rng = np.random.default_rng(1)
    >>> u = weight(rng.chisquare(1, 5000), 1, 50.0)
    >>> freedom_of(float((np.log(u) - u).mean()), 1, 50.0) > 50   # normal data
    True
    """
    from scipy.optimize import brentq
    from scipy.special import digamma

    half = (before + d) / 2
    constant = 1 + mean + float(digamma(half)) - np.log(half)

    def slope(freedom: float) -> float:
        return float(np.log(freedom / 2) - digamma(freedom / 2) + constant)

    # The slope falls with ν: without a root the best is at a bound.
    if slope(FEWEST) <= 0:
        return FEWEST
    return MOST if slope(MOST) >= 0 else float(brentq(slope, FEWEST, MOST, xtol=1e-6))


def exact_student(values: Numbers, freedom: float, rng: np.random.Generator) -> Numbers:
    """Return t-distributed synthetic records with exactly the mean and covariance of these.

    As `exact_moments`, with long tails: the linear map that brings the draws from a t to the mean
    and the covariance is the same for every record.

    >>> values = np.random.default_rng(1).normal(size=(50, 2))
    >>> made = exact_student(values, 4.0, np.random.default_rng(2))
    >>> bool(np.allclose(np.cov(made.T), np.cov(values.T), rtol=1e-12))
    True
    """
    n, d = values.shape
    return with_moments_of(values, _drawn(n, min(n - 1, d), freedom, rng))


def put_exact_student(
    values: Numbers,
    labels: NDArray[np.int64],
    rng: np.random.Generator,
    advance: Advance,
    freedom: float,
) -> None:
    """Put t-distributed synthetic records in the place of these, group by group.

    As `put_exact_moments` with long tails; a large group is synthesised block by block.

    >>> values = np.array([[1.0], [2.0], [9.0]])
    >>> put_exact_student(values, np.zeros(3, int), np.random.default_rng(1), lambda _: None, 4.0)
    >>> round(float(values.mean()), 9), round(float(values.var()), 6)
    (4.0, 12.666667)
    """
    order = np.argsort(labels, kind="stable")
    for rows in np.split(order, np.cumsum(np.bincount(labels))[:-1]):
        if is_large(len(rows), values.shape[1]):
            put_in_blocks(values, rows, lambda n, d: _drawn(n, d, freedom, rng), advance)
            continue
        values[rows] = exact_student(values[rows], freedom, rng)
        advance(len(rows))


def _drawn(records: int, columns: int, freedom: float, rng: np.random.Generator) -> Numbers:
    draws = rng.standard_normal((records, columns))
    return np.asarray(draws / np.sqrt(rng.chisquare(freedom, (records, 1)) / freedom))
