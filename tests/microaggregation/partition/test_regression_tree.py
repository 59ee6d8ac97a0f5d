"""Regression trees as partitions: digression, pruning, and the edges of what responses can be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context
from discreet.errors import DataError, UsageError
from discreet.microaggregation.partition import RegressionMondrian, RegressionTree
from discreet.models.regression_tree import Tree, grow
from discreet.models.regression_tree.digression import independent, measure
from discreet.models.regression_tree.likelihood_ratio import likelihood_ratio_p
from discreet.models.regression_tree.pruning import prune

LAW = settings(max_examples=60, deadline=None, derandomize=True, database=None)


def table(seed: int, n: int, r: int = 2, **more: list[Any]) -> discreet.Microdata:
    rng = np.random.default_rng(seed)
    columns: dict[str, list[Any]] = {
        "age": rng.integers(20, 60, n).tolist(),
        "town": ["abcdef"[i] for i in rng.integers(0, 6, n)],
        **{f"y{j}": rng.normal(size=n).tolist() for j in range(r)},
        **more,
    }
    roles = {name: "quasi-identifier" if name in ("age", "town") else "confidential"
             for name in columns}  # fmt: skip
    return discreet.read(columns, roles=roles)


def tree_of(data: discreet.Microdata, k: int = 2) -> Tree:
    names = [n for n in data.schema.names if n not in data.quasi_identifiers]
    return grow(data, data.quasi_identifiers, names, k)


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


def test_the_likelihood_ratio_has_the_size_of_its_level() -> None:
    rng = np.random.default_rng(7)
    draws = rng.normal(size=(4000, 30, 2))
    centred = draws - draws.mean(axis=1, keepdims=True)
    scatters = np.einsum("tij,tik->tjk", centred, centred)
    known = np.concatenate([[np.eye(2) * (10**6 - 1)], scatters])
    counts = np.array([10**6] + [30] * 4000)
    assert likelihood_ratio_p(known, counts)[0] == 1
    plain = (likelihood_ratio_p(known, counts)[1:] < 0.05).mean()
    adjusted = (likelihood_ratio_p(known, counts, adjusted=True)[1:] < 0.05).mean()
    # With 4,000 draws a share of 5 % has a standard error of 0.34 %.
    assert plain == pytest.approx(0.05, abs=0.015)
    assert abs(adjusted - 0.05) < 0.012
    assert adjusted < plain


def test_the_adjusted_statistic_prunes_less() -> None:
    tree = tree_of(table(5, 120, 2))
    assert (measure(tree, adjusted=True).p_value >= measure(tree).p_value).all()


def test_dependent_and_constant_responses_are_dropped_and_named() -> None:
    data = table(1, 60, 2)
    twice = [2 * v + 1 for v in data["y0"].tolist()]
    more = table(1, 60, 2, y9=twice, same=[3.0] * 60)
    found = measure(tree_of(more))
    assert found.dropped == ("y9", "same")
    assert np.isfinite(found.digression).all()
    groups = RegressionTree(k=3).groups(more, more.quasi_identifiers, Context())
    word = "left out of the digression as constant or dependent"
    assert groups.detail[word] == ("y9", "same")
    assert independent(np.zeros((2, 2))) == []


def test_a_constant_response_leaves_one_group() -> None:
    data = table(1, 30, 0, pay=[5.0] * 30)
    assert RegressionTree(k=3).groups(data, data.quasi_identifiers, Context()).count == 1


def test_one_response() -> None:
    data = table(2, 60, 1)
    groups = RegressionTree(k=5, alpha=0).groups(data, data.quasi_identifiers, Context())
    assert groups.count > 4
    assert groups.sizes.min() >= 5


def test_all_predictors_nominal_one_of_them_with_5000_categories() -> None:
    rng = np.random.default_rng(3)
    n = 20_000
    codes = rng.permutation(np.arange(n) % 5000)
    data = discreet.read(
        {"id": [f"c{c:04d}" for c in codes], "town": ["ab"[c % 2] for c in codes],
         "pay": (codes % 7 + rng.normal(size=n) / 100).tolist()},
        roles={"id": "quasi-identifier", "town": "quasi-identifier", "pay": "confidential"},
    )  # fmt: skip
    tree = grow(data, ["id", "town"], ["pay"], k=200)
    # Seven levels of pay: the categories are put in the order of their means.
    seven = np.unique(tree.labels * 7 + codes % 7)
    assert len(np.unique(seven // 7)) == len(seven)
    assert "other categories" in tree.rule(int(tree.leaves[0]))[0]


def test_responses_of_both_kinds() -> None:
    rng = np.random.default_rng(4)
    data = table(4, 200, 2, ill=["xyz"[i] for i in rng.integers(0, 3, 200)])
    tree = tree_of(data, 5)
    found = measure(tree)
    numbers = measure(tree_of(data.drop(["ill"]), 200)).error[0]
    assert found.error[0] > numbers
    assert (found.digression <= 1 + 1 + 1e-9).all()
    assert prune(tree, 5, 0.05).tree.count.min() >= 5


def test_missing_values_have_their_place() -> None:
    data = discreet.read(
        {"age": [None, None, 30, 31, 40, 41], "town": ["a", "b"] * 3, "pay": [9, 9, 1, 1, 5, 5]}
    )
    tree = grow(data, ["age", "town"], ["pay"], k=2)
    assert [tree.rule(leaf) for leaf in tree.leaves.tolist()] == [
        ["age is missing"], ["age ≤ 35.5"], ["age > 35.5"]
    ]  # fmt: skip
    names = discreet.read({"town": ["a", "a", None, None], "pay": [1, 2, 8, 9]})
    rules = grow(names, ["town"], ["pay"], k=2)
    assert [rules.rule(leaf) for leaf in rules.leaves.tolist()] == [
        ["town is a"], ["town is missing"]
    ]  # fmt: skip


def test_missing_responses() -> None:
    data = table(1, 40, 1, pay=[None if i % 4 == 0 else float(i) for i in range(40)])
    assert not np.isnan(tree_of(data).responses.numbers).any()
    assert np.isfinite(measure(tree_of(data)).error).all()


def test_ordinal_columns_in_words() -> None:
    data = discreet.read(
        {"grade": ["low", "middle", "high"] * 2, "pay": [1, 2, 9, 1, 2, 9]},
        kinds={"grade": ["low", "middle", "high"]},
    )
    tree = grow(data, ["grade"], ["pay"], k=2)
    rules = [tree.rule(leaf) for leaf in tree.leaves.tolist()]
    assert rules == [["grade ≤ low"], ["low < grade ≤ middle"], ["grade > middle"]]


def test_a_category_that_a_node_has_not_seen_goes_to_the_largest_child() -> None:
    data = discreet.read({"town": ["a"] * 2 + ["b"] * 3, "pay": [1, 1, 5, 5, 5]})
    tree = grow(data, ["town"], ["pay"], k=2)
    new = discreet.read({"town": ["z", "a", "b"]})
    assert tree.assign(new).tolist() == [2, 1, 2]


def test_regression_mondrian_cuts_by_hierarchy(tmp_path: Path) -> None:
    file = tmp_path / "town.csv"
    file.write_text("a;coast;*\nb;coast;*\nc;hills;*\nd;hills;*\n", encoding="utf-8")
    towns = ["a", "b", "c", "d"] * 3
    pay = [{"a": 1, "b": 2, "c": 8, "d": 9}[t] + i / 100 for i, t in enumerate(towns)]
    data = discreet.read({"town": towns, "pay": pay},
                         roles={"town": "quasi-identifier", "pay": "confidential"})  # fmt: skip
    entry = (f"town={file}",)
    wide = RegressionMondrian(k=5, hierarchies=entry).groups(data, ["town"], Context())
    assert wide.sizes.tolist() == [6, 6]
    # Without a hierarchy all four at once, which leaves three in each.
    assert RegressionMondrian(k=5).groups(data, ["town"], Context()).count == 1
    assert RegressionMondrian(k=3).groups(data, ["town"], Context()).count == 4


@pytest.mark.parametrize("partition", [RegressionTree(k=5), RegressionMondrian(k=5)])
def test_refusals(partition: discreet.partition.RegressionTree) -> None:
    data = table(1, 4)
    with pytest.raises(DataError, match="k = 5 needs at least 5 records, but the data have 4"):
        partition.groups(data, data.quasi_identifiers, Context())
    plain = table(1, 20, 0)
    with pytest.raises(UsageError, match="give a column the role confidential, or name columns"):
        partition.groups(plain, plain.quasi_identifiers, Context())
    with pytest.raises(UsageError, match="at least one column to cut"):
        partition.groups(table(1, 20), [], Context())


def test_more_refusals() -> None:
    data = table(1, 20)
    with pytest.raises(UsageError, match="'y0' is both a predictor and a response"):
        grow(data, ["age", "y0"], ["y0"], 2)
    with pytest.raises(UsageError, match="names column 'wage', which is not in the data"):
        RegressionTree(responses=("wage",)).groups(data, ["age"], Context())
    many = table(1, 300, 0, ill=[f"c{i}" for i in range(300)])
    with pytest.raises(DataError, match="at most 256 classes, but column 'ill' has 300"):
        RegressionTree().groups(many, ["age"], Context())
    with pytest.raises(DataError, match="column 'pay' is infinite in row 3"):
        grow(table(1, 20, 0, pay=[1.0, 2.0, np.inf] + [3.0] * 17), ["age"], ["pay"], 2)
    with pytest.raises(UsageError, match="cut in two at each node"):
        grow(data, ["town"], ["y0"], 2, multiway=True, digression=True)
