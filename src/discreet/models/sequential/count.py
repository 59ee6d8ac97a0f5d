"""Count regression with drawn parameters: Poisson, or negative binomial where counts vary more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.microdata import Numbers
from discreet.models.sequential.categorical import with_constant
from discreet.models.sequential.likelihood import maximise, record_weights


@dataclass(frozen=True, eq=False)
class Count:
    """One draw of a log-linear regression of counts.

    `dispersion` is a in Var y = μ + aμ²: 0 is Poisson. Expected counts stay within ten times the
    largest that was observed, since an exponential has no bounds.

    >>> generator = np.random.default_rng(1)
    >>> x = generator.standard_normal((4000, 1))
    >>> y = generator.poisson(np.exp(0.5 + 0.4 * x[:, 0])).astype(float)
    >>> model = Count.drawn(x, y, generator)
    >>> model.coefficients.round(1).tolist(), round(model.dispersion, 1)
    ([0.5, 0.4], 0.0)
    """

    coefficients: Numbers
    dispersion: float
    most: float

    @classmethod
    def drawn(cls, x: Numbers, y: Numbers, generator: np.random.Generator) -> Count:
        """Fit to records with counts y and draw the coefficients."""
        design = with_constant(x)
        weights = record_weights(len(y), generator)
        most = float(np.log(10 * max(1.0, float(y.max(initial=0.0)))))

        def objective(coefficients: Numbers) -> tuple[float, Numbers]:
            linear = np.minimum(design @ coefficients, most)
            mean = np.exp(linear)
            return float(weights @ (y * linear - mean)), design.T @ (weights * (y - mean))

        start = np.zeros(design.shape[1])
        start[0] = np.log(max(float(np.average(y, weights=weights)), 1e-6)) if len(y) else 0.0
        fitted = maximise(objective, start, np.arange(len(start)) > 0)
        mean = np.exp(np.minimum(design @ fitted, most))
        excess = float(weights @ ((y - mean) ** 2 - mean)) / max(float(weights @ mean**2), 1e-300)
        return cls(fitted, max(0.0, excess), most)

    def draw(self, x: Numbers, generator: np.random.Generator) -> Numbers:
        """Return a count for every row."""
        mean = np.exp(np.minimum(with_constant(x) @ self.coefficients, self.most))
        if self.dispersion > 1e-9:
            mean = generator.gamma(1 / self.dispersion, self.dispersion * mean)
        return generator.poisson(mean).astype(np.float64)
