"""The fewest suppressed cells of a small file, proved by integer programming.

A gap is a category of its own, so suppression gives every record a pattern of gaps, and brings it
into the slot of those that agree in the rest. Records alike are one kind c of m_c. With x_cp of
them in pattern p, and y_s = 1 for the slots in use:

    minimise Σ cost_p x_cp    with  Σ_p x_cp = m_c,   x_cp ≤ m_c y_s,   Σ_{c in s} x_cp ≥ k y_s

Once the slots are chosen it is a transportation problem, whose solutions are whole numbers.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import MISSING_CODE

AFFORDABLE = 6_000
"""Up to this many kinds of records × patterns × k the program is solved, in about a second."""
NODES = 10
"""The most branches examined; a time limit would make the outcome depend on the machine."""

Codes = NDArray[np.int32]
Cells = NDArray[np.bool_]
Counts = NDArray[np.int64]


class Proved(NamedTuple):
    """How many records of each kind get each pattern, and a lower bound on the cost of any choice.

    `times` is None if no choice was found.
    """

    patterns: Cells
    times: Counts | None
    least: float


def fewest(kinds: Codes, many: Counts, weights: NDArray[np.float64], k: int) -> Proved | None:
    """Return the cheapest patterns such that k records each have the same values and gaps.

    `kinds` are different records by columns, −1 where a value is missing anyway, `many` how many
    there are of each. None if the file is too large for it.

    >>> kinds = np.array([[0, 0], [1, 1], [1, 2]], np.int32)
    >>> found = fewest(kinds, np.array([2, 1, 1]), np.ones(2), 2)
    >>> found.patterns[found.times.argmax(axis=1)].astype(int).tolist(), found.least
    ([[0, 0], [0, 1], [0, 1]], 2.0)
    """
    width = kinds.shape[1]
    if width > 10:
        return None
    patterns: Cells = np.array(list(product((False, True), repeat=width)))
    if len(kinds) * len(patterns) * k > AFFORDABLE:
        return None
    # What a pattern costs a record, of which some cells are missing anyway; −1 is no slot.
    gone = kinds == MISSING_CODE
    cost = (patterns[:, None, :] & ~gone[None, :, :]) @ weights
    slots = np.full(cost.shape, -1, dtype=np.int64)
    count = 0
    for p, pattern in enumerate(patterns):
        open_to = ~(gone & ~pattern).any(axis=1)
        _, numbers = np.unique(kinds[open_to][:, ~pattern], axis=0, return_inverse=True)
        slots[p, open_to] = numbers.reshape(-1) + count
        count += int(numbers.max(initial=-1)) + 1
    return Proved(patterns, *_solved(slots, cost, many, k))


def _solved(
    slots: Counts, cost: NDArray[np.float64], many: Counts, k: int
) -> tuple[Counts | None, float]:
    """Return how many of each kind get each pattern, and a lower bound on the cost of any
    choice.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    room = np.zeros(int(slots.max()) + 1, dtype=np.int64)
    np.add.at(room, slots[slots >= 0], np.broadcast_to(many, slots.shape)[slots >= 0])
    kind, pattern = np.nonzero(((slots >= 0) & (room[slots] >= k)).T)
    used, slot = np.unique(slots[pattern, kind], return_inverse=True)
    x, y = np.arange(len(kind)), len(kind) + np.arange(len(used))
    # Rows of the constraints: first those of kinds, then those of single x, then those of slots.
    single, of_slot = len(many) + x, len(many) + y
    # In 32 bits, which SciPy 1.11 asks for.
    row = np.concatenate([kind, single, single, of_slot[slot], of_slot]).astype(np.int32)
    column = np.concatenate([x, x, y[slot], x, y]).astype(np.int32)
    ones = np.ones(len(x))
    factor = np.concatenate([ones, ones, -many[kind], ones, np.full(len(y), -float(k))])
    low = np.concatenate([many, np.full(len(x), -np.inf), np.zeros(len(y))])
    high = np.concatenate([many, np.zeros(len(x)), np.full(len(y), np.inf)])
    solution = milp(
        np.concatenate([cost[pattern, kind], np.zeros(len(y))]),
        integrality=np.ones(len(x) + len(y), dtype=np.int64),
        bounds=Bounds(0, np.concatenate([many[kind], np.ones(len(y))])),
        constraints=LinearConstraint(csr_array((factor, (row, column))), low, high),
        options={"node_limit": NODES, "mip_rel_gap": 0},
    )
    bound = solution.get("mip_dual_bound")
    least = 0.0 if bound is None or not np.isfinite(bound) else max(0.0, float(bound))
    if np.array_equal(cost, np.rint(cost)):
        least = float(np.ceil(least - 1e-6))
    if solution.x is None:
        return None, least
    of_pair = np.rint(solution.x[: len(x)]).astype(np.int64)
    filled = np.bincount(slot, of_pair)
    whole = np.array_equal(np.bincount(kind, of_pair), many)
    if not whole or filled[filled > 0].min() < k:
        return None, least
    times = np.zeros((len(many), len(slots)), dtype=np.int64)
    times[kind, pattern] = of_pair
    return times, least
