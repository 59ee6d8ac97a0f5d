"""Skinner & Shlomo's estimates: how many sample uniques are alone in the population.

The keys' combinations are the cells of a table. In cell k there are F people, Poisson with mean
λ = μ/π, of whom f are in the sample, Poisson with mean μ, which a log-linear model gives. For a
sample unique, with a = (1 − π)/π:

    P(F = 1 | f = 1) = exp(−aμ)               (their h₁, summed over the uniques: τ₁)
    E(1/F   | f = 1) = (1 − exp(−aμ)) / (aμ)  (their h₂, summed over the uniques: τ₂)

A model with too few terms makes τ too large, one with too many too small. To second order the bias
is B = Σ μ e^−μ {−h′(μ)(f − μ) − h″(μ)((f − μ)² − f)/2}, the sum being over all cells. If the
model holds it has mean 0 and the variance Σ (a²μ + 2b²μ²), a and b being the factors of f − μ and
(f − μ)² − f; B over its deviation is compared with a normal variable.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers
from discreet.models.proportional_fitting import fitted_to_margins

SMALL = 1e-3
"""Below this, quotients are taken by their series."""


@dataclass(frozen=True, eq=False)
class Fit:
    """The estimates of one model: for each unique its chances, and both bias tests."""

    terms: str
    population_unique: Numbers
    match: Numbers
    tests: tuple[float, float]
    off: float

    @property
    def misfit(self) -> float:
        """The larger of both test statistics in absolute value."""
        return max(abs(test) for test in self.tests)


def fit(counts: NDArray[np.int64], fraction: float, terms: str) -> Fit:
    """Fit the model with all interactions of `terms` ways to a table of counts.

    The chances are those of the cells with one record, in the order of the flattened table.

    >>> table = np.array([[8, 4, 1], [6, 2, 1]])
    >>> found = fit(table, 0.1, "independence")
    >>> found.population_unique.round(4), found.match.round(4)
    (array([0.    , 0.0006]), array([0.094 , 0.1357]))
    """
    ways = 1 if terms == "independence" else min(2, counts.ndim)
    margins = []
    for kept in combinations(range(counts.ndim), ways):
        others = tuple(axis for axis in range(counts.ndim) if axis not in kept)
        margins.append((kept, counts.sum(axis=others).astype(np.float64)))
    table, off = fitted_to_margins(np.ones(counts.shape), margins)
    mu, f = table.ravel(), counts.ravel().astype(np.float64)
    ratio = (1 - fraction) / fraction
    alone = f == 1
    return Fit(
        terms,
        np.exp(-ratio * mu[alone]),
        _match(ratio * mu[alone])[0],
        (_test(mu, f, _unique(ratio * mu), ratio), _test(mu, f, _match(ratio * mu), ratio)),
        off,
    )


Derivatives = tuple[Numbers, Numbers, Numbers]


def _unique(z: Numbers) -> Derivatives:
    """Return e^−z and its first two derivatives."""
    value = np.exp(-z)
    return value, -value, value


def _match(z: Numbers) -> Derivatives:
    """Return (1 − e^−z)/z and its first two derivatives."""
    small = z < SMALL
    x = np.where(small, 1.0, z)
    e = np.exp(-x)
    return (
        np.where(small, 1 - z / 2 + z**2 / 6, -np.expm1(-x) / x),
        np.where(small, -1 / 2 + z / 3 - z**2 / 8, (e * (x + 1) - 1) / x**2),
        np.where(small, 1 / 3 - z / 4 + z**2 / 10, (2 - e * (x**2 + 2 * x + 2)) / x**3),
    )


def _test(mu: Numbers, f: Numbers, h: Derivatives, ratio: float) -> float:
    """Return B over its standard deviation."""
    chance = mu * np.exp(-mu)
    first, second = -chance * ratio * h[1], -chance * ratio**2 * h[2] / 2
    bias = float((first * (f - mu) + second * ((f - mu) ** 2 - f)).sum())
    variance = float((first**2 * mu + 2 * second**2 * mu**2).sum())
    return bias / np.sqrt(variance) if variance > 0 else 0.0
