"""Cuts of a regression tree by error and digression together: Li & Sarkar's first extension.

Of all cuts that lower the error, the one with the largest error-digression ratio
q = (e(t) − Σ_c e(c)) / (Σ_c Δ(c) − Δ(t)) is taken: the most error for the least digression.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled, inner
from discreet.kernels.regression_tree_cuts import PLACE, Entries


class Risk(NamedTuple):
    """The reference for digression; without `whole` and `shares` error alone counts.

    `whole` is the file's scatter matrix of the responses `kept`, whose Δ is multiplied by `weight`.
    Response j is an indicator of a class where `shares[j]`, the class's share of the file, is not
    0; its part of X² is multiplied by `weights[j]`.
    """

    whole: NDArray[np.float64]
    kept: NDArray[np.int64]
    weight: float
    shares: NDArray[np.float64]
    weights: NDArray[np.float64]


@compiled
def determinant(matrix: NDArray[np.float64]) -> float:
    """Return the determinant by elimination with the largest pivot; the matrix is overwritten."""
    r = len(matrix)
    product = 1.0
    for j in range(r):
        pivot = j
        for i in range(j + 1, r):
            if abs(matrix[i, j]) > abs(matrix[pivot, j]):
                pivot = i
        if matrix[pivot, j] == 0:
            return 0.0
        if pivot != j:
            product = -product
            for m in range(r):
                matrix[j, m], matrix[pivot, m] = matrix[pivot, m], matrix[j, m]
        product *= matrix[j, j]
        for i in range(j + 1, r):
            factor = matrix[i, j] / matrix[j, j]
            for m in range(j, r):
                matrix[i, m] -= factor * matrix[j, m]
    return product


@compiled
def digression(
    n: int,
    sums: NDArray[np.float64],
    products: NDArray[np.float64],
    mean: NDArray[np.float64],
    risk: Risk,
) -> float:
    """Return Δ of n records with these sums and cross products of responses less the mean."""
    r = len(risk.kept)
    total = 0.0
    if r > 0:
        rest = np.empty((r, r))
        for a in range(r):
            for b in range(r):
                scatter = products[a, b] - sums[risk.kept[a]] * sums[risk.kept[b]] / n
                rest[a, b] = risk.whole[a, b] - scatter
        total += risk.weight * determinant(rest)
    for j in range(len(sums)):
        if risk.shares[j] > 0:
            expected = n * risk.shares[j]
            total += risk.weights[j] * (sums[j] + n * mean[j] - expected) ** 2 / expected
    return total


@compiled
def _add(
    y: NDArray[np.float64],
    place: int,
    mean: NDArray[np.float64],
    kept: NDArray[np.int64],
    sums: NDArray[np.float64],
    products: NDArray[np.float64],
) -> None:
    for j in range(len(mean)):
        sums[j] += y[place, j] - mean[j]
    for a in range(len(kept)):
        for b in range(len(kept)):
            products[a, b] += (y[place, kept[a]] - mean[kept[a]]) * (
                y[place, kept[b]] - mean[kept[b]]
            )


@inner
def ratio_cut(
    entries: Entries,
    y: NDArray[np.float64],
    mean: NDArray[np.float64],
    k: int,
    tie: float,
    risk: Risk,
) -> tuple[float, int]:
    """Return the largest q of a cut between distinct ranks, and how many records lie below.

    Ratios that agree up to 1e-10 of themselves are equal, and the first one wins.
    """
    n, r = len(entries), len(risk.kept)
    sums, products = np.zeros(len(mean)), np.zeros((r, r))
    for i in range(n):
        _add(y, entries[i] & PLACE, mean, risk.kept, sums, products)
    undivided = digression(n, sums, products, mean, risk)
    left, left_products = np.zeros(len(mean)), np.zeros((r, r))
    right, right_products = np.zeros(len(mean)), np.zeros((r, r))
    best, below = 0.0, 0
    for i in range(n - k):
        _add(y, entries[i] & PLACE, mean, risk.kept, left, left_products)
        if i + 1 < k or entries[i + 1] >> 32 == entries[i] >> 32:
            continue
        square = 0.0
        for j in range(len(left)):
            square += left[j] * left[j]
        gain = square * n / (float(i + 1) * float(n - i - 1))
        if gain <= 2 * tie:
            continue
        parts = digression(i + 1, left, left_products, mean, risk)
        for a in range(len(sums)):
            right[a] = sums[a] - left[a]
        for a in range(r):
            for b in range(r):
                right_products[a, b] = products[a, b] - left_products[a, b]
        parts += digression(n - i - 1, right, right_products, mean, risk)
        # Lemma 2: cutting does not lower Δ; rounding may, where the file has little scatter.
        ratio = gain / max(parts - undivided, 1e-300)
        if ratio > best * (1 + 1e-10):
            best, below = ratio, i + 1
    return best, below
