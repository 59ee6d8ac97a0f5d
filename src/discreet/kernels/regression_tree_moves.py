"""Moving the records of a node of a regression tree to the positions of its parts.

The records of a node are contiguous in the table, at places start … end − 1. After a cut each part
is contiguous too, in its previous order. Sorted columns move along and stay sorted, so nothing is
sorted twice, and the data of a small node lie close together.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled, inner
from discreet.kernels.regression_tree_cuts import PLACE, Entries

Moves = NDArray[np.int64]
"""By place: part · 2³² + the new place."""


@inner
def part_by_value(entries: Entries, below: int, moves: Moves) -> None:
    """Put the first records in the order of a numeric column into part 0, the others into 1."""
    for i in range(len(entries)):
        moves[entries[i] & PLACE] = 0 if i < below else 1


@inner
def part_by_code(
    codes: NDArray[np.int32], start: int, parts: NDArray[np.int64], moves: Moves
) -> None:
    """Put each record into the part of its category."""
    for i in range(len(codes)):
        moves[start + i] = parts[codes[i]]


@inner
def find_places(moves: Moves, start: int, end: int, ends: NDArray[np.int64]) -> None:
    """Replace the part of each record by part and new place; write where each part ends."""
    for part in range(len(ends)):
        ends[part] = 0
    for i in range(start, end):
        ends[moves[i]] += 1
    at = start
    for part in range(len(ends)):
        at, ends[part] = at + ends[part], at
    for i in range(start, end):
        part = moves[i]
        moves[i] = (part << 32) + ends[part]
        ends[part] += 1


@compiled
def move_entries(
    entries: Entries, start: int, end: int, moves: Moves, ends: NDArray[np.int64], spare: Entries
) -> None:
    """Move the records of a sorted column; each part stays sorted."""
    cursor = np.empty(len(ends), np.int64)
    cursor[0] = 0
    for part in range(1, len(ends)):
        cursor[part] = ends[part - 1] - start
    for i in range(start, end):
        entry = entries[i]
        move = moves[entry & PLACE]
        part = move >> 32
        spare[cursor[part]] = (entry - (entry & PLACE)) + (move & PLACE)
        cursor[part] += 1
    for i in range(start, end):
        entries[i] = spare[i - start]


@compiled
def move_codes(
    codes: NDArray[np.int32], start: int, end: int, moves: Moves, spare: NDArray[np.int32]
) -> None:
    """Move the records of a column of categories, or of row numbers."""
    for i in range(start, end):
        spare[(moves[i] & PLACE) - start] = codes[i]
    for i in range(start, end):
        codes[i] = spare[i - start]


@compiled
def move_responses(
    y: NDArray[np.float64], start: int, end: int, moves: Moves, spare: NDArray[np.float64]
) -> None:
    """Move the responses of the records."""
    for i in range(start, end):
        place = (moves[i] & PLACE) - start
        for j in range(y.shape[1]):
            spare[place, j] = y[i, j]
    for i in range(start, end):
        for j in range(y.shape[1]):
            y[i, j] = spare[i - start, j]
