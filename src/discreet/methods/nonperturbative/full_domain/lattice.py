"""Search of the lattice of nodes, a level for each column, for the one that loses least.

Two facts make it unnecessary to visit most nodes:

- The loss by recoding alone, before any suppression, is the sum of the losses of the columns'
  levels. It is known for every node beforehand, rises along the lattice, and suppression never
  reduces it. So nodes are visited in its order, and the search ends where it exceeds the loss of
  the best node so far.
- A node may be hopeless: it and every node below it, where no column has a higher level, cannot
  meet the conditions. The judge decides what makes a node hopeless (conditions.py).

To find large hopeless parts early, the search does not only go from the least recoded node to the
next. From each it climbs a path of single steps, always to the node that loses least, and bisects
it: the middle node is visited, then the middle of the upper part if it is hopeless, otherwise that
of the lower part (as in Flash, Kohlmayer et al. 2012). Every node is visited, or lies below a
hopeless one, or by its levels alone loses more than the best one, or as much without being recoded
less: so the result is optimal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

Node = tuple[int, ...]
TIE = 1e-12
"""Losses closer than this count as equal: they are sums of rounded numbers."""


@dataclass(frozen=True)
class Verdict:
    """The verdict on a node: its loss, or None if it does not meet the conditions.

    `hopeless` means that no node below it does either.
    """

    loss: float | None
    hopeless: bool = False


@dataclass(frozen=True)
class SearchResult:
    """The best node, None if there is none, how many nodes there are and how many were judged.

    No node loses less than `at_least`: that is the loss of the best node where this is proven to be
    the best of all.
    """

    node: Node | None
    loss: float
    nodes: int
    judged: int
    at_least: float

    @property
    def proven(self) -> bool:
        """Whether no other node loses less."""
        return self.at_least >= self.loss - TIE


def search(
    level_loss: Sequence[NDArray[np.float64]],
    judge: Callable[[Node], Verdict],
    advance: Callable[[float], object] = lambda share: None,
) -> SearchResult:
    """Return the node with the least loss; among equals, the one with the least recoding.

    `level_loss` is the loss of each level of each column, `judge` gives the verdict on a node.
    Losses rise with the levels, and the judge's is never below the sum of the levels'.

    >>> losses = [np.array([0.0, 0.2, 0.5]), np.array([0.0, 0.1])]
    >>> search(losses, lambda node: Verdict(None, True) if sum(node) < 2 else Verdict(0.3)).node
    (1, 1)
    """
    shape = tuple(len(losses) for losses in level_loss)
    nodes = int(np.prod([float(n) for n in shape]))
    bound = reduce(np.add.outer, level_loss)
    judged = np.zeros(shape, dtype=bool)
    hopeless = np.zeros(shape, dtype=bool)
    best: Node | None = None
    least, looks = np.inf, 0

    def look(node: Node) -> bool:
        """Judge a node; return whether it is hopeless."""
        nonlocal best, least, looks
        verdict = judge(node)
        judged[node] = True
        looks += 1
        if verdict.loss is not None and better(node, verdict.loss, best, least):
            best, least = node, min(least, verdict.loss)
        if verdict.hopeless:
            hopeless[tuple(slice(0, level + 1) for level in node)] = True
        return verdict.hopeless

    order = np.argsort(bound, axis=None, kind="stable")
    losses, closed = bound.ravel(), (hopeless.ravel(), judged.ravel())
    done = 0.0
    for position, flat in enumerate(order):
        if losses[flat] > least + TIE:
            break
        if closed[0][flat] or closed[1][flat]:
            continue
        start = tuple(int(i) for i in np.unravel_index(flat, shape))
        if not better(start, float(bound[start]), best, least):
            continue
        path = _climb(start, bound, hopeless, judged, least)
        low, high = 0, len(path) - 1
        while low <= high:
            middle = (low + high) // 2
            if look(path[middle]):
                low = middle + 1
            else:
                high = middle - 1
        if position / nodes > done:
            advance(position / nodes - done)
            done = position / nodes
        if not hopeless[start] and not judged[start]:
            look(start)
    advance(1.0 - done)
    return SearchResult(best, float(least), nodes, looks, float(least))


def better(node: Node, loss: float, best: Node | None, least: float) -> bool:
    """Whether a node loses less than the best one, or as much and is recoded less."""
    if best is None or loss < least - TIE:
        return True
    return loss <= least + TIE and sum(node) < sum(best)


def _climb(
    start: Node,
    bound: NDArray[np.float64],
    hopeless: NDArray[np.bool_],
    judged: NDArray[np.bool_],
    least: float,
) -> list[Node]:
    """Return the nodes of a path upwards that may still be better than the best one."""
    path = [start]
    while True:
        node = path[-1]
        above = [
            (*node[:j], level + 1, *node[j + 1 :])
            for j, level in enumerate(node)
            if level + 1 < bound.shape[j]
        ]
        candidates = [n for n in above if not judged[n] and not hopeless[n] and bound[n] < least]
        if not candidates:
            return path
        path.append(min(candidates, key=lambda n: float(bound[n])))
