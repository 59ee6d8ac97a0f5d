"""Error and digression of the nodes of a tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.models.regression_tree.digression import measure
from tests.models.regression_tree.trees import table, tree_of

LAW = settings(max_examples=60, deadline=None, derandomize=True, database=None)


@LAW
@given(st.integers(0, 10**6), st.integers(6, 60), st.integers(1, 3))
def test_lemma_1_and_2(seed: int, n: int, r: int) -> None:
    tree = tree_of(table(seed, n, r))
    found = measure(tree)
    y = tree.responses.numbers

    def rest(node: int) -> Any:
        own = y[tree.records(node)]
        whole, part = y - y.mean(axis=0), own - own.mean(axis=0)
        return whole.T @ whole - part.T @ part

    assert found.digression[0] == 0
    assert (found.digression >= 0).all()
    for t in range(1, len(tree)):
        matrix = rest(t)
        assert found.digression[t] == pytest.approx(np.linalg.det(matrix), abs=1e-9)
        # The lemmas say more than zero; that needs a rest of full rank.
        if np.linalg.eigvalsh(matrix)[0] > 1e-9:
            assert found.digression[t] > 0
        above = int(tree.parent[t])
        assert found.digression[t] >= found.digression[above] - 1e-12
        if np.linalg.eigvalsh(rest(above))[0] > 1e-6:
            assert found.digression[t] > found.digression[above]
    inner = tree.column >= 0
    assert (found.branch_digression[inner] >= found.digression[inner] - 1e-12).all()
    assert (found.branch_error[inner] <= found.error[inner] + 1e-12).all()


@LAW
@given(st.integers(0, 10**6), st.integers(6, 60), st.integers(2, 4))
def test_divergence_of_classes_is_like_digression(seed: int, n: int, classes: int) -> None:
    rng = np.random.default_rng(seed + 1)
    tree = tree_of(table(seed, n, 0, ill=["xyzw"[i] for i in rng.integers(0, classes, n)]))
    found = measure(tree)
    codes = tree.responses.classes[0]
    shares = np.bincount(codes) / n
    for t in range(len(tree)):
        own = np.bincount(codes[tree.records(t)], minlength=len(shares))
        expected = own.sum() * shares
        assert found.digression[t] == pytest.approx(((own - expected) ** 2 / expected).sum())
        gini = 1 - ((own / own.sum()) ** 2).sum()
        assert found.error[t] == pytest.approx(own.sum() * gini)
    inner = tree.column >= 0
    assert (found.branch_digression[inner] >= found.digression[inner] - 1e-9).all()


def test_the_adjusted_statistic_prunes_less() -> None:
    tree = tree_of(table(5, 120, 2))
    assert (measure(tree, adjusted=True).p_value >= measure(tree).p_value).all()


def test_missing_responses() -> None:
    data = table(1, 40, 1, pay=[None if i % 4 == 0 else float(i) for i in range(40)])
    assert not np.isnan(tree_of(data).responses.numbers).any()
    assert np.isfinite(measure(tree_of(data)).error).all()
