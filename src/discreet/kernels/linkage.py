"""How many originals are nearer to a released record than its own, by comparing them all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled
from discreet.kernels.sets import allows


@compiled
def count_nearer(
    originals: NDArray[np.float64],
    times: NDArray[np.int64],
    least: NDArray[np.float64],
    most: NDArray[np.float64],
    original_codes: NDArray[np.int32],
    released_codes: NDArray[np.int32],
    starts: NDArray[np.int64],
    members: NDArray[np.int32],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    enough: int,
    nearer: NDArray[np.int64],
    as_near: NDArray[np.int64],
) -> None:
    """Count, per released box, originals below `low` and from `low` to `high` squared distance.

    A released record lies between `least` and `most` in each coordinate, and its codes may stand
    for sets (`kernels.sets`). The squared distance is that of the coordinates to the box, plus 1
    for every code that is not allowed. An original counts as often as `times` says.

    A box stops counting at `enough` nearer ones: it is then not linked, however many more there
    are. A distance stops growing once it is beyond `high`. Both save most of the work.
    """
    dimensions = originals.shape[1]
    for i in range(least.shape[0]):
        below, between = 0, 0
        for j in range(originals.shape[0]):
            squared = 0.0
            for c in range(original_codes.shape[1]):
                if not allows(released_codes[i, c], original_codes[j, c], starts, members):
                    squared += 1.0
                    if squared > high[i]:
                        break
            if squared > high[i]:
                continue
            for c in range(dimensions):
                value = originals[j, c]
                gap = max(least[i, c] - value, value - most[i, c], 0.0)
                squared += gap * gap
                if squared > high[i]:
                    break
            if squared < low[i]:
                below += times[j]
                if below >= enough:
                    below = enough
                    break
            elif squared <= high[i]:
                between += times[j]
        nearer[i] = below
        as_near[i] = between
