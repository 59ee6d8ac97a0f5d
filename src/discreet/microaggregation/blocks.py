"""Blocks: a large file is cut along the data first, and each block is grouped separately.

Each cut goes across the direction in which the records vary most (their first principal
component), at the median, so that blocks are balanced and their records are neighbours. The price
is that records on the two sides of a cut cannot share a group; how much that costs is estimated
and stated, not hidden.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.threads import one_thread
from discreet.kernels.cores import stay_on_one_core
from discreet.microdata.embedding import INDICATOR

Points = NDArray[np.float64]
Labels = NDArray[np.int64]
Labelling = Callable[[Points], Labels]

PIECE = 65_536
GATHERED = 2**20
"""A part of up to this many records is copied to be cut; a larger one is gathered in pieces."""
HANDED_OVER = 1_000
"""The fewest records that one thread labels, if there are as many."""
SAMPLED_CUTS = 4
SAMPLED_RECORDS = 10_000


def cut_into_blocks(
    points: Points,
    most: int,
    k: int,
    nominal: int = 0,
    widths: NDArray[np.int64] | None = None,
) -> list[NDArray[np.int64]]:
    """Return the records of each block: at most `most` of them, and never fewer than k.

    A half is a multiple of k where that is possible: groups of exactly k then use it up. Records
    of equal value are divided in the order of the file, and each block has its records in that
    order. The last `nominal` columns are codes; `widths` says how many each has, by default as many
    as occur.

    >>> points = np.array([[0.0], [9.0], [1.0], [8.0], [2.0], [7.0]])
    >>> [block.tolist() for block in cut_into_blocks(points, 4, 2)]
    [[0, 2], [1, 3, 4, 5]]
    """
    most = largest_block(most, k)
    blocks, open_blocks = [], [np.arange(len(points))]
    widths = code_widths(points, nominal) if widths is None else widths
    while open_blocks:
        rows = open_blocks.pop()
        if len(rows) <= most:
            blocks.append(rows)
            continue
        pieces = _pieces(points, rows)
        direction = principal_direction(pieces, widths)
        place = np.concatenate([direction.places(piece) for piece in pieces()])
        half = lower_half(len(rows), k)
        lower = place < np.partition(place, half - 1)[half - 1]
        lower |= first_of_equal(place, lower, half)
        # The left half comes off the stack first: blocks are in the order of the tree, so that
        # neighbours in the list are halves of one cut wherever both are blocks.
        open_blocks += [rows[~lower], rows[lower]]
    return blocks


def _pieces(points: Points, rows: NDArray[np.int64]) -> Callable[[], Iterable[Points]]:
    """Return a function that yields some records in pieces; a few are gathered once."""
    starts = range(0, len(rows), PIECE)
    if len(rows) > GATHERED:
        return lambda: (points[rows[at : at + PIECE]] for at in starts)
    gathered = points[rows]
    return lambda: (gathered[at : at + PIECE] for at in starts)


def largest_block(most: int, k: int) -> int:
    """Return how many records a block may have: enough that its halves could be grouped."""
    return max(most, 2 * k - 1)


def lower_half(records: int, k: int) -> int:
    """Return how many records go to the lower half of a cut."""
    return max(records // 2 // k * k, k)


def first_of_equal(
    place: NDArray[np.float64], lower: NDArray[np.bool_], half: int
) -> NDArray[np.bool_]:
    """Return which of the records at the cut itself belong to the lower half: the first ones.

    `lower` are the records below the cut.

    >>> place = np.array([3.0, 1.0, 3.0, 3.0])
    >>> first_of_equal(place, place < 3, 2)
    array([ True, False, False, False])
    """
    at_cut = ~lower & (place == place[~lower].min())
    missing = half - int(lower.sum())
    return np.asarray(at_cut & (np.cumsum(at_cut) <= missing))


def code_widths(points: Points, nominal: int) -> NDArray[np.int64]:
    """Return how many codes each of the last `nominal` columns has."""
    codes = points[:, points.shape[1] - nominal :]
    return np.asarray(codes.max(axis=0, initial=-1).astype(np.int64) + 1)


@dataclass(frozen=True, eq=False)
class Direction:
    """The first principal component of some records, from their average."""

    centre: NDArray[np.float64]
    shares: NDArray[np.float64]
    widths: NDArray[np.int64]
    scatter: float
    """The sum of squares of all coordinates about the average."""

    def places(self, points: Points) -> NDArray[np.float64]:
        """Return the positions of records along it."""
        numeric = len(self.centre)
        place = np.zeros(len(points))
        for column, centre, share in zip(points.T, self.centre, self.shares, strict=False):
            place += share * (column - centre)
        starts = numeric + np.cumsum(self.widths) - self.widths
        for codes, start in zip(points.T[numeric:], starts, strict=True):
            place += INDICATOR * self.shares[start + codes.astype(np.int64)]
        return place


def principal_direction(
    pieces: Callable[[], Iterable[Points]], widths: NDArray[np.int64]
) -> Direction:
    """Return the first principal component of records that are read in pieces, twice.

    A large table is never copied whole. Sums are taken piece by piece in their order, and the
    direction is rounded, so that the blocks do not depend on how many threads a linear algebra
    library happens to use, nor on where the pieces come from. A nominal column means one coordinate
    per category, as many as `widths` says, which are never written out.
    """
    n, total = 0, 0.0
    for points in pieces():
        n += len(points)
        total = total + points[:, : points.shape[1] - len(widths)].sum(axis=0)
    centre = np.asarray(total / n)
    numeric = len(centre)
    scatter = np.zeros((numeric + int(widths.sum()),) * 2)
    for points in pieces():
        centred = points[:, :numeric] - centre
        codes = [column.astype(np.int64) for column in points.T[numeric:]]
        scatter[:numeric, :numeric] += np.einsum("ij,ik->jk", centred, centred)
        _add_categories(scatter, centred, codes, widths)
    if len(widths):
        # Categories a and b that n_ab records have together have ½ (n_ab − n_a n_b / n).
        counts = 2 * np.diagonal(scatter)[numeric:]
        scatter[numeric:, numeric:] -= 0.5 * np.outer(counts, counts) / n
    with one_thread():
        shares = np.linalg.eigh(scatter)[1][:, -1].round(6)
    shares *= np.sign(shares[np.argmax(np.abs(shares))]) or 1.0
    return Direction(centre, shares, widths, float(np.trace(scatter)))


def _add_categories(
    scatter: NDArray[np.float64],
    centred: Points,
    codes: list[NDArray[np.int64]],
    widths: NDArray[np.int64],
) -> None:
    """Add the products of coordinates and categories, and the counts of pairs of categories."""
    numeric = centred.shape[1]
    starts = numeric + np.cumsum(widths) - widths
    for m, (column_codes, start, width) in enumerate(zip(codes, starts, widths, strict=True)):
        place = slice(start, start + width)
        for j in range(numeric):
            sums = INDICATOR * np.bincount(column_codes, centred[:, j], width)
            scatter[j, place] += sums
            scatter[place, j] += sums
        for o in range(m + 1):
            other_place = slice(starts[o], starts[o] + widths[o])
            both = np.bincount(column_codes * widths[o] + codes[o], minlength=width * widths[o])
            together = 0.5 * both.reshape(width, widths[o])
            scatter[place, other_place] += together
            if o < m:
                scatter[other_place, place] += together.T


def label_blocks(
    points: Points, blocks: list[slice], label: Labelling, done: Callable[[float], None]
) -> Labels:
    """Label each block separately, on all cores, and number the groups consecutively.

    The points are ordered block by block, so that no block has to be copied.
    """
    labels = np.empty(len(points), dtype=np.int64)
    before = 0

    def labels_of(run: list[slice]) -> list[Labels]:
        return [label(points[rows]) for rows in run]

    runs = list(_runs(blocks))
    with ThreadPoolExecutor(os.cpu_count(), initializer=stay_on_one_core) as threads:
        for run, of_run in zip(runs, threads.map(labels_of, runs), strict=True):
            for rows, block_labels in zip(run, of_run, strict=True):
                labels[rows] = block_labels + before
                before += int(block_labels.max(initial=-1)) + 1
            done(run[-1].stop - run[0].start)
    return labels


def _runs(blocks: list[slice]) -> Iterator[list[slice]]:
    """Yield blocks that one thread labels in turn: handing over takes longer than a small one."""
    run: list[slice] = []
    for rows in blocks:
        run.append(rows)
        if rows.stop - run[0].start >= HANDED_OVER:
            yield run
            run = []
    if run:
        yield run


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
    what the cut between them costs, times the number of cuts between the whole file and a block, is
    the estimate. Below zero the cuts did no harm. Thinning makes the share of records beside a cut
    larger, so the estimate errs on the high side.
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
