"""A tree is pruned where its nodes are too unlike the file."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.models.regression_tree import Tree
from discreet.models.regression_tree.digression import measure
from discreet.models.regression_tree.pruning import prune
from tests.models.regression_tree.trees import table, tree_of

LAW = settings(max_examples=60, deadline=None, derandomize=True, database=None)


def slow_prune(tree: Tree, k: int, alpha: float) -> list[int]:
    """Figure 3 as it is written, everything measured anew after each pruning."""
    order: list[int] = []
    numbers = list(range(len(tree)))
    while True:
        found = measure(tree)
        fit = [
            t for t in range(len(tree)) if tree.column[t] >= 0
            and (found.p_value[t] < alpha
                 or min(tree.count[m] for m in range(t, tree.after[t]) if tree.column[m] < 0) < k)
        ]  # fmt: skip
        if not fit:
            return order
        chosen = min(fit, key=lambda t: (round(float(found.ratio[t]), 9), t))
        order.append(numbers[chosen])
        gone = range(chosen + 1, int(tree.after[chosen]))
        numbers = [number for t, number in enumerate(numbers) if t not in gone]
        tree = tree.pruned([chosen])


@LAW
@given(
    st.integers(0, 10**6), st.integers(6, 80), st.integers(1, 2),
    st.sampled_from([0.0, 0.05, 0.5]), st.integers(2, 5),
)  # fmt: skip
def test_pruning_against_figure_3(seed: int, n: int, r: int, alpha: float, k: int) -> None:
    tree = tree_of(table(seed, n, r))
    pruned = prune(tree, k, alpha)
    assert [node for node, _ in pruned.steps] == slow_prune(tree, k, alpha)
    after = measure(pruned.tree)
    inner = pruned.tree.column >= 0
    assert (after.p_value[inner] >= alpha).all()
    assert len(pruned.tree) == 1 or pruned.tree.count[pruned.tree.leaves].min() >= k
    assert (
        np.bincount(pruned.tree.labels).tolist() == pruned.tree.count[pruned.tree.leaves].tolist()
    )


def test_responses_of_both_kinds() -> None:
    rng = np.random.default_rng(4)
    data = table(4, 200, 2, ill=["xyz"[i] for i in rng.integers(0, 3, 200)])
    tree = tree_of(data, 5)
    found = measure(tree)
    numbers = measure(tree_of(data.drop(["ill"]), 200)).error[0]
    assert found.error[0] > numbers
    assert (found.digression <= 1 + 1 + 1e-9).all()
    assert prune(tree, 5, 0.05).tree.count.min() >= 5
