"""The propensity models of Table 1: the paper's words, the default, and others that were tried.

The paper names all main effects and interactions from first to third order. This leaves open
whether powers of an attribute are included, and whether the product of two is an interaction of
first or of second order. Nor does it say when the fit stops.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement

import numpy as np

from bench.papers.thyroid import CONTINUOUS, seeded
from discreet.contracts import Pairing
from discreet.measures.utility.propensity import Propensity
from discreet.microdata import Microdata
from discreet.microdata.arrays import Numbers
from discreet.models.logistic_regression import logistic

Terms = list[tuple[int, ...]]
"""Products of attributes, each given by the positions of its factors."""

PLACES = range(len(CONTINUOUS))
PRODUCTS: Terms = [t for o in range(1, 4) for t in combinations(PLACES, o)]
"""Main effects and products of up to three different attributes: the paper's words."""
TRIED: dict[str, Terms] = {
    "products of 4": [t for o in range(1, 5) for t in combinations(PLACES, o)],
    "squares, products of 3": [
        *PRODUCTS,
        *((place, place) for place in PLACES),
    ],
    "powers to 3": [t for o in range(1, 4) for t in combinations_with_replacement(PLACES, o)],
    "powers to 4": [t for o in range(1, 5) for t in combinations_with_replacement(PLACES, o)],
}
STOPPED = {"as printed, stopped after 1 step": 1, "after 3 steps": 3}
"""Fits that stop before they have converged."""


def propensity_by(before: Numbers, after: Numbers, terms: Terms) -> float:
    """Return 2N·U_p by a logistic model of these products of standardised attributes.

    >>> one = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> round(propensity_by(one, one, [(0,)]), 12)
    0.0
    """
    matrix, target = _design(before, after, terms)
    probability = logistic(target, lambda rows: matrix[rows], 2_048).probabilities
    return 2 * float(((probability - 0.5) ** 2).sum())


def propensity_stopped(before: Numbers, after: Numbers, steps: int) -> float:
    """Return 2N·U_p by the paper's words, with this many steps of Newton's method from zero.

    >>> one = np.random.default_rng(1).normal(size=(40, 5))
    >>> round(propensity_stopped(one, one, 2), 12)
    0.0
    """
    matrix, target = _design(before, after, PRODUCTS)
    probability = np.full(len(target), 0.5)
    weights = np.zeros(matrix.shape[1])
    for _ in range(steps):
        curvature = matrix.T @ (matrix * (probability * (1 - probability))[:, None])
        weights += np.linalg.lstsq(curvature, matrix.T @ (target - probability), rcond=None)[0]
        probability = 1 / (1 + np.exp(-np.clip(matrix @ weights, -500, 500)))
    return 2 * float(((probability - 0.5) ** 2).sum())


def _design(before: Numbers, after: Numbers, terms: Terms) -> tuple[Numbers, Numbers]:
    """Return products of standardised attributes of both files, and which is released."""
    z = (np.vstack([before, after]) - before.mean(axis=0)) / before.std(axis=0)
    matrix = np.column_stack([np.ones(len(z)), *(z[:, t].prod(axis=1) for t in terms)])
    return matrix, np.repeat([0.0, 1.0], [len(before), len(after)])


def by_measure(
    measure: Propensity, data: Microdata, made: Microdata, pairing: Pairing | None
) -> tuple[float, float]:
    """Return 2N·U_p by the measure, and its ratio to what chance alone would give."""
    detail = measure.score(data, made, seeded(0), pairing).detail
    return float(detail["2N·U_p"]), float(detail["ratio to the null"])
