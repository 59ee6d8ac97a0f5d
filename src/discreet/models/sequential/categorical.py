"""Logistic, multinomial and ordered regression with drawn parameters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers
from discreet.models.latent_class.model import draw_rows
from discreet.models.latent_class.prior import priors
from discreet.models.sequential.likelihood import maximise, record_weights

Codes = NDArray[np.int64]

FARTHEST = 30.0
"""In standard deviations; a predictor farther out counts as this far."""
CLOSEST = 1e-12


@dataclass(frozen=True, eq=False)
class Multinomial:
    """One draw of a multinomial regression; with two categories it is the logistic one.

    Categories that were not observed are never drawn.

    >>> generator = np.random.default_rng(1)
    >>> x = generator.standard_normal((4000, 1))
    >>> y = (generator.random(4000) < 1 / (1 + np.exp(-1 - 2 * x[:, 0]))).astype(int)
    >>> coefficients = Multinomial.drawn(x, y, 2, generator).coefficients[:, 0]
    >>> bool(np.allclose(coefficients, [1, 2], atol=0.3))
    True
    """

    coefficients: Numbers
    observed: Codes

    @classmethod
    def drawn(
        cls, x: Numbers, y: Codes, categories: int, generator: np.random.Generator
    ) -> Multinomial:
        """Fit to records with codes y and draw the coefficients, one column per category."""
        observed = np.flatnonzero(np.bincount(y, minlength=categories))
        design = with_constant(x)
        width, classes = design.shape[1], len(observed)
        if classes < 2:
            return cls(np.zeros((width, 0)), observed)
        observed_codes = np.searchsorted(observed, y)
        weights = record_weights(len(y), generator)
        target = np.zeros((len(y), classes))
        target[np.arange(len(y)), observed_codes] = 1.0
        shares = weights @ target

        def objective(flat: Numbers) -> tuple[float, Numbers]:
            fitted = priors(design, flat.reshape(width, classes - 1))
            likely = np.maximum(fitted[np.arange(len(y)), observed_codes], 1e-300)
            gradient = design.T @ (weights[:, None] * (target - fitted))[:, 1:]
            return float(weights @ np.log(likely)), gradient.ravel()

        start = np.zeros((width, classes - 1))
        start[0] = np.log(shares[1:] / shares[0])
        penalised = np.ones_like(start, dtype=bool)
        penalised[0] = False
        maximum = maximise(objective, start.ravel(), penalised.ravel())
        return cls(maximum.reshape(width, classes - 1), observed)

    def probabilities(self, x: Numbers) -> Numbers:
        """Return the probability of each observed category for every row."""
        return priors(with_constant(x), self.coefficients)

    def draw(self, x: Numbers, generator: np.random.Generator) -> Codes:
        """Return a code for every row."""
        chosen = draw_rows(self.probabilities(x), generator.random(len(x)))
        return self.observed[chosen]


@dataclass(frozen=True, eq=False)
class Ordered:
    """One draw of an ordered (proportional odds) regression: P(y ≤ c) = F(θ_c − xβ), F logistic.

    >>> generator = np.random.default_rng(1)
    >>> x = generator.standard_normal((4000, 1))
    >>> latent = 1.5 * x[:, 0] + generator.logistic(size=4000)
    >>> model = Ordered.drawn(x, np.searchsorted([-1.0, 1.0], latent), 3, generator)
    >>> bool(np.allclose([*model.thresholds, *model.coefficients], [-1, 1, 1.5], atol=0.3))
    True
    """

    thresholds: Numbers
    coefficients: Numbers
    observed: Codes

    @classmethod
    def drawn(
        cls, x: Numbers, y: Codes, categories: int, generator: np.random.Generator
    ) -> Ordered:
        """Fit to records with codes y and draw thresholds and coefficients."""
        observed = np.flatnonzero(np.bincount(y, minlength=categories))
        cuts = len(observed) - 1
        x = np.clip(x, -FARTHEST, FARTHEST)
        if cuts < 1:
            return cls(np.zeros(0), np.zeros(x.shape[1]), observed)
        observed_codes = np.searchsorted(observed, y)
        weights = record_weights(len(y), generator)
        below = np.cumsum(np.bincount(observed_codes, weights, cuts + 1))[:-1] / weights.sum()
        logits = np.log(below / (1 - below))

        def objective(flat: Numbers) -> tuple[float, Numbers]:
            thresholds = _thresholds(flat[:cuts])
            middle = x @ flat[cuts:]
            upper, lower = _at(thresholds, observed_codes, middle)
            high, low = _logistic(upper), _logistic(lower)
            within = np.maximum(high - low, CLOSEST)
            at_high = weights * high * (1 - high) / within
            at_low = weights * low * (1 - low) / within
            by_cut = np.bincount(observed_codes, at_high, cuts + 1)[:cuts]
            by_cut -= np.bincount(observed_codes, at_low, cuts + 1)[1:]
            # A threshold is the first plus the steps up to it; a step is an exponential.
            steps = np.cumsum(by_cut[::-1])[::-1]
            steps[1:] *= np.exp(flat[1:cuts])
            gradient = np.concatenate([steps, -x.T @ (at_high - at_low)])
            return float(weights @ np.log(within)), gradient

        start = np.zeros(cuts + x.shape[1])
        start[0] = logits[0]
        start[1:cuts] = np.log(np.maximum(np.diff(logits), 1e-6))
        penalised = np.arange(len(start)) >= cuts
        maximum = maximise(objective, start, penalised)
        return cls(_thresholds(maximum[:cuts]), maximum[cuts:], observed)

    def probabilities(self, x: Numbers) -> Numbers:
        """Return the probability of each observed category for every row."""
        middle = np.clip(x, -FARTHEST, FARTHEST) @ self.coefficients
        below = _logistic(self.thresholds[None, :] - middle[:, None])
        edges = np.hstack([np.zeros((len(x), 1)), below, np.ones((len(x), 1))])
        return np.maximum(np.diff(edges, axis=1), 0.0)

    def draw(self, x: Numbers, generator: np.random.Generator) -> Codes:
        """Return a code for every row."""
        return self.observed[draw_rows(self.probabilities(x), generator.random(len(x)))]


def with_constant(x: Numbers) -> Numbers:
    """Return the predictors behind a column of ones."""
    return np.hstack([np.ones((len(x), 1)), np.clip(x, -FARTHEST, FARTHEST)])


def _thresholds(flat: Numbers) -> Numbers:
    return np.asarray(np.cumsum(np.concatenate([flat[:1], np.exp(np.minimum(flat[1:], 50.0))])))


def _logistic(values: Numbers) -> Numbers:
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -500, 500))))


def _at(thresholds: Numbers, codes: Codes, middle: Numbers) -> tuple[Numbers, Numbers]:
    edges = np.concatenate([[-np.inf], thresholds, [np.inf]])
    return edges[codes + 1] - middle, edges[codes] - middle
