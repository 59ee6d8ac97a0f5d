"""Blocks: a large file is cut along the data first, and each block is grouped separately.

Each cut goes across the direction in which the records vary most (their first principal
component), at the median, so that blocks are balanced and their records are neighbours. The price
is that records on the two sides of a cut cannot share a group; how much that costs is estimated
and stated, not hidden.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from discreet.microdata.embedding import INDICATOR

Points = NDArray[np.float64]
Labels = NDArray[np.int64]
Labelling = Callable[[Points], Labels]

PIECE = 65_536
SAMPLED_CUTS = 4
SAMPLED_RECORDS = 10_000


def cut_into_blocks(points: Points, most: int, k: int, nominal: int = 0) -> list[NDArray[np.int64]]:
    """Return the records of each block: at most `most` of them, and never fewer than k.

    A half is a multiple of k where that is possible: groups of exactly k then use it up. Records
    of equal value are divided in the order of the file. The last `nominal` columns are codes.

    >>> points = np.array([[0.0], [9.0], [1.0], [8.0], [2.0], [7.0]])
    >>> [block.tolist() for block in cut_into_blocks(points, 4, 2)]
    [[0, 2], [4, 5, 3, 1]]
    """
    most = max(most, 2 * k - 1)
    blocks, open_blocks = [], [np.arange(len(points))]
    codes = points[:, points.shape[1] - nominal :]
    widths = codes.max(axis=0, initial=-1).astype(np.int64) + 1
    while open_blocks:
        rows = open_blocks.pop()
        if len(rows) <= most:
            blocks.append(rows)
            continue
        half = max(len(rows) // 2 // k * k, k)
        order = np.argsort(_along_principal_direction(points, rows, widths), kind="stable")
        # The left half comes off the stack first: blocks are in the order of the tree, so that
        # neighbours in the list are halves of one cut wherever both are blocks.
        open_blocks += [rows[order[half:]], rows[order[:half]]]
    return blocks


def _along_principal_direction(
    points: Points, rows: NDArray[np.int64], widths: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the place of some of the records on their first principal component.

    They are read in pieces, so that a large table is never copied whole. Sums are taken in
    a fixed order, and the direction is rounded, so that the blocks do not depend on how many
    threads a linear algebra library happens to use. A nominal column means one coordinate per
    category, as many as `widths` says, which are never written out.
    """
    numeric = points.shape[1] - len(widths)
    pieces = [slice(at, at + PIECE) for at in range(0, len(rows), PIECE)]
    centre = sum(points[rows[piece], :numeric].sum(axis=0) for piece in pieces) / len(rows)
    covariance = np.zeros((numeric, numeric))
    for piece in pieces:
        centred = points[rows[piece], :numeric] - centre
        covariance += np.einsum("ij,ik->jk", centred, centred)
    codes = [points[rows, numeric + m].astype(np.int64) for m in range(len(widths))]
    if codes:
        covariance = _with_categories(covariance, points[rows, :numeric] - centre, codes, widths)
    direction = np.linalg.eigh(covariance)[1][:, -1].round(6)
    direction *= np.sign(direction[np.argmax(np.abs(direction))]) or 1.0
    place = np.zeros(len(rows))
    for piece in pieces:
        centred = points[rows[piece], :numeric] - centre
        for column, share in zip(centred.T, direction[:numeric], strict=True):
            place[piece] += share * column
    for column_codes, start in zip(codes, numeric + np.cumsum(widths) - widths, strict=True):
        place += INDICATOR * direction[start + column_codes]
    return place


def _with_categories(
    covariance: NDArray[np.float64],
    centred: Points,
    codes: list[NDArray[np.int64]],
    widths: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return the sums of products of the coordinates and of those of the categories.

    Categories a and b that n_ab records have together have ½ (n_ab − n_a n_b / n).
    """
    n, numeric = centred.shape
    whole = np.zeros((numeric + int(widths.sum()),) * 2)
    whole[:numeric, :numeric] = covariance
    starts = numeric + np.cumsum(widths) - widths
    counts = [
        np.bincount(column_codes, minlength=width)
        for column_codes, width in zip(codes, widths, strict=True)
    ]
    for m, (column_codes, start, width) in enumerate(zip(codes, starts, widths, strict=True)):
        here = slice(start, start + width)
        for j in range(numeric):
            whole[j, here] = INDICATOR * np.bincount(column_codes, centred[:, j], width)
            whole[here, j] = whole[j, here]
        for o in range(m + 1):
            there = slice(starts[o], starts[o] + widths[o])
            both = np.bincount(column_codes * widths[o] + codes[o], minlength=width * widths[o])
            expected = np.outer(counts[m], counts[o]) / n
            whole[here, there] = 0.5 * (both.reshape(width, widths[o]) - expected)
            whole[there, here] = whole[here, there].T
    return whole


def label_blocks(
    points: Points, blocks: list[slice], label: Labelling, done: Callable[[float], None]
) -> Labels:
    """Label each block separately, on all cores, and number the groups consecutively.

    The points are ordered block by block, so that no block has to be copied.
    """
    labels = np.empty(len(points), dtype=np.int64)
    before = 0
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for rows, block_labels in zip(
            blocks, threads.map(lambda rows: label(points[rows]), blocks), strict=True
        ):
            labels[rows] = block_labels + before
            before += int(block_labels.max(initial=-1)) + 1
            done(len(block_labels))
    return labels


def stretches(blocks: list[NDArray[np.int64]]) -> list[slice]:
    """Return where each block lies once the records are ordered block by block.

    >>> stretches([np.array([0, 2]), np.array([1, 3, 4])])
    [slice(0, 2, None), slice(2, 5, None)]
    """
    ends = np.cumsum([len(rows) for rows in blocks]).tolist()
    return [slice(end - len(rows), end) for end, rows in zip(ends, blocks, strict=True)]


def loss_through_cuts(
    points: Points, blocks: list[slice], label: Labelling, nominal: int = 0
) -> float:
    """Return an estimate of how much larger the sum of squares is than without any cut.

    Some pairs of neighbouring blocks, thinned if they are large, are grouped apart and together;
    what the cut between them costs, times the number of cuts between the whole file and a block,
    is the estimate. Below zero the cuts did no harm. Thinning makes the share of records beside a
    cut larger, so the estimate errs to the high side.
    """
    if len(blocks) < 2:
        return 0.0
    at = np.linspace(0, len(blocks) - 2, min(SAMPLED_CUTS, len(blocks) - 1)).astype(int)
    apart = together = 0.0
    for i in np.unique(at):
        left, right = (_thinned(points[blocks[j]]) for j in (i, i + 1))
        apart += sum(within_groups(part, label(part), nominal) for part in (left, right))
        both = np.concatenate([left, right])
        together += within_groups(both, label(both), nominal)
    if together == 0:
        return 0.0
    return float((apart / together - 1) * np.log2(len(blocks)))


def _thinned(block: Points) -> Points:
    """Return evenly spaced records of a block, enough to see what a cut costs."""
    step = max(1, len(block) // SAMPLED_RECORDS)
    return np.ascontiguousarray(block[::step][:SAMPLED_RECORDS]) if step > 1 else block


def within_groups(points: Points, labels: Labels, nominal: int = 0) -> float:
    """Return the within-group sum of squares (SSE of the survey, §2).

    The last `nominal` columns are codes: n records with shares f have ½ n (1 − Σ f²).

    >>> within_groups(np.array([[0.0], [2.0], [20.0], [22.0]]), np.array([7, 7, 9, 9]))
    4.0
    >>> within_groups(np.array([[0.0], [1.0], [5.0], [5.0]]), np.array([7, 7, 9, 9]), nominal=1)
    0.5
    """
    _, groups = np.unique(labels, return_inverse=True)
    sizes = np.bincount(groups)
    total = 0.0
    numeric = points.shape[1] - nominal
    for column in points[:, :numeric].T:
        means = np.bincount(groups, weights=column) / sizes
        total += float(((column - means[groups]) ** 2).sum())
    for codes in points[:, numeric:].T.astype(np.int64):
        width = int(codes.max(initial=0)) + 1
        pairs, counts = np.unique(groups * width + codes, return_counts=True)
        total += 0.5 * float(len(codes) - (counts**2 / sizes[pairs // width]).sum())
    return total
