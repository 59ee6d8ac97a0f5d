"""Permutation p-values: how unlike the file a node is, against random groups of its size.

The tests of `digression` assume normal numbers (Li & Sarkar, eq. 9) and large counts. Incomes have
far heavier tails than a normal distribution: almost every group, even one drawn at random, then
lacks the few largest values and is called different. Here the same statistic is computed for groups
drawn at random from the file, and the p-value is (1 + h) / (1 + DRAWS), h the number of draws in
which it is at least that of the node. It assumes nothing about the distribution.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers
from discreet.models.regression_tree.likelihood_ratio import likelihood_ratio

DRAWS = 999
"""Groups drawn for each size: the smallest p-value is 0.001."""
ROUNDING = 1e-9
"""A drawn statistic this far below the node's, and this share of it, counts as equal."""

Integers = NDArray[np.int64]


class Lots(NamedTuple):
    """The generator that draws the groups, and what reports progress after each draw."""

    generator: np.random.Generator
    advance: Callable[[float], None] | None = None


def permuted_covariance_p(
    y: Numbers, statistic: Numbers, counts: Integers, by_lot: Lots
) -> Numbers:
    """Return the p-value of the likelihood ratio statistic of each node.

    The first records of a random order of the file are a random group of every size at once.

    >>> y = np.array([[0.0], [1.0], [2.0], [3.0]] * 10)
    >>> at = np.array([0.0, 1e-3, 50.0]), np.array([40, 10, 10])
    >>> permuted_covariance_p(y, *at, Lots(np.random.default_rng(1))).round(2)
    array([1.  , 0.97, 0.  ])
    """
    n, r = y.shape
    centred = y - y.mean(axis=0)
    products = (centred[:, :, None] * centred[:, None, :]).reshape(n, r * r)
    sizes, place = np.unique(counts, return_inverse=True)
    observed = statistic * (1 - ROUNDING) - ROUNDING
    at_least = np.zeros(len(counts))
    # The file comes first: the others are compared with it.
    sized = np.concatenate([[n], sizes])
    for _ in range(DRAWS):
        order = by_lot.generator.permutation(n)
        sums = np.cumsum(centred[order], axis=0)[sized - 1]
        squares = np.cumsum(products[order], axis=0)[sized - 1].reshape(-1, r, r)
        scatters = squares - sums[:, :, None] * sums[:, None, :] / sized[:, None, None]
        at_least += likelihood_ratio(scatters, sized)[1:][place] >= observed
        if by_lot.advance is not None:
            by_lot.advance(1)
    return np.asarray((1 + at_least) / (1 + DRAWS), dtype=np.float64)


def permuted_divergence_p(
    totals: Integers, divergence: Numbers, counts: Integers, by_lot: Lots
) -> Numbers:
    """Return the p-value of the divergence X² of each node's class counts.

    `totals` has the number of records of the file in each class. The classes of a group drawn at
    random are multivariate hypergeometric.

    >>> at = np.array([0.0, 10.0]), np.array([10, 10])
    >>> permuted_divergence_p(np.array([20, 20]), *at, Lots(np.random.default_rng(1))).round(2)
    array([1., 0.])
    """
    shares = totals / totals.sum()
    observed = divergence * (1 - ROUNDING) - ROUNDING
    at_least = np.zeros(len(counts))
    for size in np.unique(counts).tolist():
        drawn = by_lot.generator.multivariate_hypergeometric(totals, size, size=DRAWS)
        expected = size * shares
        statistic = np.sort(((drawn - expected) ** 2 / expected).sum(axis=1))
        nodes = counts == size
        at_least[nodes] = DRAWS - np.searchsorted(statistic, observed[nodes], side="left")
    return np.asarray((1 + at_least) / (1 + DRAWS), dtype=np.float64)
