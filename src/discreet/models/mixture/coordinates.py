"""Coordinates: continuous columns as points that a mixture can be fitted to.

Columns are standardised, so that no unit outweighs another. A constant column does not distinguish
records and is left out. Where columns depend on one another linearly, or fewer dimensions are
wanted, the points are rotated to their principal components (§6): a cluster without volume has no
density.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Microdata, Numbers
from discreet.microdata.dates import day_of
from discreet.models.moments import covariance

Rows = NDArray[np.int64]

COLLINEAR = 1e-9
"""Share of the largest variance below which a direction is taken to have none."""
PER_COLUMN = 10
"""With this many complete records per column the mixture is fitted to complete records alone."""


@dataclass(frozen=True, eq=False)
class Coordinates:
    """How records become points: centre, spread and, where turned, the axes.

    >>> import discreet
    >>> data = discreet.read({"x": [1.0, 3.0, None], "y": [2.0, 6.0, 6.0], "z": [5.0, 5.0, 5.0]})
    >>> coordinates = Coordinates.fit(data, ["x", "y", "z"], np.arange(3))
    >>> coordinates.left_out, coordinates.names
    (('z',), ('x', 'y'))
    """

    names: tuple[str, ...]
    left_out: tuple[str, ...]
    centre: Numbers
    spread: Numbers
    covariance: Numbers
    axes: Numbers | None

    @classmethod
    def fit(
        cls, data: Microdata, columns: Sequence[str], rows: Rows, variance: float = 1.0
    ) -> Coordinates:
        """Take centres and spreads from all records, and the axes from these rows.

        Below 1, `variance` is the share of the total variance that the principal components kept
        must have.
        """
        measured = {name: _centre_and_spread(data[name]) for name in columns}
        names = tuple(name for name in columns if measured[name][1] > 0)
        centre, spread = np.array([measured[name] for name in names]).reshape(-1, 2).T
        plain = cls(
            names, tuple(n for n in columns if n not in names), centre, spread, np.empty(0), None
        )
        between = covariance(plain.standardised(data, rows))
        return cls(names, plain.left_out, centre, spread, between, _axes(between, variance))

    @property
    def dimensions(self) -> int:
        """The number of coordinates of a point."""
        return len(self.names) if self.axes is None else self.axes.shape[1]

    def standardised(self, data: Microdata, rows: Rows) -> Numbers:
        """Return the columns of these records in units of their spread, NaN where missing."""
        values = np.empty((len(rows), len(self.names)))
        for j, name in enumerate(self.names):
            values[:, j] = (data[name][rows] - self.centre[j]) / self.spread[j]
        return values

    def in_own_units(self, data: Microdata, rows: Rows) -> Numbers:
        """Return the columns of these records as they are; the unit of a time is a day.

        A missing value is its prediction, as in `points`.
        """
        predicted = self._complete(data, rows)
        values = np.empty_like(predicted)
        for j, name in enumerate(self.names):
            column = data[name][rows]
            filled = self.centre[j] + self.spread[j] * predicted[:, j]
            values[:, j] = np.where(np.isnan(column), filled, column) / (day_of(data, name) or 1.0)
        return values

    def log_unit(self, data: Microdata) -> float:
        """The logarithm of a point's unit volume in the columns' own units; 0 on turned axes."""
        if self.axes is not None:
            return 0.0
        units = [day_of(data, name) or 1.0 for name in self.names]
        return float(np.log(self.spread / units).sum())

    def points(self, data: Microdata, rows: Rows) -> Numbers:
        """Return a point per record.

        A missing value is set to its prediction from the linear regression on the record's others.
        """
        values = self._complete(data, rows)
        return values if self.axes is None else np.asarray(values @ self.axes)

    def _complete(self, data: Microdata, rows: Rows) -> Numbers:
        values = self.standardised(data, rows)
        gaps = np.isnan(values)
        for pattern in np.unique(gaps[gaps.any(axis=1)], axis=0):
            alike = np.flatnonzero((gaps == pattern).all(axis=1))
            known = np.flatnonzero(~pattern)
            onto = np.linalg.pinv(self.covariance[np.ix_(known, known)], hermitian=True)
            slopes = onto @ self.covariance[np.ix_(known, np.flatnonzero(pattern))]
            values[np.ix_(alike, np.flatnonzero(pattern))] = values[np.ix_(alike, known)] @ slopes
        return values

    def fitted_rows(self, data: Microdata, rows: Rows) -> Rows:
        """Return the records to fit to: the complete ones, if they are enough.

        Values on a regression line would make clusters without volume.
        """
        complete = ~np.isnan(self.standardised(data, rows)).any(axis=1)
        return rows[complete] if complete.sum() >= PER_COLUMN * len(self.names) else rows


def _centre_and_spread(values: Numbers) -> tuple[float, float]:
    present = values[~np.isnan(values)]
    if not len(present) or present.min() == present.max():
        return 0.0, 0.0
    centre = float(present.mean())
    deviations = present - centre
    # In units of the largest deviation no square overflows or underflows.
    largest = float(np.abs(deviations).max())
    return centre, largest * float(np.sqrt(np.mean((deviations / largest) ** 2)))


def _axes(between: Numbers, variance: float) -> Numbers | None:
    """Return the principal axes to keep, or None where all columns are kept as they are."""
    if not len(between):
        return None
    spreads, axes = np.linalg.eigh(between)
    spreads, axes = spreads[::-1], axes[:, ::-1]
    kept = spreads > COLLINEAR * spreads[0]
    if variance < 1:
        reached = np.cumsum(spreads) / spreads.sum()
        kept &= np.arange(len(spreads)) <= np.searchsorted(reached, variance)
    return None if kept.all() else np.asarray(axes[:, kept])
