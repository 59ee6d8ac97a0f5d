"""Means, covariances and correlations of columns that may have missing values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def means(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of the present values of each column; NaN where there are none.

    >>> means(np.array([[1.0, np.nan], [3.0, np.nan]]))
    array([ 2., nan])
    """
    present = ~np.isnan(values)
    counts = present.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(present, values, 0).sum(axis=0) / counts)


def covariance(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sample covariance matrix over the records present in both columns of a pair.

    The denominator is the number of such records less one; a pair with fewer than two is 0.

    >>> covariance(np.array([[1.0, 2.0], [3.0, 6.0]]))
    array([[2., 4.],
           [4., 8.]])
    """
    if len(values) < 2:
        return np.zeros((values.shape[1], values.shape[1]))
    present = ~np.isnan(values)
    if present.all():
        return np.atleast_2d(np.cov(values, rowvar=False))
    # About the columns' means, so that little is lost to cancellation below.
    centred = np.where(present, values - np.nan_to_num(means(values)), 0)
    mask = present.astype(np.float64)
    counts = mask.T @ mask
    sums = centred.T @ mask
    with np.errstate(invalid="ignore", divide="ignore"):
        covariances = (centred.T @ centred - sums * sums.T / counts) / (counts - 1)
    return np.asarray(np.where(counts >= 2, covariances, 0.0))


def standard_deviations(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sample standard deviation of the present values of each column.

    >>> standard_deviations(np.array([[1.0], [3.0]]))
    array([1.41421356])
    """
    return np.asarray(np.sqrt(np.maximum(np.diag(covariance(values)), 0)))


def correlations(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the correlation matrix over the records present in both columns of a pair.

    A pair with a constant column has no correlation and is NaN.

    >>> correlations(np.array([[1.0, 2.0], [3.0, 6.0], [4.0, 8.0]])).round(12)
    array([[1., 1.],
           [1., 1.]])
    """
    columns = values.shape[1]
    result = np.full((columns, columns), np.nan)
    for i in range(columns):
        for j in range(i, columns):
            both = ~(np.isnan(values[:, i]) | np.isnan(values[:, j]))
            x, y = values[both, i], values[both, j]
            if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
                continue
            x, y = x - x.mean(), y - y.mean()
            scale = np.sqrt(x @ x) * np.sqrt(y @ y)
            if scale > 0:
                result[i, j] = result[j, i] = np.clip(x @ y / scale, -1, 1)
    return result
