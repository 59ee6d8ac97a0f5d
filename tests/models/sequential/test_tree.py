"""Trees that values are drawn from."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.models.sequential.leaves import Leaves
from discreet.models.sequential.tree import Tree
from tests.models.sequential.mixed import mixed


def test_smoothing_keeps_mean_and_variance_of_a_leaf() -> None:
    rng = np.random.default_rng(2)
    data = discreet.read({"v": rng.gamma(2, 3, 4000)})
    tree = Tree.fit(data, data.column("v"), [], rng, bootstrap=False)
    made = np.concatenate([tree.draw(data, rng) for _ in range(20)])
    assert made.mean() == pytest.approx(data["v"].mean(), rel=0.01)
    assert made.std() == pytest.approx(data["v"].std(), rel=0.01)


@pytest.mark.parametrize("leaf", [2, 25, 200])
def test_leaves_have_the_least_size(leaf: int) -> None:
    data = mixed()
    rng = np.random.default_rng(3)
    for name in ("x", "home", "grade"):
        tree = Tree.fit(data, data.column(name), ["town", "z", "n", "y"], rng, leaf=leaf)
        assert np.diff(tree.leaves.starts).min() >= leaf


def test_draws_from_leaves_are_even_or_those_of_the_bayesian_bootstrap() -> None:
    values, leaf = np.arange(12.0), np.repeat([0, 1], [4, 8])
    rng = np.random.default_rng(4)
    even = Leaves.of(values, leaf, 2, None).draw(np.repeat([0, 1], 8000), rng)
    assert np.bincount(even[:8000].astype(int), minlength=4)[:4] == pytest.approx(2000, rel=0.1)
    assert even[:8000].max() == 3
    assert even[8000:].min() == 4
    # With drawn weights the mean of a leaf varies as theory says: variance s²/(m + 1).
    means = []
    for _ in range(1500):
        own = Leaves.of(values, leaf, 2, rng)
        weights = np.diff(own.cumulated)[4:]
        means.append(weights @ values[4:] / weights.sum())
    assert np.mean(means) == pytest.approx(7.5, abs=0.1)
    assert np.var(means) == pytest.approx(values[4:].var() / 9, rel=0.15)
