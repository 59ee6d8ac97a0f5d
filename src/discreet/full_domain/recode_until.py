"""Recoding until local suppression has little left to do: the combination of the survey's §3."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.equivalence import compatible_sizes
from discreet.full_domain.combinations import Combinations, Node
from discreet.full_domain.given import Given
from discreet.full_domain.lattice import Verdict, search
from discreet.microdata import Microdata
from discreet.parameters import Columns

Cells = NDArray[np.bool_]


def recoded_until(
    data: Microdata,
    names: Sequence[str],
    k: int,
    share: float,
    choices: Sequence[Sequence[str]],
    suppress: Callable[[Microdata, Context], Cells],
    hierarchies: Columns,
    owner: str,
    context: Context,
) -> tuple[Microdata, str]:
    """Return the data at the levels that lose least, of those with few enough suppressed cells.

    At most `share` of the cells are suppressed there. `choices` are the columns that are to be
    k-anonymous, each choice by itself, and `suppress` says which cells of a table it takes.

    A node where more records are in need of a suppressed cell than cells are allowed is hopeless,
    and so is every node below it: there the classes are smaller. For the cells themselves no such
    order is known, and nodes that are not hopeless are tried.
    """
    given = Given(data, names, owner, hierarchies)
    columns = [given.levels(name) for name in names]
    people = Combinations(columns)
    allowed = int(share * len(data) * len(names) + 1e-9)
    quiet = Context(context.randomness)
    # Then a class of fewer than k is in need as a whole, and no table has to be made to see it.
    simple = len(choices) == 1 and not any(data.column(name).missing.any() for name in names)

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
        if not simple and in_need(table, choices, k) > allowed:
            return Verdict(None, hopeless=True)
        if int(suppress(table, quiet).sum()) > allowed:
            return Verdict(None)
        return Verdict(people.loss(node))

    with context.task("recoding until few cells are suppressed", 1.0) as advance:
        found = search(people.level_loss, judge, advance)
    assert found.node is not None, "at the top all records are alike"
    levels = ", ".join(f"{name} {n}" for name, n in zip(names, found.node, strict=True))
    return recoded(found.node), (
        f"recoded to levels {levels} (0 is unchanged), the least loss ({100 * found.loss:.2f} % of "
        f"a cell in the mean) at which at most {share:.2%} of the cells are suppressed"
    )


def in_need(table: Microdata, choices: Sequence[Sequence[str]], k: int) -> int:
    """Return how many records need a suppressed cell, whatever is suppressed in the others.

    Those that fewer than k records could be like in one of the choices of columns. A record with a
    gap need not be one of them: others may lose a cell and become like it.

    >>> import discreet
    >>> table = discreet.read({"sex": ["f", "f", "m"], "town": ["Ayle", "Bron", None]})
    >>> in_need(table, [["sex", "town"]], 2), in_need(table, [["town"]], 2)
    (3, 0)
    """
    alone = np.zeros(len(table), dtype=bool)
    for chosen in choices:
        alone |= compatible_sizes(table, chosen) < k
    return int(alone.sum())
