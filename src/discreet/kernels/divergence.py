"""Divergence of a group's classes from those of the file (Li & Sarkar 2013, §3 and §4).

With f the shares of the classes in a group and F in the file, logarithms to base 2:

- KLD(f, F) = Σ f log (f / F), Definition 1, eq. 4;
- JSD(f, F) = ½ [KLD(f, M) + KLD(F, M)], M = (f + F) / 2, Definition 2, eq. 5: from 0 to 1;
- the weighted JSD of a parent group, Σ (n_g / n) JSD_g over its subgroups, Definition 4, eq. 7.

Values that are equal by these formulas can differ in their last digits when they are computed in
two ways, and trees would depend on that. Lengths and divergences are therefore put on a grid of
2⁻⁴⁰, about 10⁻¹², before they are compared: equal then means equal, and sums of two of them are
exact.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled

CELLS = 2.0**40
"""Steps of the grid between 0 and 1."""


@compiled
def on_grid(value: float) -> float:
    """Return the nearest multiple of 2⁻⁴⁰.

    >>> on_grid(0.1 + 0.2) == on_grid(0.3), 0.1 + 0.2 == 0.3
    (True, False)
    """
    return float(np.rint(value * CELLS) / CELLS)


@compiled
def kullback_leibler(f: NDArray[np.float64], reference: NDArray[np.float64]) -> float:
    """Return Σ f log₂ (f / reference), Definition 1; terms with f = 0 are 0.

    >>> kullback_leibler(np.array([1.0, 0.0]), np.array([2 / 3, 1 / 3]))
    0.584...
    """
    total = 0.0
    for c in range(len(f)):
        if f[c] > 0:
            total += f[c] * math.log2(f[c] / reference[c])
    return total


@compiled
def jensen_shannon(counts: NDArray[np.int64], size: int, shares: NDArray[np.float64]) -> float:
    """Return the JSD of a group of `size` records with these class counts, Definition 2.

    `shares` are those of the file. A group with the classes in the file's shares has exactly 0.

    >>> jensen_shannon(np.array([3, 0]), 3, np.array([1 / 3, 2 / 3]))
    0.459...
    >>> jensen_shannon(np.array([1, 2]), 3, np.array([1 / 3, 2 / 3]))
    0.0
    """
    total = 0.0
    for c in range(len(counts)):
        f, share = counts[c] / size, shares[c]
        if f == 0:
            total += share  # log₂ (F / M) is 1
            continue
        middle = (f + share) / 2
        total += f * math.log2(f / middle)
        if share > 0:
            total += share * math.log2(share / middle)
    return max(total / 2, 0.0)


@compiled
def weighted_jensen_shannon(counts: NDArray[np.int64], shares: NDArray[np.float64]) -> float:
    """Return the weighted JSD of the subgroups in the rows of `counts`, Definition 4.

    >>> weighted_jensen_shannon(np.array([[3, 0], [0, 3], [0, 3]]), np.array([1 / 3, 2 / 3]))
    0.280...
    """
    total, records = 0.0, 0
    for g in range(len(counts)):
        size = counts[g].sum()
        if size > 0:
            total += size * jensen_shannon(counts[g], size, shares)
            records += size
    return total / max(records, 1)
