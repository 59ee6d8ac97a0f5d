"""The moves of local suppression are compiled for one kind of state."""

from __future__ import annotations

import numpy as np

from discreet.kernels import local_suppression_moves
from tests.kernels.suppressing import solved


def test_each_move_is_compiled_once() -> None:
    solved(np.random.default_rng(1).integers(0, 3, (7, 2)), [1.0, 1.0], k=2)
    for name in ("cheapest", "move", "take_back", "joined", "emptied", "opened", "settled"):
        kernel = getattr(local_suppression_moves, name)
        assert len(kernel.signatures) <= 1, name  # none where the code comes from the cache
