"""The neighbours of a recoding: what one level more or less, of one column, would cost.

All combinations of levels form a lattice: above a node are those that have one column one level
coarser, below it those with one column one level finer. A small lattice is shown whole, of a larger
one the best node and what is next to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from discreet.methods.nonperturbative.full_domain.combinations import Combinations, Node
from discreet.methods.nonperturbative.full_domain.conditions import Conditions, Judge
from discreet.methods.nonperturbative.full_domain.hierarchy_levels import Levels

SHOWN_WHOLE = 60
"""Nodes of a lattice that is shown whole."""


@dataclass(frozen=True)
class NodeSeen:
    """A combination of levels: whether it meets the conditions, and at what cost.

    `small` are the records in classes below k, `loss` the mean loss of a cell if the conditions are
    met with what may be suppressed, else without suppression.
    """

    levels: tuple[int, ...]
    meets: bool
    small: int
    loss: float


@dataclass(frozen=True)
class Lattice:
    """Some nodes of a lattice; the first of them is the best."""

    columns: tuple[str, ...]
    heights: tuple[int, ...]
    k: int
    allowance: int
    nodes: tuple[NodeSeen, ...]
    whole: bool


def lattice_around(
    columns: Sequence[Levels], conditions: Conditions, allowance: int, best: Node
) -> Lattice:
    """Return the best node with its neighbours, or all nodes if they are few.

    >>> import discreet
    >>> from discreet.methods.nonperturbative.full_domain.automatic import automatic
    >>> data = discreet.read({"age": [21, 22, 38, 39], "sex": ["f", "f", "m", "m"]})
    >>> found = lattice_around([automatic(c) for c in data], Conditions(data, k=2), 0, (2, 0))
    >>> found.nodes[0].meets, found.whole, len(found.nodes)
    (True, True, 12)
    """
    heights = tuple(column.height for column in columns)
    people = Combinations(columns)
    judge = Judge(people, conditions, allowance)
    whole = prod(height + 1 for height in heights) <= SHOWN_WHOLE
    others = (
        product(*(range(height + 1) for height in heights)) if whole else _next_to(best, heights)
    )
    listed = [best, *(node for node in others if node != best)]
    seen = []
    for node in listed:
        verdict = judge(node)
        sizes = people.sizes(node)
        loss = people.loss(node) if verdict.loss is None else verdict.loss
        small = int(sizes[sizes < conditions.k].sum())
        seen.append(NodeSeen(tuple(map(int, node)), verdict.loss is not None, small, float(loss)))
    names = tuple(column.column.name for column in columns)
    return Lattice(names, heights, conditions.k, allowance, tuple(seen), whole)


def _next_to(node: Node, heights: Sequence[int]) -> list[Node]:
    neighbours: list[Node] = []
    for place, height in enumerate(heights):
        for level in (node[place] - 1, node[place] + 1):
            if 0 <= level <= height:
                neighbours.append((*node[:place], level, *node[place + 1 :]))
    return neighbours
