"""Forests that values are drawn from."""

from __future__ import annotations

import numpy as np

import discreet
from discreet.models.sequential.forest import Forest
from discreet.models.sequential.tree import Tree
from tests.models.sequential.mixed import mixed


def test_values_come_from_records_that_the_tree_has_not_seen() -> None:
    rng = np.random.default_rng(1)
    data = discreet.read({"x": rng.normal(size=400), "y": rng.normal(size=400)})
    tree = Tree.fit(data, data.column("y"), ["x"], rng, smooth=False, out_of_bag=True)
    weights = np.diff(tree.leaves.cumulated)
    sizes = np.add.reduceat(weights, tree.leaves.starts[:-1])
    assert (sizes >= 1).all()
    # About a third of the records is out of the bag of a bootstrap sample.
    assert 0.3 < (weights > 0).mean() < 0.5


def test_a_forest_finds_what_a_line_does_not() -> None:
    data = mixed()
    rng = np.random.default_rng(2)
    forest = Forest.fit(data, data.column("home"), ["x", "town"], rng, trees=8)
    made = forest.draw(data, rng)
    far = np.abs(data["x"]) > 0.55
    assert (made[far] == data["home"][far]).mean() > 0.8
    assert made.dtype == data["home"].dtype
