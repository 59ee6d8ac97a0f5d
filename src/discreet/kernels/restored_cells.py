"""Suppressed cells that can be restored if a gap may stand for any value.

Two records are compatible if they agree in every column in which neither has a gap. Each record
needs k that are compatible with it, itself included. When a cell is restored, its record is no
longer compatible with those that have another value there; neither it nor any of them may be left
with fewer than k.

For every value of a column a set holds the records that have it or a gap, one bit each, so the
records compatible with one are found 64 at a time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled

Codes = NDArray[np.int32]
Gaps = NDArray[np.bool_]
Counts = NDArray[np.int64]
Sets = NDArray[np.uint64]


@compiled
def holders(codes: Codes, gaps: Gaps, first: Counts) -> Sets:
    """Return for every value the records that have it or a gap there, as bits.

    The values of column c are those from `first[c]` to before `first[c + 1]`.

    >>> holders(np.array([[0], [1], [1]], np.int32), np.array([[False], [False], [True]]),
    ...         np.array([0, 2]))
    array([[5],
           [6]], dtype=uint64)
    """
    rows, columns = codes.shape
    sets = np.zeros((first[columns], (rows + 63) // 64), np.uint64)
    for i in range(rows):
        word, bit = i >> 6, np.uint64(1) << np.uint64(i & 63)
        for c in range(columns):
            if not gaps[i, c]:
                sets[first[c] + codes[i, c], word] |= bit
            else:
                for v in range(first[c], first[c + 1]):
                    sets[v, word] |= bit
    return sets


@compiled
def compatible_with(
    i: int, codes: Codes, gaps: Gaps, first: Counts, sets: Sets, compatible: Counts
) -> int:
    """Write the records compatible with one into `compatible`, and return how many there are."""
    columns, words, rows = codes.shape[1], sets.shape[1], codes.shape[0]
    many = 0
    for word in range(words):
        both = ~np.uint64(0)
        for c in range(columns):
            if not gaps[i, c]:
                both &= sets[first[c] + codes[i, c], word]
        j = word << 6
        while both != np.uint64(0) and j < rows:
            if both & np.uint64(1):
                compatible[many] = j
                many += 1
            both >>= np.uint64(1)
            j += 1
    return many


@compiled
def compatible_counts(
    codes: Codes, gaps: Gaps, first: Counts, sets: Sets, weight: Counts
) -> Counts:
    """Return how many records are compatible with each, which stands for `weight` equal ones."""
    rows = codes.shape[0]
    compatible = np.empty(rows, np.int64)
    counts = np.zeros(rows, np.int64)
    for i in range(rows):
        for n in range(compatible_with(i, codes, gaps, first, sets, compatible)):
            counts[i] += weight[compatible[n]]
    return counts


@compiled
def restore(
    codes: Codes,
    gaps: Gaps,
    suppressed: Gaps,
    first: Counts,
    sets: Sets,
    weight: Counts,
    counts: Counts,
    order: Counts,
    dearest: Counts,
    k: int,
) -> None:
    """Restore all suppressed cells that can be restored, in place.

    `gaps` are all of them, `suppressed` those that may be restored; `sets` and `counts` are kept up
    to date. Records are visited in their `order`, their columns from the most expensive (`dearest`)
    on.
    """
    columns = codes.shape[1]
    compatible = np.empty(codes.shape[0], np.int64)
    for at in range(len(order)):
        i = order[at]
        many = compatible_with(i, codes, gaps, first, sets, compatible)
        for place in range(columns):
            c = dearest[place]
            if not suppressed[i, c]:
                continue
            lost = np.int64(0)
            allowed = True
            for n in range(many):
                j = compatible[n]
                if j != i and not gaps[j, c] and codes[j, c] != codes[i, c]:
                    lost += weight[j]
                    if counts[j] - weight[i] < k or counts[i] - lost < k:
                        allowed = False
                        break
            if not allowed:
                continue
            suppressed[i, c] = gaps[i, c] = False
            counts[i] -= lost
            kept = 0
            for n in range(many):
                j = compatible[n]
                if j != i and not gaps[j, c] and codes[j, c] != codes[i, c]:
                    counts[j] -= weight[i]
                else:
                    compatible[kept] = j
                    kept += 1
            many = kept
            word, bit = i >> 6, np.uint64(1) << np.uint64(i & 63)
            for v in range(first[c], first[c + 1]):
                if v != first[c] + codes[i, c]:
                    sets[v, word] &= ~bit
