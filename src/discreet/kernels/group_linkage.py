"""How much of its group is among the nearest originals of a released point."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled, inner
from discreet.kernels.sets import allows


@inner
def _squared(
    least: NDArray[np.float64],
    most: NDArray[np.float64],
    released_codes: NDArray[np.int32],
    i: int,
    starts: NDArray[np.int64],
    members: NDArray[np.int32],
    originals: NDArray[np.float64],
    original_codes: NDArray[np.int32],
    j: int,
    limit: float,
) -> float:
    """Return the squared distance of box i from original j, or some number above the limit.

    The latter if it exceeds the limit. Rows of the tables would take longer to hand over than to
    compare.
    """
    squared = 0.0
    for c in range(released_codes.shape[1]):
        if not allows(released_codes[i, c], original_codes[j, c], starts, members):
            squared += 1.0
    for c in range(least.shape[1]):
        if squared > limit:
            break
        gap = max(least[i, c] - originals[j, c], originals[j, c] - most[i, c], 0.0)
        squared += gap * gap
    return squared


@compiled
def count_group_nearest(
    originals: NDArray[np.float64],
    least: NDArray[np.float64],
    most: NDArray[np.float64],
    original_codes: NDArray[np.int32],
    released_codes: NDArray[np.int32],
    starts: NDArray[np.int64],
    members: NDArray[np.int32],
    labels: NDArray[np.int64],
    group_of_release: NDArray[np.int64],
    m: int,
    tie: float,
    slack: float,
    linked: NDArray[np.float64],
) -> None:
    """Fill, per released box, the number of originals of its group among the m nearest.

    The squared distance is that of `kernels.linkage.count_nearer`. Distances
    within a share `tie`, or within `slack`, of that of the m-th nearest are equal to it; each of
    these counts with the probability of being drawn.
    """
    nearest = np.empty(m)
    for i in range(len(least)):
        nearest[:] = np.inf
        for j in range(len(originals)):
            squared = _squared(
                least, most, released_codes, i, starts, members,
                originals, original_codes, j, nearest[m - 1],
            )  # fmt: skip
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
        nearer, tied, group_nearer, group_tied = 0, 0, 0, 0
        for j in range(len(originals)):
            squared = _squared(
                least, most, released_codes, i, starts, members,
                originals, original_codes, j, high,
            )  # fmt: skip
            if squared > high:
                continue
            in_group = 1 if labels[j] == group_of_release[i] else 0
            if squared < low:
                nearer += 1
                group_nearer += in_group
            else:
                tied += 1
                group_tied += in_group
        drawn = min(max(m - nearer, 0) / tied, 1.0) if tied else 0.0
        linked[i] = group_nearer + drawn * group_tied
