"""The best full-domain recoding of some columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.methods.nonperturbative.full_domain.combinations import Combinations, Node
from discreet.methods.nonperturbative.full_domain.conditions import Conditions, Judge
from discreet.methods.nonperturbative.full_domain.hierarchy_levels import Levels
from discreet.methods.nonperturbative.full_domain.large_lattice import MOST_TAKEN, search_large
from discreet.methods.nonperturbative.full_domain.lattice import SearchResult, Verdict, search


@dataclass(frozen=True, eq=False)
class Recoding:
    """The best node, which records it suppresses, and how long the search was.

    No recoding loses less than `at_least`; `proven` says that this one is the best of all.

    `loss` is the mean over all cells of the treated columns: 0 for a value that is released
    unchanged, 1 for one that is not released at all, whether recoded to the top or suppressed.
    """

    node: Node
    suppressed: NDArray[np.bool_]
    loss: float
    nodes: int
    judged: int
    at_least: float
    proven: bool


LAID_OUT = 4_000_000
"""Nodes of a lattice that is searched to the end; in a larger one the search has a limit."""


def best_node(
    level_loss: Sequence[NDArray[np.float64]],
    judge: Callable[[Node], Verdict],
    advance: Callable[[float], object],
    most_taken: int = MOST_TAKEN,
) -> SearchResult:
    """Return the best node of a lattice, or the best one found where it is too large."""
    nodes = float(np.prod([float(len(losses)) for losses in level_loss]))
    if nodes > LAID_OUT:
        return search_large(level_loss, judge, advance, most_taken=most_taken)
    return search(level_loss, judge, advance)


def best_recoding(
    columns: Sequence[Levels],
    conditions: Conditions,
    allowance: int,
    context: Context,
    times: NDArray[np.int64] | None = None,
    most_taken: int = MOST_TAKEN,
) -> Recoding | None:
    """Return the recoding that loses least and suppresses at most `allowance` records.

    None if there is no node that meets the conditions. `times` says how many records each row
    stands for, by default one; `most_taken` how long a large lattice is searched for better nodes.

    >>> import discreet
    >>> from discreet.methods.nonperturbative.full_domain.automatic import automatic
    >>> data = discreet.read({"age": [21, 22, 38, 39], "sex": ["f", "f", "m", "m"]})
    >>> columns = [automatic(column) for column in data]
    >>> recoding = best_recoding(columns, Conditions(data, k=2), 0, Context())
    >>> recoding.node, columns[0].labels[2], round(recoding.loss, 2)
    ((2, 0), ('20–23', '36–39'), 0.17)
    """
    people = Combinations(columns, times)
    judge = Judge(people, conditions, allowance)
    with context.task("searching for the best recoding", 1.0) as advance:
        best = best_node(people.level_loss, judge, advance, most_taken)
    if best.node is None:
        return None
    return Recoding(
        best.node,
        judge.suppressed(best.node),
        best.loss,
        best.nodes,
        best.judged,
        best.at_least,
        best.proven,
    )
