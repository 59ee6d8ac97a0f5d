"""A logistic model that distinguishes two files by products of their columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Microdata, Numbers
from discreet.models.design_matrix import FARTHEST, DesignMatrix
from discreet.models.logistic_regression import Logistic, logistic

BLOCK = 2_048

Factor = tuple[int, int]
"""A term of the design matrix by its place, and its power."""


def factors_of(design: DesignMatrix, powers: int) -> list[list[Factor]]:
    """Return for each column its possible factors of a product."""
    columns: dict[str, list[Factor]] = {}
    for place, term in enumerate(design.terms):
        number = term.category is None and not term.missing
        most = powers if number else 1
        columns.setdefault(term.column, []).extend((place, p) for p in range(1, most + 1))
    return list(columns.values())


def count_products(columns: Sequence[Sequence[Factor]], order: int) -> int:
    """Return the number of products of up to `order` different columns.

    >>> count_products([[(0, 1)], [(1, 1)], [(2, 1)]], 2)   # three columns, three pairs
    6
    """
    # The coefficients of Π(1 + wᵢ·t): one more column at a time.
    totals = [1] + [0] * order
    for factors in columns:
        for o in range(order, 0, -1):
            totals[o] += totals[o - 1] * len(factors)
    return sum(totals[1:])


def fit_products(
    original: Microdata,
    released: Microdata,
    design: DesignMatrix,
    columns: Sequence[Sequence[Factor]],
    order: int,
    weights: Numbers | None = None,
) -> Logistic:
    """Fit the probability of being a released record by products of up to `order` columns.

    `weights` are those of the original's records, then of the released ones.
    """
    base = np.vstack([*design.blocks(original), *design.blocks(released)])
    powers = [_power(base[:, 1 + place], p) for factors in columns for place, p in factors]
    base = np.column_stack([base[:, 0], *powers])
    target = np.repeat([0.0, 1.0], [len(original), len(released)])
    factors = _products(columns, order)

    def block(piece: slice) -> Numbers:
        rows = base[piece]
        terms = rows[:, factors[:, 0]]
        for place in range(1, order):
            terms *= rows[:, factors[:, place]]
        return terms

    return logistic(target, block, BLOCK, weights)


def _products(columns: Sequence[Sequence[Factor]], order: int) -> NDArray[np.int64]:
    """Return for each term the numbers of its factors; number 0 is the constant one."""
    numbered, last = [], 0
    for factors in columns:
        numbered.append(range(last + 1, last + 1 + len(factors)))
        last += len(factors)
    terms: list[Sequence[int]] = [[0] * order]
    for count in range(1, order + 1):
        for chosen in combinations(numbered, count):
            terms += [[*numbers, *[0] * (order - count)] for numbers in product(*chosen)]
    return np.array(terms, dtype=np.int64)


def _power(values: Numbers, power: int) -> Numbers:
    # Powers of far-out values are bounded, or their squares would overflow.
    farthest = FARTHEST ** (1 / power)
    return np.asarray(np.clip(values, -farthest, farthest) ** power)
