"""Trees grown on columns of every kind, and what their nodes say."""

from __future__ import annotations

import numpy as np

import discreet
from discreet.models.regression_tree import grow


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


def test_missing_values_have_their_place() -> None:
    data = discreet.read(
        {"age": [None, None, 30, 31, 40, 41], "town": ["a", "b"] * 3, "pay": [9, 9, 1, 1, 5, 5]}
    )
    tree = grow(data, ["age", "town"], ["pay"], k=2)
    assert [tree.rule(leaf) for leaf in tree.leaves.tolist()] == [
        ["age is missing"], ["age ≤ 36"], ["age > 36"]
    ]  # fmt: skip
    names = discreet.read({"town": ["a", "a", None, None], "pay": [1, 2, 8, 9]})
    rules = grow(names, ["town"], ["pay"], k=2)
    assert [rules.rule(leaf) for leaf in rules.leaves.tolist()] == [
        ["town is a"], ["town is missing"]
    ]  # fmt: skip


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
