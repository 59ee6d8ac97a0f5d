"""The order in which columns are synthesised: that of the file, or along the dependency tree.

Along the tree, a column follows the one that it depends on most, so that the closest dependences
are modelled directly and not by way of others. A column is then drawn from the nearest of those
before it, which also bounds the time for files of many columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet.microdata import Microdata
from discreet.models.dependency import FEWEST, DependencyTree, dependency_tree

FILE, DEPENDENCY = "file", "dependency"
MOST_RECORDS = 20_000
"""Records, evenly spaced, that the tree is taken from."""
MOST_PREDICTORS = 20
"""The nearest columns that a column is drawn from."""


@dataclass(frozen=True, eq=False)
class TreeOrder:
    """The columns along the best dependency tree, from its middle outwards.

    >>> import discreet
    >>> rng = np.random.default_rng(1)
    >>> a, c = rng.integers(0, 4, (2, 500))
    >>> data = discreet.read({"a": a, "b": c // 2, "c": c, "d": (a + c) // 2})
    >>> TreeOrder.of(data, ["a", "b", "c", "d"]).columns
    ('c', 'b', 'd', 'a')
    """

    tree: DependencyTree

    @classmethod
    def of(cls, data: Microdata, names: Sequence[str]) -> TreeOrder:
        """Take the tree of these columns."""
        rows = np.unique(np.linspace(0, len(data) - 1, MOST_RECORDS).astype(np.int64))
        records = data if len(data) <= MOST_RECORDS else data.take(rows)
        return cls(dependency_tree(records, names, normalised=True))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns in order; a tree of very few has nothing to choose from."""
        if len(self.tree.names) < FEWEST:
            return self.tree.names
        return tuple(name for name, _, _ in self.tree.walk())

    def nearest(self, name: str, before: Sequence[str]) -> tuple[str, ...]:
        """Return those columns before one that it depends on most, in their order.

        >>> import discreet
        >>> data = discreet.read({f"c{i:02d}": np.arange(50) // (i + 1) for i in range(30)})
        >>> order = TreeOrder.of(data, data.schema.names)
        >>> len(order.nearest("c29", data.schema.names[:29]))
        20
        """
        place = {column: i for i, column in enumerate(self.tree.names)}
        apart = self.tree.matrix[place[name]]
        ranked = sorted(before, key=lambda column: apart[place[column]])[:MOST_PREDICTORS]
        return tuple(column for column in before if column in set(ranked))
