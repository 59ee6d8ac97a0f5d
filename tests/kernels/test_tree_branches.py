"""Sizes and classes of the branches of a tree, against a walk down each of them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.kernels.tree_branches import count_branches
from discreet.kernels.tree_cutting import hang_up
from tests.kernels.spanning_trees import LAW


def below(parents: list[int], root: int) -> list[int]:
    """The records of a branch, found by asking every record for its ancestors."""
    found = []
    for record in range(len(parents)):
        at = record
        while at not in (root, -1):
            at = parents[at]
        if at == root:
            found.append(record)
    return found


@LAW
@given(st.integers(1, 25), st.integers(1, 4), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_every_branch_is_counted(n: int, classes: int, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = rng.permutation(n)
    joined = [(names[rng.integers(0, i)], names[i]) for i in range(1, n)]
    edges = np.array(joined, dtype=np.int64).reshape(-1, 2)
    hanging = hang_up(edges, rng.random(n - 1))
    codes = rng.integers(0, classes, n)
    branches = count_branches(hanging, codes, classes, k)
    parents = hanging.parents.tolist()
    root = int(hanging.preorder[0])
    for record in range(n):
        members = range(n) if record == root else below(parents, record)
        assert branches.sizes[record] == len(members)
        row = branches.row[record]
        removable = len(members) >= k and n - len(members) >= k
        assert (row >= 0) == (removable or record == 0)
        if row >= 0:
            expected = np.bincount(codes[list(members)], minlength=classes)
            assert branches.counts[row].tolist() == expected.tolist()
