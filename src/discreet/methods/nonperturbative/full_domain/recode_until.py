"""Recoding until local suppression has little left to do: the combination in the survey, §3."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Columns, Context
from discreet.methods.nonperturbative.cells_to_suppress import suppressed
from discreet.methods.nonperturbative.full_domain.best_recoding import best_node
from discreet.methods.nonperturbative.full_domain.chosen import chosen_levels
from discreet.methods.nonperturbative.full_domain.combinations import Combinations, Node
from discreet.methods.nonperturbative.full_domain.given import Given
from discreet.methods.nonperturbative.full_domain.lattice import Verdict
from discreet.microdata import Microdata

Cells = NDArray[np.bool_]


def recoded_until(
    data: Microdata,
    names: Sequence[str],
    k: int,
    share: float,
    known: int,
    suppress: Callable[[Microdata, Context], Cells],
    hierarchies: Columns,
    owner: str,
    context: Context,
) -> tuple[Microdata, str, dict[str, Any]]:
    """Return the data at the levels that lose least, of those with few enough suppressed cells.

    With them come a note, and the levels as parameters of global recoding.

    At most `share` of the cells are suppressed there. `known` is how many of the columns a reader
    knows, and `suppress` says which cells of a table are suppressed.

    A node is hopeless if the lower bound on the number of cells exceeds what is allowed: it then
    does so at every node below, where the classes are smaller. For the cells actually suppressed no
    such order is known, so nodes that are not hopeless are tried.
    """
    given = Given(data, names, owner, hierarchies)
    columns = [given.levels(name) for name in names]
    people = Combinations(columns)
    allowed = int(share * len(data) * len(names) + 1e-9)
    quiet = Context(context.randomness)
    # Then every record of a class of fewer than k needs a cell, and no table has to be made.
    simple = known == len(names) and not any(data.column(name).missing.any() for name in names)

    def recoded(node: Node) -> Microdata:
        return data.replace(c.recoded(n) for c, n in zip(columns, node, strict=True))

    def judge(node: Node) -> Verdict:
        sizes = people.sizes(node)
        alone = int(sizes[sizes < k].sum())
        if not alone:
            return Verdict(people.loss(node))
        if simple and alone > allowed:
            return Verdict(None, hopeless=True)
        table = recoded(node)
        ones = [1.0] * len(names)
        if suppressed(table, names, k, ones, "anything", 0, quiet, known).least > allowed:
            return Verdict(None, hopeless=True)
        if int(suppress(table, quiet).sum()) > allowed:
            return Verdict(None)
        return Verdict(people.loss(node))

    with context.task("recoding until few cells are suppressed", 1.0) as advance:
        best = best_node(people.level_loss, judge, advance)
    assert best.node is not None, "at the top all records are alike"
    levels = ", ".join(f"{name} {n}" for name, n in zip(names, best.node, strict=True))
    optimum = "the least loss" if best.proven else "the least loss found"
    note = (
        f"recoded to levels {levels} (0 is unchanged), {optimum} ({100 * best.loss:.2f} % of "
        f"a cell on average) at which at most {share:.2%} of the cells are suppressed"
    )
    of_each = dict(zip(names, columns, strict=True))
    stated = chosen_levels(given, of_each, dict(zip(names, best.node, strict=True)))
    return recoded(best.node), note, stated
