"""Target moments, and the least change of some records that brings them nearer.

Moments are those of standardised values, zᵢ = (xᵢ − mean)/deviation with mean and deviation of the
original: all averages of products of up to `order` factors, such as z₁, z₁z₂ or z₁²z₂. With order 2
these are the means and the covariance matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Microdata, Numbers

CELLS = 4_000_000
"""Numbers worked on at a time."""
UNDETERMINED = 1e-12
"""Directions with less than this share of the weight of the strongest are left alone."""


@dataclass(frozen=True, eq=False)
class MomentTarget:
    """The moments of an original table, in units of its standard deviations.

    >>> target = MomentTarget.of(np.array([[1.0], [3.0]]), order=2)
    >>> target.terms, target.wanted       # z = ±1: the mean 0, the mean square 1
    ([(0,), (0, 0)], array([0., 1.]))
    >>> points = np.array([[0.0], [0.5]])
    >>> for _ in range(6):
    ...     points = points + target.step(points, np.ones(2), np.arange(2))
    >>> points[:, 0].round(9)
    array([-1.,  1.])
    """

    centre: Numbers
    unit: Numbers
    terms: list[tuple[int, ...]]
    wanted: Numbers

    @classmethod
    def of(cls, values: Numbers, order: int) -> MomentTarget:
        """Take the moments of a table without missing values."""
        centre = values.mean(axis=0)
        spread = values.std(axis=0)
        unit = np.where(np.ptp(values, axis=0) > 0, np.where(spread > 0, spread, 1.0), 1.0)
        terms = [
            term
            for degree in range(1, order + 1)
            for term in combinations_with_replacement(range(values.shape[1]), degree)
        ]
        target = cls(centre, unit, terms, np.zeros(len(terms)))
        moments = target.moments(target.points(values), np.ones(len(values)))
        return cls(centre, unit, terms, moments)

    def points(self, values: Numbers) -> Numbers:
        """Return values in the original's standard deviations from its mean."""
        return np.asarray((values - self.centre) / self.unit)

    def values(self, points: Numbers) -> Numbers:
        """Return points as values again."""
        return np.asarray(self.centre + points * self.unit)

    def moments(self, points: Numbers, weights: Numbers) -> Numbers:
        """Return the moments of points, each of which represents `weights` records."""
        total = weights.sum()
        return np.array([weights @ product(points, term) / total for term in self.terms])

    def off(self, points: Numbers, weights: Numbers) -> Numbers:
        """Return how much is missing of each moment."""
        return np.asarray(self.wanted - self.moments(points, weights))

    def step(
        self, points: Numbers, weights: Numbers, moved: NDArray[np.int64], share: float = 1.0
    ) -> Numbers:
        """Return the least change of the moved points that closes this share of what is missing.

        Least in the sum of squares over the records, to first order: Newton's step for more
        unknowns than equations. Points that are not moved have a change of 0.
        """
        total = weights.sum()
        some = points[moved]
        holding = [self._holding(j) for j in range(points.shape[1])]
        size = max(1, CELLS // max(map(len, holding), default=1))
        blocks = [slice(start, start + size) for start in range(0, len(some), size)]
        gram = np.zeros((len(self.terms), len(self.terms)))
        for block in blocks:
            for j, held in enumerate(holding):
                slope = self._slope(some[block], j, held)
                gram[np.ix_(held, held)] += (slope * weights[moved[block], None]).T @ slope
        wanted = share * total * self.off(points, weights)
        multipliers = np.linalg.lstsq(gram, wanted, rcond=UNDETERMINED)[0]
        change = np.zeros_like(points)
        for block in blocks:
            for j, held in enumerate(holding):
                slope = self._slope(some[block], j, held)
                change[moved[block], j] = slope @ multipliers[held]
        return change

    def _holding(self, column: int) -> list[int]:
        """Return the terms with a column in them; all others have derivative 0 by it."""
        return [at for at, term in enumerate(self.terms) if column in term]

    def _slope(self, points: Numbers, column: int, held: Sequence[int]) -> Numbers:
        """Return the derivative by a column of the products that contain it: records × terms."""
        slope = np.empty((len(points), len(held)))
        for place, at in enumerate(held):
            rest = list(self.terms[at])
            rest.remove(column)
            slope[:, place] = self.terms[at].count(column) * product(points, rest)
        return slope


def product(points: Numbers, columns: Sequence[int]) -> Numbers:
    """Return the product of some columns, 1 of none; a column may be named more than once.

    >>> product(np.array([[2.0, 3.0], [1.0, 5.0]]), [0, 1, 1])
    array([18., 25.])
    """
    result = np.ones(len(points))
    for column in columns:
        result *= points[:, column]
    return result


@dataclass(frozen=True, eq=False)
class Movable:
    """The complete records of a masked table as points; equal records are one and stay equal.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 20, 50, None]})
    >>> movable = Movable.of(data, ["age"], MomentTarget.of(np.array([[20.0], [60.0]]), 2))
    >>> movable.start[:, 0], movable.weights       # in deviations of 20 from 40
    (array([-1. ,  0.5]), array([2., 1.]))
    >>> movable.table(np.array([[-0.5], [0.5]]))["age"]
    array([30., 30., 50., nan])
    """

    target: MomentTarget
    start: Numbers
    weights: Numbers
    rows: NDArray[np.int64]
    point_of_row: NDArray[np.int64]
    masked: Microdata
    names: tuple[str, ...]

    @classmethod
    def of(cls, masked: Microdata, names: Sequence[str], target: MomentTarget) -> Movable:
        """Return the points of a masked table."""
        values = masked.matrix(names)
        rows = np.flatnonzero(~np.isnan(values).any(axis=1))
        points, place = np.unique(target.points(values[rows]), axis=0, return_inverse=True)
        weights = np.bincount(place.ravel(), minlength=len(points)).astype(np.float64)
        return cls(target, points, weights, rows, place.ravel(), masked, tuple(names))

    def table(self, points: Numbers) -> Microdata:
        """Return the masked table with the points where they are now."""
        values = self.masked.matrix(self.names).copy()
        values[self.rows] = self.target.values(points)[self.point_of_row]
        return self.masked.replace(
            self.masked.column(name).with_values(values[:, j]) for j, name in enumerate(self.names)
        )

    def distance(self, points: Numbers) -> float:
        """Return the sum of squared differences of the moments."""
        return float((self.target.off(points, self.weights) ** 2).sum())

    def largest(self, points: Numbers) -> float:
        """Return the largest difference of a moment."""
        return float(np.abs(self.target.off(points, self.weights)).max(initial=0.0))
