"""How much of its own group is among the nearest originals of a released point."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled


@compiled
def _squared(
    point: NDArray[np.float64],
    codes: NDArray[np.int32],
    original: NDArray[np.float64],
    original_codes: NDArray[np.int32],
    limit: float,
) -> float:
    """Return the squared distance, or some number above the limit if it is above."""
    squared = 0.0
    for c in range(len(codes)):
        if codes[c] != original_codes[c]:
            squared += 1.0
    for c in range(len(point)):
        if squared > limit:
            break
        gap = point[c] - original[c]
        squared += gap * gap
    return squared


@compiled
def count_group_nearest(
    originals: NDArray[np.float64],
    released: NDArray[np.float64],
    original_codes: NDArray[np.int32],
    released_codes: NDArray[np.int32],
    labels: NDArray[np.int64],
    own: NDArray[np.int64],
    m: int,
    tie: float,
    slack: float,
    linked: NDArray[np.float64],
) -> None:
    """Fill, per released point, the number of originals of its group among the m nearest.

    The squared distance is that of the coordinates, and 1 for every code that differs. Distances
    within a share `tie`, or within `slack`, of that of the m-th nearest are equal to it; each of
    so many counts the probability of being drawn.
    """
    nearest = np.empty(m)
    for i in range(len(released)):
        nearest[:] = np.inf
        for j in range(len(originals)):
            squared = _squared(
                released[i], released_codes[i], originals[j], original_codes[j], nearest[m - 1]
            )
            if squared < nearest[m - 1]:
                at = m - 1
                while at > 0 and nearest[at - 1] > squared:
                    nearest[at] = nearest[at - 1]
                    at -= 1
                nearest[at] = squared
        # With fewer than m originals all of them are among the nearest.
        last = math.sqrt(nearest[m - 1])
        width = tie * last + slack if last < np.inf else 0.0
        low, high = max(last - width, 0.0) ** 2, (last + width) ** 2
        nearer, tied, own_nearer, own_tied = 0, 0, 0, 0
        for j in range(len(originals)):
            squared = _squared(
                released[i], released_codes[i], originals[j], original_codes[j], high
            )
            if squared > high:
                continue
            mine = 1 if labels[j] == own[i] else 0
            if squared < low:
                nearer += 1
                own_nearer += mine
            else:
                tied += 1
                own_tied += mine
        drawn = min(max(m - nearer, 0) / tied, 1.0) if tied else 0.0
        linked[i] = own_nearer + drawn * own_tied
