"""Noise for differential privacy: OpenDP's mechanisms, calibrated to what a release may spend.

Sampling, rounding and accounting are OpenDP's. Its noise comes from the operating system and cannot
be drawn again from a seed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.io.extras import needing


@dataclass(frozen=True)
class Noise:
    """Noise for whole numbers, added by OpenDP.

    A record of a neighbouring file changes the numbers by at most `l1` in sum, and their squares by
    at most `l2_squared`. With δ = 0 the noise is discrete Laplace, otherwise discrete Gaussian
    (Canonne, Kamath & Steinke 2020) with its loss in zCDP (Bun & Steinke 2016), from which ε
    follows for that δ.

    >>> noise = Noise.for_budget(2, 2, epsilon=1.0, delta=0.0)
    >>> round(noise.scale, 6), noise.epsilon <= 1
    (2.0, True)
    >>> len(noise.added_to(np.array([10, 20])))
    2
    """

    scale: float
    l1: int
    l2_squared: int
    delta: float

    @classmethod
    def for_budget(cls, l1: int, l2_squared: int, epsilon: float, delta: float) -> Noise:
        """Return the least noise that spends no more than ε and δ."""
        return cls(_least_scale(l1, l2_squared, epsilon, delta), l1, l2_squared, delta)

    @cached_property
    def epsilon(self) -> float:
        """What the noise spends at its δ, as OpenDP accounts for it."""
        return _epsilon(_mechanism(self.scale, self.delta), self.l1, self.l2_squared, self.delta)

    @property
    def deviation(self) -> float:
        """The standard deviation of the noise, or nearly so."""
        return self.scale * (math.sqrt(2) if self.delta == 0 else 1)

    def added_to(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the numbers with noise."""
        noisy = _mechanism(self.scale, self.delta)(numbers.tolist())
        return np.array(noisy, dtype=np.int64)


def _opendp() -> Any:
    with needing("dp", "differential privacy"):
        import opendp.prelude as dp
    dp.enable_features("contrib")
    return dp


@cache
def _mechanism(scale: float, delta: float) -> Any:
    dp = _opendp()
    numbers = dp.vector_domain(dp.atom_domain(T="i64"))
    if delta == 0:
        return dp.m.make_laplace(numbers, dp.l1_distance(T="i64"), scale=scale)
    return dp.m.make_gaussian(numbers, dp.l2_distance(T="f64"), scale=scale)


def _epsilon(mechanism: Any, l1: int, l2_squared: int, delta: float) -> float:
    if delta == 0:
        return float(mechanism.map(l1))
    # The distance is rounded up, so that no loss is understated.
    distance = math.nextafter(math.sqrt(l2_squared), math.inf)
    curve = _opendp().c.make_zCDP_to_approxDP(mechanism).map(distance)
    return float(curve.epsilon(delta))


@cache
def _least_scale(l1: int, l2_squared: int, epsilon: float, delta: float) -> float:
    """Return the least scale that spends no more than ε, by bisection: less noise spends more."""

    def spends_too_much(scale: float) -> bool:
        return _epsilon(_mechanism.__wrapped__(scale, delta), l1, l2_squared, delta) > epsilon

    high = 1.0
    while spends_too_much(high):
        high *= 2
    low = high / 2
    if high == 1.0:
        while not spends_too_much(low):
            high, low = low, low / 2
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if spends_too_much(middle) else (low, middle)
        if high - low <= 1e-12 * high:
            break
    return high
