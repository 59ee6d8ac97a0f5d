"""Drawn parameters of regressions that are not linear: the weighted likelihood bootstrap.

Each record gets a random weight, exponential with mean 1, and the weighted likelihood is maximised.
The maximum is approximately a draw from the posterior (Newton & Raftery 1994), even where the
normal approximation about the unweighted maximum is poor. Coefficients have a weak normal prior,
without which a predictor that separates two categories would have an infinite coefficient.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.threads import one_thread
from discreet.microdata import Numbers

PRIOR_DEVIATION = 2.5
"""Prior scale of a coefficient per standard deviation of its predictor (Gelman et al. 2008)."""
MOST_STEPS = 200


def record_weights(rows: int, generator: np.random.Generator) -> Numbers:
    """Return the random weights of records, with mean 1.

    >>> float(record_weights(50, np.random.default_rng(1)).mean().round(9))
    1.0
    """
    weights = generator.standard_exponential(rows)
    return np.asarray(weights / weights.mean()) if rows else weights


def maximise(
    value_and_gradient: Callable[[Numbers], tuple[float, Numbers]],
    start: Numbers,
    penalised: NDArray[np.bool_],
) -> Numbers:
    """Return where the log-likelihood, less the prior on the penalised parameters, is largest.

    >>> maximise(lambda b: (-float((b - 1) @ (b - 1)), -2 * (b - 1)), np.zeros(2),
    ...          np.array([False, False])).round(4)
    array([1., 1.])
    """
    from scipy.optimize import minimize

    precision = penalised / PRIOR_DEVIATION**2

    def negative(parameters: Numbers) -> tuple[float, Numbers]:
        value, gradient = value_and_gradient(parameters)
        prior = 0.5 * float(precision @ parameters**2)
        return prior - value, precision * parameters - gradient

    with one_thread():
        optimum = minimize(
            negative, start, jac=True, method="L-BFGS-B", options={"maxiter": MOST_STEPS}
        )
    return np.asarray(optimum.x, dtype=np.float64)
