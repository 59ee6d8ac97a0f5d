"""Regression trees as partitions: digression, pruning, and the edges of what responses can be."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Randomness
from discreet.errors import DataError, UsageError
from discreet.microaggregation.partition import RegressionMondrian, RegressionTree
from discreet.models.regression_tree import grow
from discreet.models.regression_tree.digression import independent, measure
from tests.models.regression_tree.trees import table, tree_of


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


def test_same_seed_same_groups() -> None:
    data = table(9, 150)
    one, other = (
        RegressionTree(k=5, alpha=0.3, test="permutation").groups(
            data, data.quasi_identifiers, Context(Randomness(3))
        )
        for _ in range(2)
    )
    assert np.array_equal(one.labels, other.labels)
    assert 1 < one.count < one.detail["leaves grown"]
