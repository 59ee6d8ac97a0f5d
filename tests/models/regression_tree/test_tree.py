"""Trees as they are walked, put in words, pruned, and asked for the leaf of a record."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.models.regression_tree import Tree, grow


def persons(rows: int = 200) -> discreet.Microdata:
    rng = np.random.default_rng(1)
    columns: dict[str, Any] = {
        "age": [None if i % 17 == 0 else int(a) for i, a in enumerate(rng.integers(20, 70, rows))],
        "town": rng.choice(list("abcdef"), rows),
        "shoe": rng.normal(42, 2, rows).round(),
    }
    pay = np.array([a or 0 for a in columns["age"]]) * 10 + 80 * (columns["town"] < "c")
    columns["pay"] = pay + rng.normal(0, 5, rows)
    return discreet.read(columns)


@pytest.fixture(scope="module")
def tree() -> Tree:
    return grow(persons(), ["age", "town", "shoe"], ["pay"], k=8)


def test_children_part_the_records_of_their_parent(tree: Tree) -> None:
    for node in range(len(tree)):
        children = tree.children(node)
        assert bool(children) == (node not in tree.leaves)
        parts = [tree.records(child).tolist() for child in children]
        if parts:
            assert sorted(chain.from_iterable(parts)) == tree.records(node).tolist()
            assert all(tree.parent[child] == node for child in children)


def test_labels_number_the_leaves(tree: Tree) -> None:
    for number, leaf in enumerate(tree.leaves.tolist()):
        assert np.flatnonzero(tree.labels == number).tolist() == tree.records(leaf).tolist()
        assert tree.path(leaf)[0] == 0
        assert tree.path(leaf)[-1] == leaf


def test_the_records_it_was_grown_on_are_assigned_to_their_own_leaves(tree: Tree) -> None:
    assert tree.assign(persons()).tolist() == tree.leaves[tree.labels].tolist()


def test_used_and_unused_columns_are_all_columns(tree: Tree) -> None:
    assert {"age", "town"} <= set(tree.used)
    assert sorted(tree.used + tree.unused) == ["age", "shoe", "town"]


def test_a_rule_has_one_condition_per_column_and_the_root_none(tree: Tree) -> None:
    assert tree.rule(0) == []
    assert tree.condition(0) == ""
    for leaf in tree.leaves.tolist():
        for name in ("age", "town", "shoe"):
            assert sum(name in words for words in tree.rule(leaf)) <= 1


def test_a_pruned_tree_is_the_tree_above(tree: Tree) -> None:
    node = next(n for n in range(1, len(tree)) if tree.children(n))
    pruned = tree.pruned([node])
    assert len(pruned) == len(tree) - (int(tree.after[node]) - node - 1)
    assert node in pruned.leaves
    assert pruned.records(node).tolist() == tree.records(node).tolist()
    leaves = tree.assign(persons())
    below = (leaves >= node) & (leaves < tree.after[node])
    assert ((pruned.assign(persons()) == node) == below).all()
    assert len(tree.pruned([0])) == 1
    assert tree.pruned([]).column.tolist() == tree.column.tolist()
