"""The distribution of one column of numbers: its point masses, and the normal scores of the rest.

Zeros, caps and heaped answers are values that many records share; a model of a continuous quantity
would smear them out. They are classes of their own. The other values enter a model as normal
scores Φ⁻¹(rank), so that neither skewness nor heavy tails matter to it, and scores that are drawn
come back through the empirical distribution: no drawn value lies beyond those that were observed,
and none changes its sign.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers

MASS = 0.02
"""The share of the records from which a value that they have in common is a class of its own."""
MOST_MASSES = 12
"""If more values have that share, the column is a scale of whole numbers rather than a mixture."""
LARGE_MASS = 0.05
"""On such a scale only values of this share are classes."""
AVERAGED = 5
"""Neighbouring values that are averaged on the way back, so that no extreme value is released."""


@dataclass(frozen=True, eq=False)
class Margin:
    """The masses of a column, and the other values in order.

    `knots` are the means of groups of neighbouring values at these `places` between 0 and 1. The
    way back runs straight between them, which keeps the mean.

    >>> rng = np.random.default_rng(1)
    >>> margin = Margin.of(np.r_[np.zeros(400), rng.lognormal(size=600)])
    >>> margin.masses
    array([0.])
    >>> scores = margin.scores(np.array([0.0, 1.0, 3.0]))
    >>> scores.round(1)
    array([0. , 0. , 1.3])
    >>> margin.values(scores[1:]).round(0)
    array([1., 3.])
    """

    masses: Numbers
    ordered: Numbers
    knots: Numbers
    places: Numbers

    @classmethod
    def of(cls, values: Numbers, averaged: int = AVERAGED, share: float = MASS) -> Margin:
        """Take the distribution of values of which none is missing."""
        distinct, counts = np.unique(values, return_counts=True)
        masses = distinct[counts >= max(2.0, share * len(values))]
        if len(masses) > MOST_MASSES:
            masses = distinct[counts >= max(2.0, LARGE_MASS * len(values))]
        ordered = np.sort(values[~np.isin(values, masses)])
        if len(ordered) < 2 * averaged and len(masses):
            # Too few for a distribution of their own: each counts as a value that recurs.
            masses, ordered = distinct, ordered[:0]
        knots, places = _averaged(ordered, averaged)
        return cls(masses, ordered, knots, places)

    @property
    def classes(self) -> int:
        """How many classes there are: the masses, and one for all other values if there are any."""
        return len(self.masses) + bool(len(self.ordered))

    def codes(self, values: Numbers) -> NDArray[np.int64]:
        """Return the class of each value, the other values having the last one.

        >>> Margin.of(np.r_[np.zeros(50), np.arange(1.0, 51)]).codes(np.array([7.0, 0.0]))
        array([1, 0])
        """
        at = np.searchsorted(self.masses, values)
        at_mass = at < len(self.masses)
        at_mass[at_mass] = self.masses[at[at_mass]] == values[at_mass]
        return np.where(at_mass, at, len(self.masses)).astype(np.int64)

    def ranks(self, values: Numbers) -> Numbers:
        """Return the places, between 0 and 1, of values among those that are not masses."""
        count = max(len(self.ordered), 1)
        low = np.searchsorted(self.ordered, values, side="left")
        high = np.searchsorted(self.ordered, values, side="right")
        return np.clip(
            (low + high) / (2 * max(count, 1)), 0.5 / max(count, 1), 1 - 0.5 / max(count, 1)
        )

    def scores(self, values: Numbers) -> Numbers:
        """Return the normal scores of values; masses and missing values stand at 0, the middle."""
        from scipy.special import ndtri

        free = np.flatnonzero((self.codes(values) == len(self.masses)) & ~np.isnan(values))
        scores = np.zeros(len(values))
        if len(self.ordered):
            scores[free] = ndtri(self.ranks(values[free]))
        return scores

    def values(self, scores: Numbers) -> Numbers:
        """Return the values that normal scores stand for."""
        from scipy.special import ndtr

        return self.at(ndtr(scores))

    def at(self, ranks: Numbers) -> Numbers:
        """Return the values at these ranks between 0 and 1."""
        return np.interp(ranks, self.places, self.knots)


def _averaged(ordered: Numbers, size: int) -> tuple[Numbers, Numbers]:
    """Return the means of groups of `size` neighbours, and the middle of each group's ranks."""
    count = len(ordered)
    if not count:
        return np.zeros(1), np.full(1, 0.5)
    bounds = np.linspace(0, count, max(1, count // size) + 1).round().astype(np.int64)
    # In units of the largest, so that no sum overflows.
    unit = float(np.abs(ordered).max()) or 1.0
    sums = np.add.reduceat(ordered / unit, bounds[:-1])
    return sums / np.diff(bounds) * unit, (bounds[:-1] + bounds[1:]) / (2 * count)
