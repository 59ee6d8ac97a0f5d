"""Suppressed cells that can be restored while every choice of some columns stays k-anonymous."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import MISSING_CODE

Choice = tuple[int, ...]
Label = tuple[int, ...]


def given_back(
    codes: NDArray[np.int64],
    cells: NDArray[np.bool_],
    choices: Sequence[Choice],
    k: int,
    cost: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Return the suppressed cells that are left when no more of them can be restored.

    `codes` are the records before suppression, a gap is a category of its own, and each of the
    `choices` of columns is k-anonymous and stays so. Cells of the most expensive column come first:
    those of all records that look alike now and still would afterwards, then those of single
    records.

    >>> codes = np.array([[0, 0], [0, 0], [0, 1], [0, 1]])
    >>> cells = np.array([[True, False]] * 4)
    >>> bool(given_back(codes, cells, [(0,), (1,)], 2, np.ones(2)).any())
    False
    """
    cells = cells.copy()
    now = np.where(cells, MISSING_CODE, codes)
    sizes = {choice: Counter(map(tuple, now[:, choice].tolist())) for choice in choices}

    def give(rows: Sequence[int], column: int) -> bool:
        """Give the cells of these rows back if that leaves no class with fewer than k records."""
        changes: dict[Choice, Counter[Label]] = {}
        for choice in (c for c in choices if column in c):
            at = choice.index(column)
            change: Counter[Label] = Counter()
            for row in rows:
                label = tuple(now[row, choice].tolist())
                change[label] -= 1
                change[(*label[:at], int(codes[row, column]), *label[at + 1 :])] += 1
            if any(0 < sizes[choice][label] + n < k for label, n in change.items()):
                return False
            changes[choice] = change
        for choice, change in changes.items():
            for label, n in change.items():
                sizes[choice][label] += n
        cells[rows, column] = False
        now[rows, column] = codes[rows, column]
        return True

    given = True
    while given:
        given = False
        for column in np.argsort(-cost, kind="stable").tolist():
            alike: dict[Label, list[int]] = {}
            for row in np.flatnonzero(cells[:, column]).tolist():
                label = (*now[row].tolist(), int(codes[row, column]))
                alike.setdefault(label, []).append(row)
            for rows in alike.values():
                if give(rows, column):
                    given = True
                elif len(rows) > 1:
                    for row in rows:
                        given |= give([row], column)
    return cells
