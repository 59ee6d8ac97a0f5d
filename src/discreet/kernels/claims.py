"""Claims on pieces of work that several threads may do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import intrinsic

# what a caller sees: the compiler passes the typing context
_instruction: Callable[[Callable[..., Any]], Callable[..., int]] = intrinsic

OPEN, CLAIMED, DONE = 0, 1, 2
"""Whether a piece of work is free, claimed by a thread, or done."""


def _place(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, values[0])
    return builder.gep(array.data, [values[1]])


@_instruction
def state_of(typing: Any, states: Any, index: Any) -> Any:
    """The present state of a piece of work; everything done before it changed is visible."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.load_atomic(_place(context, builder, signature, values), "seq_cst", 8)

    return types.int64(states, types.int64), generate


@_instruction
def change(typing: Any, states: Any, index: Any, old: Any, new: Any) -> Any:
    """Change a state if it is still the old one; whether it was. Only one thread succeeds."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = _place(context, builder, signature, values)
        outcome = builder.cmpxchg(place, values[2], values[3], "seq_cst", "seq_cst")
        return builder.extract_value(outcome, 1)

    return types.boolean(states, types.int64, types.int64, types.int64), generate
