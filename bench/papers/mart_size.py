"""Pruning to a given average group size, as Table 4 of Li & Sarkar compares methods."""

from __future__ import annotations

from bench.papers.alcohol import RESPONSES
from discreet.microdata import Microdata
from discreet.models.regression_tree import Tree, grow
from discreet.models.regression_tree.digression import measure
from discreet.models.regression_tree.level import average_size, near_size


def tree_of(data: Microdata, k: int) -> Tree:
    """Return MART's tree before pruning."""
    return grow(data, data.quasi_identifiers, RESPONSES, k)


def alpha_of_size(tree: Tree, size: float) -> float:
    """Return an alpha whose average group size is nearest to a given one.

    It is the middle one of that size: where sizes change, the last bit of a p-value would decide.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 21, 40, 41, 60, 61], "pay": [1, 1.2, 5, 6, 20, 29]})
    >>> tree = grow(data, ["age"], ["pay"], k=2)
    >>> alpha_of_size(tree, 2.0)
    0.0
    >>> average_size(tree, alpha_of_size(tree, 3.0), measure(tree))
    3.0
    """
    measures = measure(tree)
    near = near_size(tree, size, measures)
    sizes = [average_size(tree, alpha, measures) for alpha in near]
    best = min(sizes, key=lambda reached: abs(reached - size))
    alphas = [alpha for alpha, average in zip(near, sizes, strict=True) if average == best]
    return alphas[len(alphas) // 2]
