"""Means, covariances and correlations of columns that may have missing values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import STRETCH

DOUBTFUL = 1e-6
BLOCK = 512
"""Rows multiplied at a time: they stay in the cache, and are too few to be spread over threads,
which on a busy machine cost more than they save."""


def means(
    values: NDArray[np.float64], weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return the mean of the present values of each column; NaN where there are none.

    >>> means(np.array([[1.0, np.nan], [3.0, np.nan]]))
    array([ 2., nan])
    >>> means(np.array([[1.0], [3.0]]), np.array([3.0, 1.0]))
    array([1.5])
    """
    if weights is None:
        return means_of(lambda: _stretches(values), values.shape[1])
    present = ~np.isnan(values)
    totals = weights @ (values if present.all() else np.where(present, values, 0.0))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(totals / (weights @ present))


def covariance(
    values: NDArray[np.float64], weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return the sample covariance matrix over the records present in both columns of a pair.

    The denominator is the number of such records less one; a pair with fewer than two is 0. With
    weights it is n/(n − 1) times the weighted mean product of the deviations.

    >>> covariance(np.array([[1.0, 2.0], [3.0, 6.0]]))
    array([[2., 4.],
           [4., 8.]])
    """
    if weights is None:
        return covariance_of(lambda: _stretches(values), values.shape[1])
    present = ~np.isnan(values)
    centred = np.where(present, values - np.nan_to_num(means(values, weights)), 0.0)
    mask = present.astype(np.float64)
    counts, totals = _products(mask, mask), _products(_times(mask, weights), mask)
    sums = _products(_times(centred, weights), mask)
    squares = _products(_times(centred, weights), centred)
    with np.errstate(invalid="ignore", divide="ignore"):
        covariances = (squares - sums * sums.T / totals) / totals * counts / (counts - 1)
    return np.asarray(np.where((counts >= 2) & (totals > 0), covariances, 0.0))


def covariance_of(
    pieces: Callable[[], Iterable[NDArray[np.float64]]], columns: int
) -> NDArray[np.float64]:
    """Return the covariance matrix of records that are read in pieces, twice.

    Sums are taken piece by piece in their order, so that they are the same wherever pieces of
    `STRETCH` records come from.

    >>> covariance_of(lambda: [np.array([[1.0, 2.0]]), np.array([[3.0, 6.0]])], 2)
    array([[2., 4.],
           [4., 8.]])
    """
    centre = np.nan_to_num(means_of(pieces, columns))
    counts, sums, squares = (np.zeros((columns, columns)) for _ in range(3))
    for values in pieces():
        missing = np.isnan(values)
        # About the columns' means, so that little is lost to cancellation below.
        centred, mask = values - centre, np.ones(values.shape)
        if missing.any():
            centred[missing] = mask[missing] = 0
            counts += _products(mask, mask)
        else:
            counts += len(values)
        sums += _products(centred, mask)
        squares += _products(centred, centred)
    with np.errstate(invalid="ignore", divide="ignore"):
        covariances = (squares - sums * sums.T / counts) / (counts - 1)
    return np.asarray(np.where(counts >= 2, covariances, 0.0))


def means_of(
    pieces: Callable[[], Iterable[NDArray[np.float64]]], columns: int
) -> NDArray[np.float64]:
    """Return the means of the present values of records that are read in pieces.

    >>> means_of(lambda: [np.array([[1.0]]), np.array([[np.nan], [3.0]])], 1)
    array([2.])
    """
    counts, totals = np.zeros(columns, dtype=np.int64), np.zeros(columns)
    for values in pieces():
        missing = np.isnan(values)
        counts += len(values)
        if missing.any():
            counts -= missing.sum(axis=0)
            values = np.where(missing, 0, values)
        totals += values.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(totals / counts)


def _stretches(values: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    return (values[at : at + STRETCH] for at in range(0, len(values), STRETCH))


def standard_deviations(
    values: NDArray[np.float64], weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return the sample standard deviation of the present values of each column.

    >>> standard_deviations(np.array([[1.0], [3.0]]))
    array([1.41421356])
    """
    return deviations(covariance(values, weights))


def deviations(covariances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the standard deviations by a covariance matrix.

    >>> deviations(np.array([[4.0, 1.0], [1.0, 9.0]]))
    array([2., 3.])
    """
    return np.asarray(np.sqrt(np.maximum(np.diag(covariances), 0)))


def correlations(
    values: NDArray[np.float64], weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return the correlation matrix over the records present in both columns of a pair.

    A pair with a constant column has no correlation and is NaN.

    >>> correlations(np.array([[1.0, 2.0], [3.0, 6.0], [4.0, 8.0]])).round(12)
    array([[1., 1.],
           [1., 1.]])
    """
    present = ~np.isnan(values)
    centre = np.nan_to_num(means(values, weights))
    centred = values - centre
    centred[~present] = 0.0
    # In units of the largest deviation no square overflows or underflows.
    largest = np.array([np.abs(column).max(initial=0.0) for column in centred.T])
    centred /= np.where(largest > 0, largest, 1.0)
    mask = present.astype(np.float64)
    weighted = _times(centred, weights)
    counts, sums = _products(_times(mask, weights), mask), _products(weighted, mask)
    squares = _products(weighted * centred, mask)
    # Entry (i, j): the sum of squares of column i about its mean where column j is present too.
    with np.errstate(invalid="ignore", divide="ignore"):
        about = squares - sums**2 / counts
        products = _products(weighted, centred) - sums * sums.T / counts
        result = np.clip(products / np.sqrt(about * about.T), -1, 1)
    # Where little of a column's spread is left, rounding could hide that it is constant.
    doubtful = ~(about > DOUBTFUL * np.diag(squares)[:, None])
    for i, j in np.argwhere(np.triu(doubtful | doubtful.T)):
        result[i, j] = result[j, i] = _correlation(values[:, i], values[:, j], weights)
    return np.asarray(result)


def _products(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return leftᵀ · right."""
    total = np.zeros((left.shape[1], right.shape[1]))
    for start in range(0, len(left), BLOCK):
        total += left[start : start + BLOCK].T @ right[start : start + BLOCK]
    return total


def _times(values: NDArray[np.float64], weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
    return values if weights is None else values * weights[:, None]


def _correlation(
    x: NDArray[np.float64], y: NDArray[np.float64], weights: NDArray[np.float64] | None
) -> float:
    both = ~(np.isnan(x) | np.isnan(y))
    both &= True if weights is None else weights > 0
    x, y = x[both], y[both]
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return np.nan
    w = np.ones(len(x)) if weights is None else weights[both]
    x, y = x - (w @ x) / w.sum(), y - (w @ y) / w.sum()
    scale = np.sqrt(w @ x**2) * np.sqrt(w @ y**2)
    return float(np.clip(w @ (x * y) / scale, -1, 1)) if scale > 0 else np.nan
