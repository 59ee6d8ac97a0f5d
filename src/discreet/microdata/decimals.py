"""Decimals of numbers: how many they have, and numbers with fewer."""

from __future__ import annotations

import numpy as np

from discreet.microdata.arrays import Numbers

WHOLE = 2.0**52
"""Every float from here on is a whole number."""


def decimals_of(values: Numbers, most: int) -> int | None:
    """Return how many decimals numbers have; None for more than `most`.

    >>> [decimals_of(np.array(v), 4) for v in ([3.0, 40.0], [1.25, 0.5], [1 / 3])]
    [0, 2, None]
    """
    return next((d for d in range(most + 1) if np.array_equal(values, rounded(values, d))), None)


def rounded(values: Numbers, digits: int) -> Numbers:
    """Return numbers rounded to some decimals; one too large for a fraction stays as it is.

    >>> rounded(np.array([0.25, 1.7e308]), 1).tolist()
    [0.2, 1.7e+308]
    """
    # NumPy multiplies by a power of ten first, which would make the largest infinite.
    small = np.abs(values) < WHOLE
    return np.where(small, np.round(np.where(small, values, 0.0), digits), values)
