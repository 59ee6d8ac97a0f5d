"""Classes of records at a node of the recoding lattice.

Every record is a column of label numbers, one row per attribute and level. A node chooses a row
per attribute; records that agree in all of them are one class.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled

LARGEST = 2**62
"""Keys stay below this, so that they fit into 64 bits."""

_MIX = np.uint64(0x9E3779B97F4A7C15)


@compiled
def keys_of(
    table: NDArray[np.int32], chosen: NDArray[np.int64], counts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return a number per record that encodes its labels, `counts` being the digits' bases.

    >>> keys_of(np.array([[0, 1, 1], [2, 2, 0]], np.int32), np.array([0, 1]), np.array([2, 3]))
    array([2, 5, 3])
    """
    keys = np.zeros(table.shape[1], np.int64)
    for j in range(len(chosen)):
        row, base = table[chosen[j]], counts[j]
        for r in range(len(keys)):
            keys[r] = keys[r] * base + row[r]
    return keys


@compiled
def classes_of(
    keys: NDArray[np.int64], space: int, weight: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the class of each record, numbered as they appear, and the weight of each class.

    Keys are from 0 to `space` − 1. If these are few, a table of all of them is used, otherwise a
    hash table with linear probing.

    >>> classes_of(np.array([7, 3, 7]), 10, np.array([1, 1, 4]))
    (array([0, 1, 0], dtype=int32), array([5, 1]))
    """
    rows = len(keys)
    labels = np.empty(rows, np.int32)
    sizes = np.zeros(rows, np.int64)
    count = 0
    if space <= 4 * rows + 1024:
        place = np.full(space, -1, np.int32)
        for r in range(rows):
            at = place[keys[r]]
            if at < 0:
                at = np.int32(count)
                place[keys[r]] = at
                count += 1
            labels[r] = at
            sizes[at] += weight[r]
        return labels, sizes[:count].copy()
    bits = 4
    while (1 << bits) < 2 * rows:
        bits += 1
    slots = np.full(1 << bits, -1, np.int32)
    first = np.empty(rows, np.int64)
    mask = (1 << bits) - 1
    for r in range(rows):
        key = keys[r]
        spot = np.int64((np.uint64(key) * _MIX) >> np.uint64(64 - bits))
        while slots[spot] >= 0 and first[slots[spot]] != key:
            spot = (spot + 1) & mask
        at = slots[spot]
        if at < 0:
            at = np.int32(count)
            slots[spot] = at
            first[at] = key
            count += 1
        labels[r] = at
        sizes[at] += weight[r]
    return labels, sizes[:count].copy()


@compiled
def joined_classes(
    table: NDArray[np.int32],
    chosen: NDArray[np.int64],
    counts: NDArray[np.int64],
    members: NDArray[np.int64],
    weight: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a member of each class formed by joining others, and the weight of each class.

    `members` are records that represent the classes to be joined, `weight` the weights of these.
    The product of `counts` must fit into a key.

    >>> joined_classes(np.array([[0, 1, 1, 0]], np.int32), np.array([0]), np.array([2]),
    ...                np.array([1, 2, 3]), np.array([5, 1, 4]))
    (array([1, 3]), array([6, 4]))
    """
    keys = np.zeros(len(members), np.int64)
    space = 1
    for j in range(len(chosen)):
        row, base = table[chosen[j]], counts[j]
        space *= base
        for i in range(len(keys)):
            keys[i] = keys[i] * base + row[members[i]]
    labels, sizes = classes_of(keys, space, weight)
    first = np.empty(len(sizes), np.int64)
    seen = 0
    for i in range(len(labels)):
        if labels[i] == seen:
            first[seen] = members[i]
            seen += 1
    return first, sizes


def numbered_rows(
    table: NDArray[np.int32],
    chosen: NDArray[np.int64],
    counts: NDArray[np.int64],
    weight: NDArray[np.int64],
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Number the records by their labels in the chosen rows, and add up the weight of each number.

    As many rows at a time as fit into one key.

    >>> labels = np.array([[0, 1, 0], [2, 2, 2]], np.int32)
    >>> numbered_rows(labels, np.array([0, 1]), np.array([2, 3]), np.ones(3, np.int64))
    (array([0, 1, 0], dtype=int32), array([2, 1]))
    """
    numbers = np.zeros(table.shape[1], dtype=np.int32)
    count, start, space = min(1, table.shape[1]), 0, 1
    sizes = np.array([weight.sum()] * count, dtype=np.int64)
    for end in range(1, len(chosen) + 1):
        space *= max(1, int(counts[end - 1]))
        if end < len(chosen) and space * count * max(1, int(counts[end])) <= LARGEST:
            continue
        keys = keys_of(table, chosen[start:end], counts[start:end])
        keys += numbers.astype(np.int64) * space
        numbers, sizes = classes_of(keys, space * max(1, count), weight)
        start, space, count = end, 1, len(sizes)
    return numbers, sizes
