"""How many originals lie nearer to a released point than its own, by comparing with all of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled


@compiled
def count_nearer(
    originals: NDArray[np.float64],
    released: NDArray[np.float64],
    original_codes: NDArray[np.int32],
    released_codes: NDArray[np.int32],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    enough: int,
    nearer: NDArray[np.int64],
    as_near: NDArray[np.int64],
) -> None:
    """Count, per released point, originals below `low` and from `low` to `high` squared distance.

    The squared distance is that of the coordinates, and 1 for every code that differs.
    A point stops counting at `enough` nearer ones: it is not linked then, however many more there
    are. A distance stops growing once it is beyond `high`. Both leave most of the work undone.
    """
    dimensions = originals.shape[1]
    for i in range(released.shape[0]):
        below, between = 0, 0
        for j in range(originals.shape[0]):
            squared = 0.0
            for c in range(original_codes.shape[1]):
                if released_codes[i, c] != original_codes[j, c]:
                    squared += 1.0
                    if squared > high[i]:
                        break
            if squared > high[i]:
                continue
            for c in range(dimensions):
                gap = released[i, c] - originals[j, c]
                squared += gap * gap
                if squared > high[i]:
                    break
            if squared < low[i]:
                below += 1
                if below >= enough:
                    break
            elif squared <= high[i]:
                between += 1
        nearer[i] = below
        as_near[i] = between
