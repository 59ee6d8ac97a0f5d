"""A stack of boxes against sorting them."""

from __future__ import annotations

import numpy as np

from discreet.kernels.boxes_to_visit import push


def test_blocks_lie_in_the_order_of_their_bounds_above_those_of_other_levels() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        base, count = int(rng.integers(0, 4)), int(rng.integers(1, 17))
        below = rng.random(base)
        given = rng.integers(0, 6, count).astype(float)
        stack, bounds = np.full(base + count, -1), np.append(below, np.zeros(count))
        top = base
        for block, bound in enumerate(given.tolist()):
            top = push(stack, bounds, base, top, block, bound)
        # The closest last, and among equals the one that was pushed first.
        expected = np.lexsort((-np.arange(count), -given))
        assert top == base + count
        assert (stack[:base] == -1).all()
        assert (bounds[:base] == below).all()
        assert stack[base:].tolist() == expected.tolist()
        assert (bounds[base:] == given[expected]).all()
