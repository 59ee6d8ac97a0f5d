"""The means and scatters of the nodes of a tree against their definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.kernels.regression_tree_scatter import node_scatters
from discreet.models.regression_tree import grow

LAW = settings(max_examples=80, deadline=None, derandomize=True, database=None)


@LAW
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(4, 60))
def test_scatters_against_the_definition(seed: int, r: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    columns = {"x": rng.integers(0, 6, n).tolist(), "job": list(rng.choice(list("abcde"), n))}
    responses = {f"y{j}": rng.normal(size=n).tolist() for j in range(r)}
    data = discreet.read({**columns, **responses}, kinds={"x": "continuous"})
    tree = grow(data, list(columns), list(responses), 2)
    # A large offset: what is close together must not be lost in it.
    y = 1000 + tree.responses.numbers
    means, scatters = node_scatters(
        y, tree.rows, tree.parent, tree.start, tree.count, tree.column < 0
    )
    for t in range(len(tree)):
        part = y[tree.records(t)]
        centred = part - part.mean(axis=0)
        assert means[t] == pytest.approx(part.mean(axis=0))
        assert scatters[t] == pytest.approx(centred.T @ centred, abs=1e-9)
