"""Pruning to a given average group size, as Table 4 of Li & Sarkar compares methods."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from bench.papers.alcohol import RESPONSES
from discreet.microdata import Microdata
from discreet.models.regression_tree import Tree, grow
from discreet.models.regression_tree.digression import measure
from discreet.models.regression_tree.pruning import prune

BESIDE = 2
"""Groups need not get larger with every step of alpha: so many steps to both sides are tried."""


def tree_of(data: Microdata, k: int) -> Tree:
    """Return MART's tree before pruning."""
    return grow(data, data.quasi_identifiers, RESPONSES, k)


def alpha_of_size(tree: Tree, size: float) -> float:
    """Return the alpha whose average group size is nearest to a given one.

    Only alphas just above the p-value of some node make a difference. The higher alpha, the more
    is pruned, but for small exceptions.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 21, 40, 41, 60, 61], "pay": [1, 1.2, 5, 6, 20, 29]})
    >>> tree = grow(data, ["age"], ["pay"], k=2)
    >>> alpha_of_size(tree, 2.0)
    0.0
    >>> average_size(tree, alpha_of_size(tree, 3.0))
    3.0
    """
    p_values = measure(tree).p_value[tree.column >= 0]
    below = np.unique(p_values[p_values < 1])
    tried: list[float] = [0.0, *np.nextafter(below, 1.0).tolist()]
    low, high = 0, len(tried) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if average_size(tree, tried[middle]) < size:
            low = middle
        else:
            high = middle
    near = tried[max(low - BESIDE, 0) : high + BESIDE + 1]
    return min(near, key=lambda alpha: abs(average_size(tree, alpha) - size))


def near_size(
    data: Microdata, k: int, size: float, least: Iterable[int], near: float
) -> tuple[int, float]:
    """Return a k and the alpha that goes with it, within a share of an average group size.

    It is the k of `least` nearest to the one given; where none comes so near to the size, the one
    that comes nearest.
    """
    best, distance = (k, 0.0), np.inf
    for candidate in sorted(least, key=lambda one: abs(one - k)):
        tree = tree_of(data, candidate)
        alpha = alpha_of_size(tree, size)
        off = abs(average_size(tree, alpha) / size - 1)
        if off < distance:
            best, distance = (candidate, alpha), off
        if off <= near:
            break
    return best


def average_size(tree: Tree, alpha: float) -> float:
    """Return the average group size after pruning with alpha.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 21, 40, 41], "pay": [1, 2, 5, 6]})
    >>> average_size(grow(data, ["age"], ["pay"], k=2), 0)
    2.0
    """
    return len(tree.rows) / len(prune(tree, tree.k, alpha).tree.leaves)
