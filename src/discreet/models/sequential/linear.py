"""Normal linear regression with drawn parameters, and its two-part form for many zeros.

With the usual flat prior the posterior is known: σ² is the residual sum of squares over a χ² draw,
the coefficients are normal about the least squares fit with covariance σ²(XᵀX)⁻¹. Values that are
drawn with drawn parameters carry the uncertainty of the fit; with parameters plugged in they would
not (Raghunathan, Reiter & Rubin 2003).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.microdata import Numbers
from discreet.models.sequential.categorical import Multinomial

MANY_ZEROS = 0.1
"""The share of zeros from which they are modelled separately from the other values."""

DEPENDENT = 1e-9
"""Directions with less than this share of the largest sum of squares count as dependent."""
RECORDS_PER_TERM = 3
"""A fit with fewer records per coefficient would reproduce the originals."""


@dataclass(frozen=True, eq=False)
class NormalLinear:
    """One draw from the posterior of a normal linear regression.

    >>> generator = np.random.default_rng(1)
    >>> x = generator.standard_normal((5000, 1))
    >>> y = 3 + 2 * x[:, 0] + generator.normal(0, 0.5, 5000)
    >>> model = NormalLinear.drawn(x, y, generator)
    >>> round(model.constant, 1), model.coefficients.round(1), round(model.deviation, 1)
    (3.0, array([2.]), 0.5)
    """

    constant: float
    coefficients: Numbers
    deviation: float

    @classmethod
    def drawn(cls, x: Numbers, y: Numbers, generator: np.random.Generator) -> NormalLinear:
        """Fit to records (rows of x) and draw σ, then the coefficients.

        Terms that depend on each other are fitted in the space that they span; with few records
        only in its main directions.
        """
        rows = len(y)
        unit = float(np.abs(y).max(initial=0.0)) or 1.0
        response = y / unit
        centre = x.mean(axis=0) if rows else np.zeros(x.shape[1])
        deviations = x - centre
        mean = float(response.mean()) if rows else 0.0
        values, vectors = np.linalg.eigh(deviations.T @ deviations)
        values, vectors = values[::-1], vectors[:, ::-1]
        kept = values > DEPENDENT * max(float(values.max(initial=0.0)), 1e-300)
        kept &= np.arange(len(values)) < max(0, rows // RECORDS_PER_TERM - 1)
        values, vectors = values[kept], vectors[:, kept]
        fitted = (vectors.T @ (deviations.T @ (response - mean))) / values
        rest = response - mean - deviations @ (vectors @ fitted)
        free = max(1, rows - len(values) - 1)
        sigma = float(np.sqrt(rest @ rest / generator.chisquare(free)))
        drawn = fitted + sigma / np.sqrt(values) * generator.standard_normal(len(values))
        constant = mean + sigma / np.sqrt(max(rows, 1)) * generator.standard_normal()
        return cls(
            float(constant - centre @ (vectors @ drawn)) * unit,
            np.asarray(vectors @ drawn) * unit,
            sigma * unit,
        )

    def draw(self, x: Numbers, generator: np.random.Generator) -> Numbers:
        """Return a value for every row: the regression plus a normal residual."""
        noise = generator.standard_normal(len(x))
        return np.asarray(self.constant + x @ self.coefficients + self.deviation * noise)


@dataclass(frozen=True, eq=False)
class Semicontinuous:
    """A draw for a column of zeros and values of one sign: whether zero, then how much.

    Whether a value is zero follows a logistic regression, the logarithm of the others a normal
    one. Drawn logarithms stay within a deviation of those that were observed.

    >>> generator = np.random.default_rng(1)
    >>> y = np.where(generator.random(900) < 0.4, 0.0, np.exp(generator.normal(0, 1, 900)))
    >>> drawn = Semicontinuous.drawn(np.empty((900, 0)), y, generator).draw(
    ...     np.empty((900, 0)), generator)
    >>> bool(abs((drawn == 0).mean() - 0.4) < 0.1), bool((drawn >= 0).all())
    (True, True)
    """

    zero: Multinomial
    amount: NormalLinear
    sign: float
    least: float
    most: float

    @classmethod
    def drawn(cls, x: Numbers, y: Numbers, generator: np.random.Generator) -> Semicontinuous:
        """Fit both parts and draw their parameters."""
        nothing = y == 0
        sign = -1.0 if (y < 0).any() else 1.0
        logs = np.log(sign * y[~nothing])
        spread = float(logs.std()) if len(logs) else 0.0
        return cls(
            Multinomial.drawn(x, nothing.astype(np.int64), 2, generator),
            NormalLinear.drawn(x[~nothing], logs, generator),
            sign,
            float(logs.min(initial=0.0)) - spread,
            float(logs.max(initial=0.0)) + spread,
        )

    def draw(self, x: Numbers, generator: np.random.Generator) -> Numbers:
        """Return a value for every row."""
        nothing = self.zero.draw(x, generator) == 1
        logs = np.clip(self.amount.draw(x, generator), self.least, self.most)
        return np.where(nothing, 0.0, self.sign * np.exp(logs))


def semicontinuous(values: Numbers) -> bool:
    """Whether a tenth or more of the values is 0 and the others have one sign and vary.

    >>> semicontinuous(np.array([0.0, 0.0, 2.5, 3.1, 7.0])), semicontinuous(np.array([0.0, 1.0]))
    (True, False)
    """
    zero = values == 0
    others = values[~zero]
    one_sign = bool((others > 0).all() or (others < 0).all())
    return one_sign and zero.mean() >= MANY_ZEROS and len(np.unique(others)) >= 3
