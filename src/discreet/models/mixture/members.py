"""The records of each cluster, a block at a time, so that no cluster has to be copied."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]

BLOCK = 4_096


def members(labels: Rows) -> Iterator[list[Rows]]:
    """Give for each cluster in turn the rows of its records, in blocks.

    >>> [[block.tolist() for block in blocks] for blocks in members(np.array([1, 0, 1]))]
    [[[1]], [[0, 2]]]
    """
    order = np.argsort(labels, kind="stable")
    sizes = np.bincount(labels)
    for end, size in zip(np.cumsum(sizes).tolist(), sizes.tolist(), strict=True):
        yield [order[at : min(at + BLOCK, end)] for at in range(end - size, end, BLOCK)]
