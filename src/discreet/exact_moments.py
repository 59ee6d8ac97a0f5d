"""Synthetic values with exactly the mean and the covariance matrix of the original ones.

The one definition behind R-microhybrid, HybridMicro, local synthesis and noise that keeps moments
exactly. Normal draws are shifted, turned and stretched until their mean and covariance matrix are
those of the records: what mvrnorm(empirical=TRUE) of the R package MASS does (Oganian &
Domingo-Ferrer 2017, §4), after Burridge (2003).

With X the deviations of n records from their mean, and A any matrix with AᵀA = XᵀX, the values
mean + Z·A have the same mean and the same covariance matrix if the columns of Z are orthonormal and
each sums to zero. Z is drawn uniformly among all such matrices. A has no more than n − 1 rows, so
nothing has to be inverted and no rank is to be guessed: constant columns, collinear columns and
groups with fewer records than columns are all the same to it, and what comes out lies in the
subspace that the records span.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.progress import Advance

Numbers = NDArray[np.float64]

LEAST = 3
"""Two records with their mean and covariance kept would be the same two records."""
CELLS = 2_000_000
"""Numbers worked on at a time, so that a large file in many groups needs little memory."""


def exact_moments(values: Numbers, rng: np.random.Generator) -> Numbers:
    """Return synthetic records with exactly the mean and covariance matrix of these.

    >>> values = np.array([[1.0, 2.0], [3.0, 1.0], [5.0, 9.0], [7.0, 8.0]])
    >>> synthetic = exact_moments(values, np.random.default_rng(1))
    >>> bool(np.allclose(synthetic.mean(axis=0), [4.0, 5.0], rtol=1e-12))
    True
    >>> bool(np.allclose(np.cov(synthetic.T), np.cov(values.T), rtol=1e-12))
    True
    >>> bool(np.isclose(synthetic, values).any())
    False
    """
    return exact_moments_within(values, np.zeros(len(values), dtype=np.int64), rng)


def exact_moments_within(
    values: Numbers,
    labels: NDArray[np.int64],
    rng: np.random.Generator,
    advance: Advance | None = None,
) -> Numbers:
    """Return synthetic records with exactly the mean and covariance matrix of each group.

    Groups of one size are worked on together. `advance` is told of the records that are done.

    >>> values = np.array([[1.0], [2.0], [9.0], [100.0], [200.0], [600.0]])
    >>> synthetic = exact_moments_within(values, np.array([0, 0, 0, 1, 1, 1]),
    ...                                  np.random.default_rng(1))
    >>> bool(np.allclose([synthetic[:3].mean(), synthetic[3:].mean()], [4.0, 300.0]))
    True
    >>> exact_moments_within(values, np.array([0, 0, 0, 0, 1, 1]), np.random.default_rng(1))
    Traceback (most recent call last):
    discreet.errors.DataError: synthetic values with exact moments need groups of at least 3
    records, but one has 2, which would come back as they are; form larger groups
    """
    result = np.empty(values.shape)
    sizes = np.bincount(labels) if len(labels) else np.zeros(0, dtype=np.int64)
    require_size(sizes[sizes > 0], LEAST)
    order = np.argsort(labels, kind="stable")
    starts = np.cumsum(sizes) - sizes
    for size in np.unique(sizes[sizes > 0]).tolist():
        groups = np.flatnonzero(sizes == size)
        step = max(1, CELLS // (size * max(values.shape[1], 1)))
        for at in range(0, len(groups), step):
            rows = order[starts[groups[at : at + step], None] + np.arange(size)]
            result[rows] = _synthetic(values[rows], rng)
            if advance is not None:
                advance(rows.size)
    return result


def exact_noise(values: Numbers, rng: np.random.Generator) -> Numbers:
    """Return noise with exactly the covariance matrix of the values, and exactly none with them.

    Its mean is zero. Added to the values, c times as much of it (in variance) multiplies their
    covariance matrix by exactly 1 + c: eq. 10 of Oganian & Domingo-Ferrer (2017) made exact. It
    takes more than twice as many records as columns.

    >>> values = np.array([[1.0], [2.0], [4.0], [9.0]])
    >>> noise = exact_noise(values, np.random.default_rng(1))
    >>> bool(np.allclose(np.cov(values.T, noise.T), np.cov(values.T) * np.eye(2)))
    True
    """
    rows, columns = values.shape
    if rows < 2 * columns + 1:
        raise DataError(
            f"exact noise for {columns} columns needs at least {2 * columns + 1} records, but the "
            f"data have {rows}; treat fewer columns, or take noise that is exact on average only"
        )
    basis, root = np.linalg.qr(_across(values - _means(values)))
    draws = rng.standard_normal(basis.shape)
    for _ in range(2):  # once more, for what rounding left over
        draws -= basis @ (basis.T @ draws)
    return _back(_orthonormal(draws) @ root)


def with_covariance_of(values: Numbers, draws: Numbers, apart: Numbers) -> Numbers:
    """Return the draws, brought to mean zero, exactly the values' covariance, and none with others.

    `apart` are the columns that the result has no covariance with. What these explain is taken off
    the draws, and a triangular matrix, the one of Cholesky factors, does the rest: draws that
    nearly have the covariance matrix change little. It takes more records than columns, those of
    `apart` included.

    >>> rng = np.random.default_rng(1)
    >>> values = np.array([[1.0], [2.0], [4.0], [9.0]])
    >>> apart = np.array([[3.0], [1.0], [1.0], [2.0]])
    >>> made = with_covariance_of(values, rng.standard_normal((4, 1)), apart)
    >>> bool(np.isclose(made.var(), values.var())), bool(np.isclose((made * apart).sum(), 0))
    (True, True)
    """
    basis = np.linalg.qr(_across(apart - _means(apart)))[0] if apart.shape[1] else apart[1:]
    root = np.asarray(np.linalg.qr(_across(values - _means(values)), mode="r"))
    root = root * np.where(np.diagonal(root) < 0, -1.0, 1.0)[:, None]
    rest = _across(draws - _means(draws))
    for _ in range(2):  # once more, for what rounding left over
        rest = rest - basis @ (basis.T @ rest)
    return _back(_orthonormal(rest) @ root)


def require_size(sizes: NDArray[np.int64], least: int) -> None:
    """Refuse groups that are too small to be synthesised with exact moments."""
    smallest = int(sizes.min(initial=least))
    if smallest < least:
        came_back = ", which would come back as they are" if smallest < LEAST else ""
        raise DataError(
            f"synthetic values with exact moments need groups of at least {least} records, but "
            f"one has {smallest}{came_back}; form larger groups"
        )


def _synthetic(values: Numbers, rng: np.random.Generator) -> Numbers:
    """Return the synthetic records of a stack of groups of one size: groups × records × columns."""
    means = _means(values)
    root = _across(values - means)
    if root.shape[-2] > root.shape[-1]:
        root = np.asarray(np.linalg.qr(root, mode="r"))
    turned = rng.standard_normal((*values.shape[:-2], values.shape[-2] - 1, root.shape[-2]))
    return means + _back(_orthonormal(turned) @ root)


def _means(values: Numbers) -> Numbers:
    """Return the mean of each column of each group, to the last bit where all values are equal."""
    means = values.mean(axis=-2, keepdims=True)
    # A second pass takes back what rounding did to the sum of the first.
    means += (values - means).mean(axis=-2, keepdims=True)
    least = values.min(axis=-2, keepdims=True)
    return np.asarray(np.where(least == values.max(axis=-2, keepdims=True), least, means))


def _orthonormal(draws: Numbers) -> Numbers:
    """Return orthonormal columns, uniformly drawn if the entries are independent normal draws."""
    columns, root = np.linalg.qr(draws)
    # The factorisation prefers one sign; with the diagonal of its root positive it has none.
    signs = np.where(np.diagonal(root, axis1=-2, axis2=-1) < 0, -1.0, 1.0)
    return np.asarray(columns * signs[..., None, :])


def _across(deviations: Numbers) -> Numbers:
    """Return deviations, which sum to zero, in n − 1 coordinates at right angles to the sum.

    A reflection takes the direction of the sum, (1, …, 1)/√n, to the first axis, which is dropped.
    """
    return np.asarray(_reflected(deviations)[..., 1:, :])


def _back(coordinates: Numbers) -> Numbers:
    """Return deviations of n records from n − 1 coordinates: the way back from `_across`."""
    first = np.zeros((*coordinates.shape[:-2], 1, coordinates.shape[-1]))
    return _reflected(np.concatenate([first, coordinates], axis=-2))


def _reflected(values: Numbers) -> Numbers:
    """Reflect the records at the plane between the first axis and the direction of the sum."""
    share = 1 / math.sqrt(values.shape[-2])
    normal = np.full((values.shape[-2], 1), -share)
    normal[0] += 1
    along = (values * normal).sum(axis=-2, keepdims=True) / (1 - share)
    return np.asarray(values - normal * along)
