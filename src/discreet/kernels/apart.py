"""Kernels that are called by their address, so that they are compiled once.

What a kernel calls is otherwise optimised and translated again as a part of each of its callers,
and once more as a part of theirs: for the searches in a tree that takes longer than all the rest.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic


def address(kernel: Any, *arguments: Any) -> int:
    """Return where the code of a kernel for these types begins; it is compiled if need be.

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
    """The type as which an argument is passed: that of a whole array or number."""
    if isinstance(kind, types.Array) and kind.layout != "C":
        raise TypingError(f"a kernel called by its address takes whole arrays, not {kind}")
    return types.int64 if isinstance(kind, types.Integer) else kind


@intrinsic  # type: ignore[untyped-decorator]
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

    return types.none(types.int64, types.StarArgTuple(passed)), generate
