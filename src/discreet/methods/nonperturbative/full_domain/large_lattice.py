"""Search of a lattice that is too large to enumerate: the best node within a fixed effort.

First a good node: paths from the bottom to the top, each with another column raised first, are
bisected (see lattice.py), and from the best node on them the search goes on to the best of its
neighbours, a column lower, or a column lower and another one higher, for as long as the loss falls.

Then proof: nodes are generated lazily from the least recoded one on, in order of the loss of their
levels alone; from each that may still be better than the best, a path is climbed and bisected, and
its neighbours are searched in the same way. The effort is counted in nodes, not in seconds, so that
the result is the same on every machine. When it runs out, all nodes whose levels lose less than the
next one in order have been dealt with: no node can lose less than that one, which bounds what a
longer search could gain.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.methods.nonperturbative.full_domain.lattice import (
    TIE,
    Node,
    SearchResult,
    Verdict,
    better,
)

MOST_JUDGED = 3_000
"""The most nodes that are judged: each takes a pass over the combinations of values that occur."""
MOST_TAKEN = 100_000
"""The most nodes that are taken in order: a few seconds."""


class _Hopeless:
    """The highest nodes known to be hopeless; so is every node below one of them."""

    def __init__(self, columns: int) -> None:
        self._tops: NDArray[np.int64] = np.zeros((0, columns), dtype=np.int64)

    def add(self, node: Node) -> None:
        below = (self._tops <= np.array(node)).all(axis=1)
        self._tops = np.vstack([self._tops[~below], node])

    def covers(self, node: Node) -> bool:
        return bool((self._tops >= np.array(node)).all(axis=1).any())


def search_large(
    level_loss: Sequence[NDArray[np.float64]],
    judge: Callable[[Node], Verdict],
    advance: Callable[[float], object] = lambda share: None,
    most_judged: int = MOST_JUDGED,
    most_taken: int = MOST_TAKEN,
) -> SearchResult:
    """Return the best node found, and a bound on what any node loses; as `lattice.search` does.

    >>> losses = [np.array([0.0, 0.2, 0.5]), np.array([0.0, 0.1])]
    >>> loss = lambda node: float(losses[0][node[0]] + losses[1][node[1]])
    >>> judged = lambda node: Verdict(None, True) if sum(node) < 2 else Verdict(loss(node))
    >>> found = search_large(losses, judged)
    >>> found.node, found.proven
    ((1, 1), True)
    """
    return _Search(level_loss, judge, advance, most_judged, most_taken).result()


class _Search:
    def __init__(
        self,
        level_loss: Sequence[NDArray[np.float64]],
        judge: Callable[[Node], Verdict],
        advance: Callable[[float], object],
        most_judged: int,
        most_taken: int,
    ) -> None:
        self._losses = [losses.tolist() for losses in level_loss]
        self._judge, self._advance = judge, advance
        self._most_judged, self._most_taken = most_judged, most_taken
        self._verdicts: dict[Node, Verdict] = {}
        self._hopeless = _Hopeless(len(level_loss))
        self._best: Node | None = None
        self._least = np.inf

    def result(self) -> SearchResult:
        """Take nodes in order until none can be better, or the effort is spent."""
        # Where everything is recoded to the top the conditions are met, if they are anywhere.
        self._look(tuple(len(losses) - 1 for losses in self._losses))
        bottom = (0,) * len(self._losses)
        for column in range(len(self._losses)):
            self._bisect(self._path(bottom, column))
        waiting = [(self._bound(bottom), bottom)]
        at_least = 0.0
        for _ in range(self._most_taken):
            if not waiting or waiting[0][0] > self._least + TIE or self._spent:
                break
            bound, node = heapq.heappop(waiting)
            at_least = bound
            for above in self._after(node):
                heapq.heappush(waiting, (self._bound(above), above))
            if self._open(node) and better(node, bound, self._best, self._least):
                self._bisect(self._climb(node))
                if self._open(node):
                    self._look(node)
        if not waiting or waiting[0][0] > self._least + TIE:
            at_least = self._least
        elif not self._spent:
            at_least = waiting[0][0]
        at_least = min(at_least, self._least)
        self._advance(1.0 - len(self._verdicts) / self._most_judged)
        nodes = int(np.prod([float(len(losses)) for losses in self._losses]))
        return SearchResult(
            self._best, float(self._least), nodes, len(self._verdicts), float(at_least)
        )

    @property
    def _spent(self) -> bool:
        return len(self._verdicts) >= self._most_judged

    def _bound(self, node: Node) -> float:
        return float(sum(losses[level] for losses, level in zip(self._losses, node, strict=True)))

    def _open(self, node: Node) -> bool:
        return node not in self._verdicts and not self._hopeless.covers(node)

    def _after(self, node: Node) -> list[Node]:
        """Return the nodes one level above that are generated from this node, each from one node
        only.
        """
        last = max((j for j, level in enumerate(node) if level), default=0)
        return [above for j, above in self._above(node) if j >= last]

    def _above(self, node: Node) -> list[tuple[int, Node]]:
        return [
            (j, (*node[:j], level + 1, *node[j + 1 :]))
            for j, level in enumerate(node)
            if level + 1 < len(self._losses[j])
        ]

    def _look(self, node: Node) -> Verdict:
        """Judge a node, and remember the best one."""
        if node not in self._verdicts:
            verdict = self._verdicts[node] = self._judge(node)
            self._advance(1 / self._most_judged)
            if verdict.hopeless:
                self._hopeless.add(node)
            if verdict.loss is not None and better(node, verdict.loss, self._best, self._least):
                self._best, self._least = node, min(self._least, verdict.loss)
        return self._verdicts[node]

    def _climb(self, start: Node) -> list[Node]:
        """Return the nodes of a path upwards that may still be better than the best one."""
        path = [start]
        while True:
            candidates = [
                above
                for _, above in self._above(path[-1])
                if self._bound(above) < self._least and self._open(above)
            ]
            if not candidates:
                return path
            path.append(min(candidates, key=self._bound))

    def _bisect(self, path: list[Node]) -> None:
        low, high = 0, len(path) - 1
        while low <= high and not self._spent:
            middle = (low + high) // 2
            verdict = self._look(path[middle])
            if verdict.hopeless:
                low = middle + 1
            else:
                if path[middle] == self._best:
                    self._improve(path[middle])
                high = middle - 1

    def _path(self, bottom: Node, column: int) -> list[Node]:
        """Return a path from the bottom to the top on which this column is raised first."""
        path = [bottom]
        while above := self._above(path[-1]):
            first = [node for j, node in above if j == column]
            path.append(first[0] if first else min((n for _, n in above), key=self._bound))
        return path

    def _improve(self, node: Node) -> None:
        """Go from a node that meets the conditions to better ones nearby until there is none."""
        while not self._spent:
            lower = [
                (*node[:j], level - 1, *node[j + 1 :]) for j, level in enumerate(node) if level
            ]
            nearby = lower + [n for low in lower for _, n in self._above(low) if n != node]
            for n in nearby:
                if not self._spent and self._bound(n) < self._least and self._open(n):
                    self._look(n)
            if self._best is None or self._best == node:
                return
            node = self._best
