"""The boxes that a search of a tree has still to visit: a stack with the closest on top."""

from __future__ import annotations

from discreet.kernels.arrays import Ints, Numbers
from discreet.kernels.compiling import inner


@inner
def push(stack: Ints, bounds: Numbers, base: int, top: int, block: int, bound: float) -> int:
    """Put a block in its place above `base`, where bounds fall; return the new top of the stack.

    Among equals the first one stays on top.

    >>> import numpy as np
    >>> stack, bounds, top = np.zeros(3, np.int64), np.zeros(3), 0
    >>> for block, bound in ((7, 2.0), (8, 1.0), (9, 3.0)):
    ...     top = push(stack, bounds, 0, top, block, bound)
    >>> stack, bounds
    (array([9, 7, 8]), array([3., 2., 1.]))
    """
    at = top
    while at > base and bounds[at - 1] <= bound:
        stack[at], bounds[at] = stack[at - 1], bounds[at - 1]
        at -= 1
    stack[at], bounds[at] = block, bound
    return top + 1
