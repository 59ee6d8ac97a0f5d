"""Forests as models of a column: each value is drawn from a leaf of one of many trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Column, Microdata
from discreet.models.sequential.tree import Tree


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees grown on bootstrap samples, values drawn from records that their tree has not seen.

    >>> import discreet
    >>> data = discreet.read({"age": [20.0] * 20 + [60.0] * 20, "pay": [1.0] * 20 + [9.0] * 20})
    >>> generator = np.random.default_rng(1)
    >>> forest = Forest.fit(data, data.column("pay"), ["age"], generator, trees=5)
    >>> set(forest.draw(data, generator)[:20].tolist())
    {1.0}
    """

    trees: tuple[Tree, ...]

    @classmethod
    def fit(
        cls,
        data: Microdata,
        column: Column,
        predictors: Sequence[str],
        generator: np.random.Generator,
        trees: int = 20,
        leaf: int = 5,
        smooth: bool = True,
        even: bool = True,
    ) -> Forest:
        """Grow the trees."""
        return cls(
            tuple(
                Tree.fit(
                    data,
                    column,
                    predictors,
                    generator,
                    leaf=leaf,
                    smooth=smooth,
                    out_of_bag=True,
                    even=even,
                )
                for _ in range(trees)
            )
        )

    def kept(self) -> Forest:
        """Return the same forest without anything of the library that grew it."""
        return Forest(tuple(tree.kept() for tree in self.trees))

    def draw(
        self, table: Microdata, generator: np.random.Generator, *, whole: bool = False
    ) -> NDArray[Any]:
        """Return a value for every row, by a tree chosen at random."""
        chosen = generator.integers(0, len(self.trees), len(table))
        made: NDArray[Any] = np.empty(0)
        for number in np.unique(chosen):
            rows = np.flatnonzero(chosen == number)
            drawn = self.trees[number].draw(table.take(rows), generator)
            made = made if len(made) else np.empty(len(table), dtype=drawn.dtype)
            made[rows] = drawn
        return made
