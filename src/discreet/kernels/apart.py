"""Kernels that are called by their address, so that they are compiled once.

Otherwise whatever a kernel calls is optimised and translated again as a part of each of its
callers, and again as a part of theirs: for tree searches this takes longer than everything else.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from numba import typeof, types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

# what a caller sees: the compiler passes the typing context
_instruction: Callable[[Callable[..., Any]], Callable[..., None]] = intrinsic

_kinds: dict[type, Any] = {}


def kind_of(fields: tuple[Any, ...]) -> Any:
    """Return the compiler's type of a named tuple whose fields always have the same types.

    >>> from typing import NamedTuple
    >>> class Pair(NamedTuple):
    ...     first: int
    ...     second: float
    >>> kind_of(Pair(1, 2.0))
    Pair(int64, float64)
    """
    if type(fields) not in _kinds:
        _kinds[type(fields)] = typeof(fields)  # type: ignore[no-untyped-call]
    return _kinds[type(fields)]


@functools.cache
def address(kernel: Any, *arguments: Any) -> int:
    """Return the address of a kernel's code for these types, compiling it if necessary.

    >>> from discreet.kernels.compiling import compiled
    >>> @compiled
    ... def double(numbers):
    ...     for i in range(len(numbers)):
    ...         numbers[i] *= 2.0
    >>> address(double, types.float64[::1]) > 0
    True
    """
    kernel.compile(arguments)
    code = kernel.overloads[arguments]
    return int(code.library.get_pointer_to_function(code.fndesc.llvm_func_name))


def _passed(kind: Any) -> Any:
    """The type with which an argument is passed: that of a whole array or number."""
    if isinstance(kind, types.Array) and kind.layout != "C":
        raise TypingError(f"a kernel called by its address takes whole arrays, not {kind}")
    return types.int64 if isinstance(kind, types.Integer) else kind


@_instruction
def call(typing: Any, where: Any, *arguments: Any) -> Any:
    """Call the kernel at an address, which was compiled for the types of these arguments."""
    passed = tuple(_passed(kind) for kind in arguments)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = context.call_conv.get_function_type(types.none, passed)
        place = builder.inttoptr(values[0], kind.as_pointer())
        given = cgutils.unpack_tuple(builder, values[1])  # type: ignore[no-untyped-call]
        status, _ = context.call_conv.call_function(builder, place, types.none, passed, given)
        with cgutils.if_unlikely(builder, status.is_error):  # type: ignore[no-untyped-call]
            context.call_conv.return_status_propagate(builder, status)
        return context.get_dummy_value()

    given = types.StarArgTuple(passed)  # type: ignore[no-untyped-call]
    return types.none(types.int64, given), generate
