"""The nodes right below the chosen one, which a search for the least recoding passed over."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from discreet.contracts import PassedOver
from discreet.methods.nonperturbative.full_domain.combinations import Combinations
from discreet.methods.nonperturbative.full_domain.hierarchy_levels import Levels


def nodes_below(
    columns: Mapping[str, Levels],
    node: Sequence[int],
    fixed: Collection[str],
    k: int,
    l: int,  # noqa: E741
) -> PassedOver:
    """Return the nodes with one column one level finer whose classes all have k records.

    A node with a smaller class is left out: that it fails follows from the quasi-identifiers
    alone.

    >>> import discreet
    >>> from discreet.methods.nonperturbative.full_domain.automatic import automatic
    >>> data = discreet.read({"sex": ["f", "f", "m", "m"]})
    >>> below = nodes_below({"sex": automatic(data.column("sex"))}, [1], (), 2, 2)
    >>> below.classes, below.finer
    (array([0, 0, 0, 0]), {'sex at level 0': array([0, 0, 1, 1])})
    """
    people = Combinations(list(columns.values()))

    def labels(levels: Sequence[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return people.classes(tuple(levels))[0][people.of_record].astype(np.int64)

    finer = {}
    for place, name in enumerate(columns):
        below = [*node[:place], node[place] - 1, *node[place + 1 :]]
        if name in fixed or node[place] == 0 or int(people.sizes(tuple(below)).min()) < k:
            continue
        finer[f"{name} at level {below[place]}"] = labels(below)
    return PassedOver(labels(node), finer, l)
