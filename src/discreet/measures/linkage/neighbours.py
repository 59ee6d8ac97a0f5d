"""Nearest neighbours without an n × n matrix: what record linkage is made of.

Linkage asks less than a search for the nearest original: only whether enough originals are nearer
than a record's own, and how many are as near. Both ways of counting stop as soon as they know.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.measures.linkage.sets import Boxes, Codes, CodeSets
from discreet.microdata import Numbers

TREE_DIMENSIONS = 64
"""Above this the boxes of a tree tell little, and comparing with all originals takes less room."""
BLOCK = 2_000
TIE = 1e-9
"""Distances that differ by less than this share are equal: the mean of two records is as far
from the one as from the other, whatever the last bit says."""

Counts = tuple[NDArray[np.int64], NDArray[np.int64]]


def own_among_nearest(
    originals: Numbers,
    released: Numbers | Boxes,
    origin: NDArray[np.int64],
    m: int,
    context: Context,
    codes: tuple[Codes, CodeSets] | None = None,
    alike: NDArray[np.int64] | None = None,
) -> Numbers:
    """Return for each released record the chance that its own original is among the m nearest.

    An intruder who finds several originals at the same distance picks among them at random: with
    `a` originals strictly nearer than the own one and `t` as near as it (itself included), the
    own one is among the first m with probability min(max(m − a, 0), t) / t.

    `codes` are nominal columns of the originals and of the released records, each of which adds 1
    to a squared distance where it differs; so a column of a thousand categories is one column.
    `alike` numbers the released records so that equal ones have one number: those that allow their
    own original are counted once.

    >>> points = np.array([[0.0], [1.0], [5.0]])
    >>> masked = np.array([[0.5], [0.5], [5.2]])
    >>> own_among_nearest(points, masked, np.arange(3), 1, Context())
    array([0.5, 0.5, 1. ])
    """
    if not len(released):
        return np.zeros(0)
    boxes = released if isinstance(released, Boxes) else Boxes.points(released)
    squared = boxes.squared_to(originals[origin])
    if codes is not None:
        squared += codes[1].refuse(codes[0][origin])
    rows, stands_for = _once(squared, alike)
    own = np.sqrt(squared[rows])
    # A distance is no more exact than the coordinates that it is the difference of.
    slack = TIE * own + 8 * np.finfo(np.float64).eps * np.abs(originals).max(initial=0)
    low, high = np.maximum(own - slack, 0) ** 2, (own + slack) ** 2
    boxes = boxes.take(rows)
    if codes is None and originals.shape[1] <= TREE_DIMENSIONS:
        nearer, as_near = _by_tree(originals, boxes, origin[rows], low, high, m, context)
    else:
        sets = None if codes is None else (codes[0], codes[1].take(rows))
        nearer, as_near = _by_comparison(originals, boxes, sets, low, high, m, context)
    chances = np.clip(m - nearer, 0, as_near) / np.maximum(as_near, 1)
    return np.asarray(chances[stands_for])


def _once(
    squared: Numbers, alike: NDArray[np.int64] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the records to be counted, and for each record which of them stands for it.

    A thousand records with the same labels would otherwise count the same thousand originals.
    """
    everyone = np.arange(len(squared))
    if alike is None:
        return everyone, everyone
    # Records that are away from their own original are counted one by one.
    keys = np.where(squared == 0, alike, alike.max() + 1 + everyone)
    _, rows, stands_for = np.unique(keys, return_index=True, return_inverse=True)
    return rows, stands_for


def _by_tree(
    originals: Numbers,
    boxes: Boxes,
    origin: NDArray[np.int64],
    low: Numbers,
    high: Numbers,
    m: int,
    context: Context,
) -> Counts:
    from discreet.kernels.kdtree import build
    from discreet.kernels.nearer import count_nearer_by_tree, for_thread

    originals = np.ascontiguousarray(originals)
    least, most = np.ascontiguousarray(boxes.least), np.ascontiguousarray(boxes.most)
    tree = build(originals, np.arange(len(originals)), originals.mean(axis=0))
    nearer = np.zeros(len(boxes), dtype=np.int64)
    as_near = np.zeros(len(boxes), dtype=np.int64)
    # In the order of the tree, so that one search finds in the cache what the last one needed.
    order = np.argsort(tree.place[origin], kind="stable")

    def block(start: int) -> int:
        rows = order[start : start + BLOCK]
        count_nearer_by_tree(for_thread(tree), least, most, rows, low, high, m, nearer, as_near)
        return len(rows)

    in_blocks(block, len(boxes), context)
    return nearer, as_near


def _by_comparison(
    originals: Numbers,
    boxes: Boxes,
    codes: tuple[Codes, CodeSets] | None,
    low: Numbers,
    high: Numbers,
    m: int,
    context: Context,
) -> Counts:
    from discreet.kernels.linkage import count_nearer

    nearer = np.zeros(len(boxes), dtype=np.int64)
    as_near = np.zeros(len(boxes), dtype=np.int64)
    # Columns that vary most come first, so that a far original is given up after few of them.
    order = np.argsort(-originals.var(axis=0), kind="stable")
    originals = np.ascontiguousarray(originals[:, order])
    least = np.ascontiguousarray(boxes.least[:, order])
    most = least if boxes.plain else np.ascontiguousarray(boxes.most[:, order])
    if codes is None:
        none = np.zeros((len(boxes), 0), np.int32)
        codes = np.zeros((len(originals), 0), np.int32), CodeSets.single(none)
    before, after = codes

    def block(start: int) -> int:
        part = slice(start, start + BLOCK)
        count_nearer(
            originals,
            least[part],
            most[part],
            before,
            after.codes[part],
            after.starts,
            after.members,
            low[part],
            high[part],
            m,
            nearer[part],
            as_near[part],
        )
        return len(least[part])

    in_blocks(block, len(boxes), context)
    return nearer, as_near


def in_blocks(work: Callable[[int], int], rows: int, context: Context) -> None:
    """Do the work for the blocks that start at each BLOCK-th row, on all cores.

    `work` gets the first row of a block, and returns how many rows it did.

    >>> done = []
    >>> in_blocks(lambda start: done.append(start) or 1, 5000, Context())
    >>> sorted(done)
    [0, 2000, 4000]
    """
    with (
        context.task("linking records", rows) as advance,
        ThreadPoolExecutor(os.cpu_count()) as threads,
    ):
        for done in threads.map(work, range(0, rows, BLOCK)):
            advance(done)
