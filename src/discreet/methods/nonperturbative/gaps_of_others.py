"""Suppressed cells that can be restored because the gaps of other records match any value too."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import MISSING_CODE

Cells = NDArray[np.bool_]

BITS = 2_000_000_000
"""The most values times records that fit in memory, at one bit each."""
WORK = 100_000_000_000
"""The most pairs of records times columns that are compared, 64 at a time: some seconds."""


def restored(codes: NDArray[np.int32], cells: Cells, cost: NDArray[np.float64], k: int) -> Cells:
    """Return the suppressed cells that are left when no more of them can be restored.

    `codes` are the records before suppression, −1 where a value is missing. Every record keeps k
    that agree with it wherever neither has a gap. Records with the most suppressed cells, and the
    most expensive columns, come first. Files that would take long are left as they are.

    >>> codes = np.array([[0, 0], [0, 1], [1, 0]], dtype=np.int32)
    >>> int(restored(codes, np.ones((3, 2), dtype=bool), np.ones(2), 2).sum())
    2
    """
    rows, weight = _different(codes, cells)
    codes, left = codes[rows], cells[rows]
    first = np.concatenate([[0], np.cumsum(codes.max(axis=0, initial=MISSING_CODE) + 1)])
    affordable = first[-1] * len(rows) <= BITS and len(rows) ** 2 * codes.shape[1] <= WORK
    if not left.any() or not affordable:
        return cells
    from discreet.kernels.restored_cells import compatible_counts, holders, restore

    gaps = left | (codes == MISSING_CODE)
    sets = holders(codes, gaps, first)
    counts = compatible_counts(codes, gaps, first, sets, weight)
    treated = np.flatnonzero(left.any(axis=1))
    order = treated[np.argsort(-left[treated].sum(axis=1), kind="stable")]
    dearest = np.lexsort((np.diff(first), -cost))
    restore(codes, gaps, left, first, sets, weight, counts, order, dearest, k)
    kept = np.zeros_like(cells)
    kept[rows] = left
    return kept


def _different(
    codes: NDArray[np.int32], cells: Cells
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return each record with suppressed cells, one of each kind without any, and their numbers."""
    whole = np.flatnonzero(~cells.any(axis=1))
    _, places, counts = np.unique(codes[whole], axis=0, return_index=True, return_counts=True)
    treated = np.flatnonzero(cells.any(axis=1))
    rows = np.concatenate([treated, whole[places]])
    return rows, np.concatenate([np.ones(len(treated), dtype=np.int64), counts])
