"""Forest synthesis: random forests in sequence, values drawn from their leaves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

from discreet.contracts import Needs, Spec, param
from discreet.methods.synthetic.cart_synthesis import TreeSynthesis
from discreet.models.sequential.assembly import SYNTHETIC_ROLES
from discreet.models.sequential.forest import Forest
from discreet.models.sequential.models import Fitter

QUICK = 5
"""The number of trees of a forest that grows quickly."""


class ForestSynthesis(TreeSynthesis):
    """Draws each column from the leaves of a random forest grown on the columns before it.

    For each record one tree of the forest is chosen at random, and a value of the records in its
    leaf that this tree has not seen while it grew. That is smoother than one tree, follows single
    records less, and takes longer in proportion to the number of trees.

    >>> import discreet
    >>> import numpy as np
    >>> from discreet.contracts import Context
    >>> rng = np.random.default_rng(1)
    >>> age = rng.uniform(20, 60, 500)
    >>> data = discreet.read({"age": age, "pay": (age - 40) ** 2 + rng.normal(0, 10, 500)},
    ...                      roles={"pay": "quasi-identifier", "age": "other"})
    >>> made = ForestSynthesis(trees=5).protect(data, Context()).data["pay"]
    >>> bool(np.corrcoef(made, (age - 40) ** 2)[0, 1] > 0.8)
    True
    """

    spec: ClassVar[Spec] = Spec(
        name="forest-synthesis",
        title="Forest synthesis",
        citation="Caiola & Reiter, Random forests for generating partially synthetic, categorical "
        "data (2010); Breiman, Random forests (2001)",
        missing="a missing value stays missing where only some columns are treated; with "
        "everything, whether it is missing is drawn first, by a separate forest",
        random=True,
        treats=SYNTHETIC_ROLES,
        formula="yⱼ ~ the values of yⱼ in the leaf of (y₁, …, yⱼ₋₁) of a tree drawn from the "
        "forest, for each column in turn",
        cost="n·c·log n time for each level of a tree, as many trees as asked for a column; "
        "memory n·c",
        needs=Needs.MODELS,
        nearest="gaussian-copula",
    )

    trees: int = param(default=20, help="number of trees of a forest", at_least=1)

    @property
    def quicker(self) -> Mapping[str, object]:
        """Fewer trees: the time is in proportion to their number."""
        return {"trees": QUICK} if self.trees > 2 * QUICK else {}

    def growing(self) -> Fitter:
        """Return the way of growing the forest of a column."""
        return partial(
            Forest.fit, trees=self.trees, leaf=self.leaf, smooth=self.smoothing, even=self.even
        )
