"""EDP, error-digression pruning (Li & Sarkar, Figure 3)."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np

from discreet.models.regression_tree.digression import NodeMeasures, error_digression, measure
from discreet.models.regression_tree.tree import Tree


@dataclass(frozen=True, eq=False)
class Pruned:
    """The pruned tree, and which nodes of the grown one became leaves: in turn, with their q."""

    tree: Tree
    steps: tuple[tuple[int, float], ...]
    measures: NodeMeasures


def prune(tree: Tree, k: int, alpha: float, measures: NodeMeasures | None = None) -> Pruned:
    """Make leaves of nodes whose responses are too unlike the file's, cheapest first.

    A node is to be pruned if one of its leaves has fewer than k records, or if its own p-value
    is below alpha. (Figure 3 says "and", but the paper's example prunes a node of more than k
    records: it means "or".) Of these the one with the smallest q is made a leaf, the first among
    equals; then q is recomputed, until there is none. The root counts too, with p = 1.

    `measures` are those of the grown tree, with the p-values of the test that is wanted; if not
    given, they are taken by the paper's.

    >>> import discreet
    >>> from discreet.models.regression_tree import grow
    >>> data = discreet.read({"age": [21, 23, 40, 46], "pay": [10, 11, 30, 32]})
    >>> prune(grow(data, ["age"], ["pay"], k=2), k=3, alpha=0.05).tree.labels
    array([0, 0, 0, 0])
    """
    measures = measure(tree) if measures is None else measures
    error, digression = measures.branch_error.copy(), measures.branch_digression.copy()
    inner = tree.column >= 0
    least = np.where(inner, tree.count[0], tree.count)
    for t in range(len(tree) - 1, 0, -1):
        least[tree.parent[t]] = min(least[tree.parent[t]], least[t])
    unlike = measures.p_value < alpha
    gone = ~inner
    version = np.zeros(len(tree), dtype=np.int64)

    def ratio(t: int) -> float:
        at = slice(t, t + 1)
        return float(
            error_digression(
                measures.error[at], error[at], measures.digression[at], digression[at]
            )[0]
        )

    heap = [(ratio(t), t, 0) for t in np.flatnonzero(inner & (unlike | (least < k))).tolist()]
    heapq.heapify(heap)
    steps: list[tuple[int, float]] = []
    while heap:
        q, t, made = heapq.heappop(heap)
        if gone[t] or made != version[t] or not (unlike[t] or least[t] < k):
            continue
        steps.append((t, q))
        gone[t : tree.after[t]] = True
        less_error = measures.error[t] - error[t]
        less_digression = digression[t] - measures.digression[t]
        least[t] = tree.count[t]
        error[t], digression[t] = measures.error[t], measures.digression[t]
        above = int(tree.parent[t])
        while above >= 0:
            error[above] += less_error
            digression[above] -= less_digression
            least[above] = least[tree.children(above)].min()
            version[above] += 1
            if unlike[above] or least[above] < k:
                heapq.heappush(heap, (ratio(above), above, int(version[above])))
            above = int(tree.parent[above])
    return Pruned(tree.pruned(t for t, _ in steps), tuple(steps), measures)
