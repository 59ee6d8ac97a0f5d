"""Robust location and scatter: centre and covariances that a few distant records cannot dominate.

The orthogonalised Gnanadesikan-Kettenring estimate of Maronna & Zamar (2002): covariances of pairs
of columns from robust deviations of their sums and differences, made positive by measuring the
deviations again along the eigenvectors. One step of reweighting takes mean and covariances of the
records that are not far. Nothing is drawn at random, and the time is that of medians.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.threads import one_thread
from discreet.microdata import Numbers

NORMAL = 1.4826
"""The standard deviation of a normal variable over its median absolute deviation."""
NEGLIGIBLE = 1e-150
KEPT = 0.9
"""The share of normal records that the step of reweighting keeps."""


@dataclass(frozen=True, eq=False)
class RobustMoments:
    """Centre and covariance matrix, in the units of robust deviations `spread` of the columns.

    >>> rng = np.random.default_rng(1)
    >>> values = np.append(rng.normal(50, 3, (400, 2)), [[999, 999]] * 40, axis=0)
    >>> found = RobustMoments.of(values)
    >>> bool(np.abs(found.centre - 50).max() < 0.5)
    True
    >>> bool(0.8 < (found.covariance[0, 0] * found.spread[0] ** 2 / 9) < 1.2)
    True
    """

    centre: Numbers
    spread: Numbers
    covariance: Numbers

    @classmethod
    def of(cls, values: Numbers) -> RobustMoments:
        """Estimate from records without missing values; no column may be constant."""
        from scipy.stats import chi2

        middle, spread = np.median(values, axis=0), deviations(values)
        y = (values - middle) / spread
        count = y.shape[1]
        paired = np.eye(count)
        for j in range(count):
            for k in range(j):
                sums, differences = (
                    float(deviations(z[:, None])[0]) for z in (y[:, j] + y[:, k], y[:, j] - y[:, k])
                )
                paired[j, k] = paired[k, j] = (sums**2 - differences**2) / 4
        with one_thread():
            directions = np.linalg.eigh(paired)[1]
            along = y @ directions
        size = deviations(along)
        size = np.where(size > 0, size, 1.0)
        far = _lengths((along - np.median(along, axis=0)) / size)
        limit = np.sqrt(chi2.ppf(KEPT, count) / chi2.ppf(0.5, count)) * float(np.median(far))
        near = y[far <= limit]
        centre = near.mean(axis=0)
        about = near - centre
        # Normal records that were cut off would have added this much.
        lacking = KEPT / float(chi2.cdf(chi2.ppf(KEPT, count), count + 2))
        with one_thread():
            covariance = about.T @ about / max(len(near) - 1, 1) * lacking
        return cls(middle + spread * centre, spread, np.asarray(covariance))

    def distances(self, values: Numbers) -> tuple[Numbers, int]:
        """Return the Mahalanobis distance of each record, and the rank of the covariance matrix.

        Directions without any spread do not count.
        """
        y = (values - self.centre) / self.spread
        # In units of the largest coordinate no square overflows.
        unit = np.maximum(np.abs(y).max(axis=1), 1e-300)
        with one_thread():
            sizes, directions = np.linalg.eigh(self.covariance)
            kept = sizes > 1e-10 * max(float(sizes.max(initial=0.0)), 1e-300)
            along = (y / unit[:, None]) @ directions[:, kept] / np.sqrt(sizes[kept])
        return np.sqrt((along**2).sum(axis=1)) * unit, int(kept.sum())

    def of_columns(self, columns: NDArray[np.int64]) -> RobustMoments:
        """Return the moments of some of the columns."""
        return RobustMoments(
            self.centre[columns], self.spread[columns], self.covariance[np.ix_(columns, columns)]
        )


def _lengths(rows: Numbers) -> Numbers:
    """Return the Euclidean length of each row, in units of its largest entry: none overflows.

    >>> _lengths(np.array([[3e200, 4e200], [0.0, 0.0]]))
    array([5.e+200, 0.e+000])
    """
    unit = np.maximum(np.abs(rows).max(axis=1), 1e-300)
    return np.asarray(unit * np.sqrt(((rows / unit[:, None]) ** 2).sum(axis=1)))


def deviations(values: Numbers) -> Numbers:
    """Return 1.4826 times the median absolute deviation of each column.

    Where more than half of the values are equal, or nearly so compared with the others, this is the
    standard deviation instead: 0 only for a constant column.

    >>> deviations(np.array([[1.0, 7.0], [2.0, 7.0], [3.0, 7.0], [900.0, 7.0]])).round(2)
    array([1.48, 0.  ])
    """
    about = np.abs(values - np.median(values, axis=0))
    scaled_mad = NORMAL * np.median(about, axis=0)
    largest = np.maximum(about.max(axis=0, initial=0.0), 1e-300)
    usual = largest * np.sqrt(((about / largest) ** 2).mean(axis=0))
    # Dividing the largest by a smaller one would overflow.
    return np.asarray(np.where(scaled_mad > NEGLIGIBLE * largest, scaled_mad, usual))
