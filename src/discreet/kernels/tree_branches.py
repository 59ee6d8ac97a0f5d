"""Branches of a rooted tree: their sizes, and the classes of their records."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled
from discreet.kernels.tree_cutting import Hanging


class Branches(NamedTuple):
    """The branch below each record, itself included."""

    sizes: NDArray[np.int64]  # (n,)
    row: NDArray[np.int64]  # (n,) the row of a branch in `counts`, or -1
    counts: NDArray[np.int64]  # classes of the branches that may be cut off, and of the whole


@compiled
def _add_up(
    preorder: NDArray[np.int64], parents: NDArray[np.int64], sizes: NDArray[np.int64]
) -> None:
    """Sizes of all branches, from the bottom up."""
    for at in range(len(preorder) - 1, 0, -1):
        sizes[parents[preorder[at]]] += sizes[preorder[at]]


@compiled
def _count_classes(
    preorder: NDArray[np.int64],
    sizes: NDArray[np.int64],
    row: NDArray[np.int64],
    codes: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Count the classes of the branches that have a row in `counts`."""
    # a branch is a stretch of the preorder, so its class counts are differences of running ones
    running = np.zeros(counts.shape[1], np.int64)
    stops = np.empty(len(counts), np.int64)
    waiting = np.empty(len(counts), np.int64)
    depth = 0
    for at in range(len(preorder) + 1):
        while depth > 0 and stops[depth - 1] == at:
            depth -= 1
            for c in range(len(running)):
                counts[waiting[depth], c] += running[c]
        if at == len(preorder):
            return
        record = preorder[at]
        if row[record] >= 0:
            stops[depth], waiting[depth] = at + sizes[record], row[record]
            depth += 1
            for c in range(len(running)):
                counts[row[record], c] -= running[c]
        running[codes[record]] += 1


def count_branches(hanging: Hanging, codes: NDArray[np.int64], count: int, k: int) -> Branches:
    """Return the sizes of all branches, and the classes of those that may be cut off.

    These are the branches with k records or more that also leave k or more. Classes are
    0 … `count` − 1.

    >>> from discreet.kernels.tree_cutting import hang_up
    >>> hanging = hang_up(np.array([[0, 2], [1, 2], [1, 3]]), np.array([1.0, 5.0, 2.0]))
    >>> branches = count_branches(hanging, np.array([0, 1, 1, 0]), 2, k=2)
    >>> branches.sizes.tolist(), branches.row.tolist(), branches.counts.tolist()
    ([4, 2, 3, 1], [0, 1, -1, -1], [[2, 2], [1, 1]])
    """
    preorder, parents, _ = hanging
    n = len(preorder)
    sizes = np.ones(n, np.int64)
    _add_up(preorder, parents, sizes)
    may = (sizes >= k) & (n - sizes >= k)
    may[0] = True
    row = np.where(may, np.cumsum(may) - 1, -1)
    counts = np.zeros((int(may.sum()), count), np.int64)
    _count_classes(preorder, sizes, row, codes, counts)
    return Branches(sizes, row, counts)
