"""A Gaussian copula over columns of any kind, fitted by the likelihood of the ranks alone.

Hoff, Extending the rank likelihood for semiparametric copula estimation (2007). Behind each column
stands a normal variable whose order is that of the column's values. Tied values only say
between which others theirs lie, so the latent values are drawn within these bounds given the other
columns (Gibbs sampling), which keeps the correlation of columns of few values from being
understated, as it would be by scores with ties broken at random.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers

Codes = NDArray[np.int64]

SWEEPS = 25
"""Passes over the columns; the correlations are averaged over the second half."""
MOST_FITTED = 50_000
"""The most records that correlations are estimated from; more would add little."""
TINY = 1e-12


def latent_correlations(levels: Sequence[Codes], generator: np.random.Generator) -> Numbers:
    """Return the correlation matrix behind columns of which only the order of values is known.

    `levels` has for each column the place of each record's value among the different values.

    >>> rng = np.random.default_rng(1)
    >>> first, second = rng.multivariate_normal([0, 0], [[1, 0.8], [0.8, 1]], 4000).T
    >>> coarse = np.searchsorted([0.0, 1.0], second).astype(np.int64)
    >>> both = [np.argsort(np.argsort(first)), coarse]
    >>> float(latent_correlations(both, rng)[0, 1].round(1))
    0.8
    """
    from scipy.special import ndtr, ndtri

    count, width = len(levels[0]), len(levels)
    if count > MOST_FITTED:
        rows = generator.choice(count, MOST_FITTED, replace=False)
        levels, count = [column[rows] for column in levels], MOST_FITTED
    bounds = [_bounds(column) for column in levels]
    latent = np.column_stack([ndtri((low + high) / 2) for low, high in bounds])
    total = np.zeros((width, width))
    for sweep in range(SWEEPS):
        correlations = _correlations(latent)
        if sweep >= SWEEPS // 2:
            total += correlations
        for column, (low, high) in enumerate(bounds):
            others = [i for i in range(width) if i != column]
            weights = np.linalg.lstsq(
                correlations[np.ix_(others, others)], correlations[others, column], rcond=None
            )[0]
            rest = 1.0 - float(correlations[others, column] @ weights)
            spread = np.sqrt(max(rest, 1e-6))
            middle = latent[:, others] @ weights
            under, over = (ndtr((ndtri(edge) - middle) / spread) for edge in (low, high))
            drawn = under + generator.random(count) * (over - under)
            moved = middle + spread * ndtri(np.clip(drawn, TINY, 1 - TINY))
            latent[:, column] = np.clip(moved, *(ndtri(edge) for edge in (low, high)))
    return _valid(total / (SWEEPS - SWEEPS // 2))


def _bounds(levels: Codes) -> tuple[Numbers, Numbers]:
    """Return between which shares of the records the value of each record lies."""
    shares = np.concatenate([[0.0], np.cumsum(np.bincount(levels))]) / max(1, len(levels))
    shares = np.clip(shares, TINY, 1 - TINY)
    return shares[levels], shares[levels + 1]


def _correlations(latent: Numbers) -> Numbers:
    spread = latent.std(axis=0)
    unit = (latent - latent.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    correlations = unit.T @ unit / len(latent)
    np.fill_diagonal(correlations, 1.0)
    return np.asarray(correlations)


def _valid(matrix: Numbers) -> Numbers:
    """Return the nearest matrix that is one of correlations, by raising eigenvalues below 0."""
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    raised = (vectors * np.maximum(values, 1e-8)) @ vectors.T
    unit = np.sqrt(np.diag(raised))
    return np.asarray(raised / np.outer(unit, unit))


def ordered_categories(codes: Sequence[Codes], numbers: Numbers) -> list[Numbers]:
    """Return a number for each category of each column, close for similar categories.

    The first direction of a homogeneity analysis (Gifi 1990): a record's score is the mean of the
    numbers of its categories and of its standardised `numbers`, a category's number the mean score
    of its records, in turn until they settle.

    >>> sex = np.array([0, 0, 1, 1, 2, 2])
    >>> [order] = ordered_categories([sex], np.array([[1.0], [1.0], [5.0], [5.0], [3.0], [3.0]]))
    >>> np.argsort(order)
    array([0, 2, 1])
    """
    count = len(codes[0]) if codes else len(numbers)
    spread = numbers.std(axis=0) if numbers.size else np.ones(numbers.shape[1])
    unit = (numbers - numbers.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    signs = np.ones(unit.shape[1])
    score = unit[:, 0] if unit.shape[1] else codes[0].astype(np.float64)
    means: list[Numbers] = []
    for _ in range(20):
        deviation = float(score.std()) or 1.0
        score = (score - score.mean()) / deviation
        means = [
            np.bincount(column, score) / np.maximum(np.bincount(column), 1) for column in codes
        ]
        signs = score @ unit / max(count, 1)
        parts = [mean[column] for mean, column in zip(means, codes, strict=True)]
        score = np.sum([*parts, unit @ signs], axis=0)
    return means
