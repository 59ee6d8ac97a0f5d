"""Cholesky factors and their inverses."""

from __future__ import annotations

import math

import numpy as np

from discreet.kernels.arrays import Numbers
from discreet.kernels.compiling import inner

EPSILON = 2.0**-52


@inner
def inverse_factor(matrix: Numbers, inverse: Numbers) -> float:
    """Write the inverse of the Cholesky factor, and return the logarithm of the determinant.

    A pivot lost to rounding is set to the share of its diagonal element that rounding may take.
    """
    d = len(matrix)
    root = np.zeros((d, d))
    logarithm = 0.0
    for i in range(d):
        for j in range(i + 1):
            left = matrix[i, j]
            for m in range(j):
                left -= root[i, m] * root[j, m]
            if i == j:
                root[i, i] = math.sqrt(max(left, EPSILON * matrix[i, i]))
                logarithm += 2 * math.log(root[i, i])
            else:
                root[i, j] = left / root[j, j]
    for j in range(d):
        for i in range(j):
            inverse[i, j] = 0.0
        inverse[j, j] = 1 / root[j, j]
        for i in range(j + 1, d):
            left = 0.0
            for m in range(j, i):
                left -= root[i, m] * inverse[m, j]
            inverse[i, j] = left / root[i, i]
    return logarithm
