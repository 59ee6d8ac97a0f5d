"""Nearest neighbours without an n × n matrix: what record linkage is made of."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context

TREE_DIMENSIONS = 12
"""Above this a k-d tree looks at nearly every point, and comparing with all of them is faster."""
BLOCK = 2_000
TIE = 1e-9
"""Distances that differ by less than this share are equal: the mean of two records is as far
from the one as from the other, whatever the last bit says."""

Counts = tuple[NDArray[np.int64], NDArray[np.int64]]


def own_among_nearest(
    originals: NDArray[np.float64],
    released: NDArray[np.float64],
    origin: NDArray[np.int64],
    m: int,
    context: Context,
) -> NDArray[np.float64]:
    """Return for each released point the probability that its own original is among the m nearest.

    An intruder who finds several originals at the same distance picks among them at random: with
    `a` originals strictly nearer than the own one and `t` as near as it (itself included), the
    own one is among the first m with probability min(max(m − a, 0), t) / t.

    >>> points = np.array([[0.0], [1.0], [5.0]])
    >>> masked = np.array([[0.5], [0.5], [5.2]])
    >>> own_among_nearest(points, masked, np.arange(3), 1, Context())
    array([0.5, 0.5, 1. ])
    """
    if not len(released):
        return np.zeros(0)
    own = np.sqrt(((released - originals[origin]) ** 2).sum(axis=1))
    # A distance is no more exact than the coordinates that it is the difference of.
    slack = TIE * own + 8 * np.finfo(np.float64).eps * np.abs(originals).max(initial=0)
    low, high = own - slack, own + slack
    count = _by_tree if originals.shape[1] <= TREE_DIMENSIONS else _by_comparison
    nearer, as_near = count(originals, released, low, high, m, context)
    return np.asarray(np.clip(m - nearer, 0, as_near) / np.maximum(as_near, 1))


def _by_tree(
    originals: NDArray[np.float64],
    released: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    m: int,
    context: Context,
) -> Counts:
    from scipy.spatial import cKDTree

    tree = cKDTree(originals)
    nearer = np.full(len(released), m, dtype=np.int64)
    as_near = np.ones(len(released), dtype=np.int64)
    with context.task("linking records", len(released)) as advance:
        for start in range(0, len(released), BLOCK):
            rows = np.arange(start, min(start + BLOCK, len(released)))
            found, _ = tree.query(released[rows], k=[min(m, len(originals))], workers=-1)
            # Whose own record lies beyond the m-th nearest needs no counting: it is not linked.
            rows = rows[low[rows] <= np.asarray(found)[:, 0]]
            within = tree.query_ball_point(
                released[rows], high[rows], return_length=True, workers=-1
            )
            nearer[rows] = 0
            # Nothing is nearer than distance zero; the tree would take a negative radius for one.
            apart = rows[low[rows] > 0]
            nearer[apart] = tree.query_ball_point(
                released[apart], low[apart], return_length=True, workers=-1
            )
            as_near[rows] = within - nearer[rows]
            advance(min(BLOCK, len(released) - start))
    return nearer, as_near


def _by_comparison(
    originals: NDArray[np.float64],
    released: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    m: int,
    context: Context,
) -> Counts:
    from discreet.kernels.linkage import count_nearer

    nearer = np.zeros(len(released), dtype=np.int64)
    as_near = np.zeros(len(released), dtype=np.int64)
    below, beyond = np.maximum(low, 0) ** 2, high**2
    # Columns that vary most come first, so that a far original is given up after few of them.
    order = np.argsort(-originals.var(axis=0), kind="stable")
    originals = np.ascontiguousarray(originals[:, order])
    released = np.ascontiguousarray(released[:, order])

    def block(start: int) -> int:
        part = slice(start, start + BLOCK)
        count_nearer(
            originals, released[part], below[part], beyond[part], m, nearer[part], as_near[part]
        )
        return len(released[part])

    with (
        context.task("linking records", len(released)) as advance,
        ThreadPoolExecutor(os.cpu_count()) as threads,
    ):
        for done in threads.map(block, range(0, len(released), BLOCK)):
            advance(done)
    return nearer, as_near
