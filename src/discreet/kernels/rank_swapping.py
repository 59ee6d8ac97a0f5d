"""Rank swapping of sorted values: each is exchanged once, with one at most `window` ranks away.

From the lowest rank up, each value that has not been exchanged yet is exchanged with one drawn at
random from those of the next `window` ranks that have not been exchanged either. Places of the
window are drawn until a free one is met. In the long run ln 2 / ½ ≈ 1.4 draws find one, whatever
the window: if the next rank is free with probability e^(−c), a share (1 − e^(−c))/c of the window
is, and each step takes one of them, so that e^(−c) = ½. A window with few free places is searched
from end to end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled

TRIES = 32
PIECE = 1_000_000
"""How many random numbers are drawn at a time."""


@compiled
def _exchange(
    starts: NDArray[np.int64],
    windows: NDArray[np.int64],
    draws: NDArray[np.float64],
    partner: NDArray[np.int64],
) -> None:
    """Fill in `partner`, which is −1 for every rank at first, stretch by stretch."""
    at = 0
    ranks = len(partner)
    for stretch in range(len(windows)):
        stop = starts[stretch + 1]
        window = windows[stretch]
        for rank in range(starts[stretch], stop):
            if partner[rank] >= 0:
                continue
            width = min(window, stop - 1 - rank)
            other = -1
            # One draw is reserved for every later exchange, so that they never run out.
            spare = len(draws) - at - (ranks - rank) // 2 - 1
            for _ in range(min(TRIES, spare)):
                if width == 0:
                    break
                place = rank + 1 + int(draws[at] * width)
                at += 1
                if partner[place] < 0:
                    other = place
                    break
            if other < 0:
                free = 0
                for place in range(rank + 1, rank + 1 + width):
                    free += partner[place] < 0
                if free > 0:
                    left = int(draws[at] * free)
                    at += 1
                    for place in range(rank + 1, rank + 1 + width):
                        if partner[place] < 0:
                            if left == 0:
                                other = place
                                break
                            left -= 1
            if other < 0:
                partner[rank] = rank
            else:
                partner[rank], partner[other] = other, rank


def swap_partners(
    starts: NDArray[np.int64],
    windows: NDArray[np.int64],
    generator: np.random.Generator,
    room: Callable[[int, Any], NDArray[Any]] = np.empty,
) -> NDArray[np.int64]:
    """Return the rank with which each rank exchanges its value; itself if none was free.

    `starts` are the first ranks of the stretches that are swapped separately, with the number
    of all ranks at the end; `windows` the largest distance of two partners in each stretch. `room`
    makes the arrays, which may be files.

    >>> swap_partners(np.array([0, 4]), np.array([1]), np.random.default_rng(1))
    array([1, 0, 3, 2])
    """
    ranks = int(starts[-1])
    partner = room(ranks, np.int64)
    draws = room(ranks + TRIES, np.float64)
    for first in range(0, ranks + TRIES, PIECE):
        draws[first : first + PIECE] = generator.random(len(draws[first : first + PIECE]))
        partner[first : first + PIECE] = -1
    _exchange(
        np.ascontiguousarray(starts, dtype=np.int64),
        np.ascontiguousarray(windows, dtype=np.int64),
        draws,
        partner,
    )
    return partner
