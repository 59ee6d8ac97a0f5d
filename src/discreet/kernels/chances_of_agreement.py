"""How often columns agree in two records of one person, and in two records of different people: EM.

A pattern has bit c set where the two records of a pair agree in column c.
"""

from __future__ import annotations

from math import exp, log, log1p

import numpy as np

from discreet.kernels.arrays import Ints, Numbers
from discreet.kernels.compiling import compiled

STEPS, ENOUGH = 1_000, 1e-10
"""EM ends after this many steps, or when no chance changes by more than this."""
LIKELY_FOR, UNLIKELY = 20, 1e-14
"""In this many first steps EM skips patterns with less than this share of the same-person pairs."""
TOGETHER = 7
"""Columns whose share of a pattern's weight is looked up together."""


@compiled
def fit_chances(
    patterns: Ints,
    numbers: Numbers,
    agreeing: Numbers,
    pairs: float,
    same: float,
    least: Numbers,
    chances: Numbers,
) -> None:
    """Fit the chances of agreement, of one person's records (first row) and of others (second).

    There are `numbers` pairs of each pattern, `agreeing` of which agree in each column; the share
    `same` of all is of one person. No chance is nearer to 0 or 1 than `least` of its row.
    """
    columns = chances.shape[1]
    gain, alike = np.empty(columns), np.empty(columns)
    parts, size = (columns + TOGETHER - 1) // TOGETHER, 1 << TOGETHER
    weight_of, same_with = np.empty((parts, size)), np.empty((parts, size))
    of_same, likely = np.empty(len(patterns)), np.ones(len(patterns), dtype=np.bool_)
    for step in range(STEPS):
        everything = step % LIKELY_FOR == 0
        nothing_agrees = 0.0
        for c in range(columns):
            m, u = chances[0, c], chances[1, c]
            no = log1p(-m) - log1p(-u)
            gain[c] = log(m / u) - no
            nothing_agrees += no
        for part in range(parts):
            first = part * TOGETHER
            for bits in range(size):
                weight = 0.0
                for c in range(first, min(first + TOGETHER, columns)):
                    if bits >> (c - first) & 1:
                        weight += gain[c]
                weight_of[part, bits], same_with[part, bits] = weight, 0.0
        expected = 0.0
        for p in range(len(patterns)):
            if not everything and not likely[p]:
                continue
            weight, pattern = nothing_agrees, patterns[p]
            for part in range(parts):
                weight += weight_of[part, pattern >> (part * TOGETHER) & (size - 1)]
            odds = exp(min(weight, 700.0)) * same / (1 - same)
            of_same[p] = numbers[p] * odds / (1 + odds)
            expected += of_same[p]
            for part in range(parts):
                same_with[part, pattern >> (part * TOGETHER) & (size - 1)] += of_same[p]
        for c in range(columns):
            alike[c] = 0.0
            for bits in range(size):
                if bits >> (c % TOGETHER) & 1:
                    alike[c] += same_with[c // TOGETHER, bits]
        if everything:
            for p in range(len(patterns)):
                likely[p] = of_same[p] > UNLIKELY * expected
        change = 0.0
        for c in range(columns):
            m = alike[c] / expected
            u = (agreeing[c] - alike[c]) / (pairs - expected)
            m = min(max(m, least[0]), 1 - least[0])
            u = min(max(u, least[1]), 1 - least[1])
            change = max(change, abs(m - chances[0, c]), abs(u - chances[1, c]))
            chances[0, c], chances[1, c] = m, u
        if change < ENOUGH:
            break
