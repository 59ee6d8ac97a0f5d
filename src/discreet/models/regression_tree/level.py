"""The level of the test that prunes a tree, where the user gives none.

The test assumes normal responses. If they are normal, the level is the paper's 0.05. With heavy
tails nearly every node differs from the file at any usual level, and hardly any group would be
left; then the level is the highest up to 0.05 whose groups have on average at most `MOST` times k
records. The groups of the paper's Table 4 are of that size.
"""

from __future__ import annotations

import numpy as np

from discreet.microdata import Numbers
from discreet.models.regression_tree.digression import NodeMeasures
from discreet.models.regression_tree.pruning import prune
from discreet.models.regression_tree.responses import heavy_tails
from discreet.models.regression_tree.tree import Tree

USUAL = 0.05
MOST = 10
"""A group may have this many times k records on average before the level is lowered."""
BESIDE = 2
"""Groups need not get larger with every step of the level: this many steps to either side are
tried.
"""


def average_size(tree: Tree, alpha: float, measures: NodeMeasures) -> float:
    """Return the average group size after pruning with a level.

    >>> import discreet
    >>> from discreet.models.regression_tree import grow
    >>> from discreet.models.regression_tree.digression import measure
    >>> data = discreet.read({"age": [20, 21, 40, 41], "pay": [1, 2, 5, 6]})
    >>> tree = grow(data, ["age"], ["pay"], k=2)
    >>> average_size(tree, 0, measure(tree))
    2.0
    """
    return len(tree.rows) / len(prune(tree, tree.k, alpha, measures).tree.leaves)


def levels(tree: Tree, measures: NodeMeasures) -> list[float]:
    """Return the levels that make a difference: 0, and just above the p-value of some node."""
    p_values: Numbers = measures.p_value[tree.column >= 0]
    below = np.unique(p_values[p_values < 1])
    return [0.0, *np.nextafter(below, 1.0).tolist()]


def near_size(tree: Tree, size: float, measures: NodeMeasures) -> list[float]:
    """Return the levels whose groups are about of a size: those around where it is passed."""
    tried = levels(tree, measures)
    low, high = 0, len(tried) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if average_size(tree, tried[middle], measures) < size:
            low = middle
        else:
            high = middle
    return tried[max(low - BESIDE, 0) : high + BESIDE + 1]


def chosen_level(tree: Tree, measures: NodeMeasures) -> float:
    """Return the level for a tree whose user gives none.

    >>> import discreet
    >>> from discreet.models.regression_tree import grow
    >>> from discreet.models.regression_tree.digression import measure
    >>> data = discreet.read({"age": [20, 21, 40, 41], "pay": [1, 2, 5, 6]})
    >>> tree = grow(data, ["age"], ["pay"], k=2)
    >>> chosen_level(tree, measure(tree))
    0.05
    """
    most = MOST * tree.k
    if not heavy_tails(tree.responses) or average_size(tree, USUAL, measures) <= most:
        return USUAL
    tried = [alpha for alpha in near_size(tree, most, measures) if alpha <= USUAL]
    kept = [alpha for alpha in tried if average_size(tree, alpha, measures) <= most]
    return max(kept, default=0.0)
