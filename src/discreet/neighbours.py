"""Nearest neighbours without an n × n matrix: what record linkage is made of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context

TREE_DIMENSIONS = 12
"""Above this a k-d tree looks at nearly every point; blocks of plain distances are faster."""
BLOCK_CELLS = 4_000_000
TIE = 1e-9
"""Distances that differ by less than this share are equal: the mean of two records is as far
from the one as from the other, whatever the last bit says."""


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
    if originals.shape[1] <= TREE_DIMENSIONS:
        nearer, as_near = _count_by_tree(originals, released, own, m, context)
    else:
        nearer, as_near = _count_by_blocks(originals, released, own, context)
    return np.clip(m - nearer, 0, as_near) / np.maximum(as_near, 1)


def _count_by_tree(
    originals: NDArray[np.float64],
    released: NDArray[np.float64],
    own: NDArray[np.float64],
    m: int,
    context: Context,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    from scipy.spatial import cKDTree

    tree = cKDTree(originals)
    nearer = np.full(len(released), m, dtype=np.int64)
    as_near = np.ones(len(released), dtype=np.int64)
    block = 20_000
    with context.task("linking records", len(released)) as advance:
        for start in range(0, len(released), block):
            rows = np.arange(start, min(start + block, len(released)))
            found, _ = tree.query(released[rows], k=[min(m, len(originals))], workers=-1)
            reach = np.asarray(found)
            # Whose own record lies beyond the m-th nearest needs no counting: it is not linked.
            rows = rows[own[rows] <= reach[:, 0] * (1 + TIE) + TIE]
            if len(rows):
                low, high = own[rows] * (1 - TIE) - TIE, own[rows] * (1 + TIE) + TIE
                within = tree.query_ball_point(released[rows], high, return_length=True, workers=-1)
                nearer[rows] = tree.query_ball_point(
                    released[rows], low, return_length=True, workers=-1
                )
                as_near[rows] = within - nearer[rows]
            advance(min(block, len(released) - start))
    return nearer, as_near


def _count_by_blocks(
    originals: NDArray[np.float64],
    released: NDArray[np.float64],
    own: NDArray[np.float64],
    context: Context,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    nearer = np.empty(len(released), dtype=np.int64)
    as_near = np.empty(len(released), dtype=np.int64)
    norms = (originals**2).sum(axis=1)
    block = max(1, BLOCK_CELLS // max(len(originals), 1))
    with context.task("linking records", len(released)) as advance:
        for start in range(0, len(released), block):
            part = released[start : start + block]
            squared = (part**2).sum(axis=1)[:, None] + norms - 2 * part @ originals.T
            distances = np.sqrt(np.maximum(squared, 0))
            reach = own[start : start + block, None]
            # The expanded square loses digits where points nearly coincide.
            slack = reach * TIE + 1e-7
            nearer[start : start + block] = (distances < reach - slack).sum(axis=1)
            within = (distances <= reach + slack).sum(axis=1)
            as_near[start : start + block] = np.maximum(within - nearer[start : start + block], 1)
            advance(len(part))
    return nearer, as_near
