"""The floor on mixing weights that keeps every cluster at k records or more (eq. 3–5).

Oganian & Domingo-Ferrer, Local synthesis for disclosure limitation that satisfies probabilistic
k-anonymity criterion (2017), §3; used for mixtures of normals and for latent classes alike.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.errors import UsageError


def weight_floor(weights: NDArray[np.float64], floor: float) -> NDArray[np.float64]:
    """Return the weights moved towards each other until the least of them is the floor, k/n.

    Where no weight is below the floor they are returned unchanged. Otherwise the least is exactly
    the floor afterwards, and the order of the weights is kept.

    >>> weight_floor(np.array([0.05, 0.25, 0.7]), 0.1).round(6)
    array([0.1     , 0.264706, 0.635294])
    >>> weight_floor(np.array([0.3, 0.7]), 0.1)
    array([0.3, 0.7])
    """
    count = len(weights)
    least = float(weights.min())
    if least >= floor:
        return weights
    if floor * count >= 1:
        raise UsageError(
            f"{count} clusters cannot all have a share above {floor:.6g} of the records; ask for "
            "fewer clusters or a smaller k"
        )
    delta = (floor - least) / (1 - floor * count)  # eq. 4
    raised = (weights + delta) / (weights + delta).sum()  # eq. 3
    # Eq. 5 holds up to rounding; the bound is meant exactly.
    return np.where(weights == least, floor, np.maximum(raised, floor))
