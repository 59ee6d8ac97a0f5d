"""Tables whose values are so large or so small that their squares leave the range of float64."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def in_range(
    points: NDArray[np.float64], method: str, nominal: int = 0
) -> tuple[NDArray[np.float64], int]:
    """Return the table scaled by a power of two if necessary, and the exponent.

    Squares then neither overflow nor vanish. The last `nominal` columns are codes, which count 1
    where they differ: next to such large coordinates that is nothing, so they all become 0.

    >>> in_range(np.array([[2.0**600, 3.0]]), "MDAV", nominal=1)
    (array([[0.5, 0. ]]), 601)
    """
    numeric = points.shape[1] - nominal
    largest = float(np.abs(points[:, :numeric]).max(initial=1.0 if nominal else 0.0))
    if not np.isfinite(largest):
        raise ValueError(
            f"{method} needs finite values, and a column holds a missing or infinite one"
        )
    exponent = int(np.frexp(largest)[1])
    if abs(exponent) <= 400:
        return points, 0
    scaled = np.zeros_like(points)
    scaled[:, :numeric] = np.ldexp(points[:, :numeric], -exponent)
    return scaled, exponent
