"""The running example of Sun, Wang, Li & Zhang 2012 (Table 1), to the last printed digit.

Where the paper slips, the definition holds: H(A1|A2) and H(A2|A1) are printed the wrong way
round, A2–A5 is 1.6680, and the minimum spanning tree has the edge A3–A5 (1.6217), not A2–A5.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.microdata.equivalence import class_sizes
from discreet.models.dependency import (
    DependencyTree,
    conditional_entropy,
    dependency_tree,
    entropy,
)

TABLE_1 = """
    0 0 0 1 1 1
    0 1 1 0 1 0
    1 1 0 1 0 0
    0 0 1 1 1 1
    0 1 1 1 0 0
    0 0 1 0 0 1
    1 1 1 0 0 1
    0 1 1 0 0 0
    1 1 1 0 1 1
    0 1 1 1 0 1
    0 1 1 1 0 0
    1 1 1 1 1 1
"""
VALUES = np.array([line.split() for line in TABLE_1.strip().splitlines()], dtype=np.int64)
NAMES = ["A1", "A2", "A3", "A4", "A5", "A6"]
A1, A2, A3, A4, A5, A6 = VALUES.T

MATRIX = np.array(
    [
        [0, 1.3796, 1.5339, 1.8777, 1.8777, 1.8126],
        [1.3796, 0, 1.3753, 1.7772, 1.6680, 1.3180],
        [1.5339, 1.3753, 0, 1.3368, 1.6217, 1.6217],
        [1.8777, 1.7772, 1.3368, 0, 1.9586, 1.9586],
        [1.8777, 1.6680, 1.6217, 1.9586, 0, 1.7510],
        [1.8126, 1.3180, 1.6217, 1.9586, 1.7510, 0],
    ]
)


@pytest.fixture(scope="module")
def data() -> discreet.Microdata:
    columns = dict(zip(NAMES, VALUES.T, strict=True))
    return discreet.read(columns, roles=dict.fromkeys(NAMES, "quasi-identifier"))


@pytest.fixture(scope="module")
def tree(data: discreet.Microdata) -> DependencyTree:
    return dependency_tree(data, NAMES)


def test_probabilities() -> None:
    assert (A1 == 1).mean() == pytest.approx(1 / 3)
    assert (A3 == 0).mean() == pytest.approx(1 / 6)
    assert ((A1 == 1) & (A3 == 0)).mean() == pytest.approx(1 / 12)


def test_entropies() -> None:
    assert round(entropy(A1), 4) == 0.9183
    assert round(entropy(A2), 4) == 0.8113
    assert round(entropy(A1, A2), 4) == 1.5546


def test_conditional_entropies() -> None:
    assert round(conditional_entropy(A1, given=A2), 4) == 0.7433
    assert round(conditional_entropy(A2, given=A1), 4) == 0.6363


def test_dependency_matrix(tree: DependencyTree) -> None:
    assert np.array_equal(np.round(tree.matrix, 4), MATRIX)
    for i, j in itertools.combinations(range(6), 2):
        a, b = VALUES[:, i], VALUES[:, j]
        pair = conditional_entropy(a, given=b) + conditional_entropy(b, given=a)
        assert tree.matrix[i, j] == pytest.approx(pair, abs=1e-12)


def test_best_dependency_tree(tree: DependencyTree) -> None:
    assert {(one, other) for one, other, _ in tree.edges} == {
        ("A1", "A2"),
        ("A2", "A3"),
        ("A2", "A6"),
        ("A3", "A4"),
        ("A3", "A5"),
    }
    assert [round(measure, 4) for _, _, measure in tree.edges] == [
        1.3180, 1.3368, 1.3753, 1.3796, 1.6217,
    ]  # fmt: skip


def test_degrees_and_key_attributes(tree: DependencyTree) -> None:
    assert dict(zip(tree.names, tree.degrees, strict=True)) == {
        "A1": 1, "A2": 3, "A3": 3, "A4": 1, "A5": 1, "A6": 1,
    }  # fmt: skip
    assert tree.key == ("A2", "A3")
    assert tree.bins == (None,) * 6, "0 and 1 are used as they are"


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6, 12])
def test_algorithm_2_gives_k_anonymity(data: discreet.Microdata, k: int) -> None:
    masked = discreet.AMA(k=k).protect(data, Context())
    assert masked.groups is not None
    assert masked.groups.detail["key attributes"] == ("A2", "A3")
    assert class_sizes(masked.data, NAMES).min() >= k
    for name in NAMES:
        assert masked.data[name].mean() == pytest.approx(data[name].mean())
