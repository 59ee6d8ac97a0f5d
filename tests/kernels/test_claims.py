"""Of several threads one gets a claim."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from discreet.kernels.claims import CLAIMED, DONE, OPEN, change, state_of


def _claim_all(states: NDArray[np.int64]) -> int:
    """How many open pieces of work a thread gets a claim to."""
    claims = 0
    for at in range(len(states)):
        if change(states, at, OPEN, CLAIMED):
            claims += 1
    return claims


def _change(states: NDArray[np.int64], at: int, old: int, new: int) -> tuple[int, int]:
    return change(states, at, old, new), state_of(states, at)


claim_all: Any = njit(nogil=True)(_claim_all)
change_one: Any = njit(_change)


def test_a_state_changes_from_the_old_one_only() -> None:
    states = np.array([OPEN, DONE], np.int64)
    assert change_one(states, 1, OPEN, CLAIMED) == (False, DONE)
    assert change_one(states, 1, DONE, CLAIMED) == (True, CLAIMED)
    assert states.tolist() == [OPEN, CLAIMED]


def test_every_claim_goes_to_one_thread() -> None:
    states = np.full(200_000, OPEN, np.int64)
    claim_all(states[:0])
    with ThreadPoolExecutor(4) as pool:
        claims = list(pool.map(claim_all, [states] * 4))
    assert sum(claims) == len(states)
    assert (states == CLAIMED).all()
