"""Sixteen lanes at a time: the innermost loops of `discreet.kernels.neighbours`.

The compiler unrolls a loop over sixteen numbers without turning it into vector
instructions, which costs a factor of two to four here. These functions ask for them explicitly, in
vectors that every machine can cut to its own width, and keep their sums in registers. In each lane
the operations and their order are those of a scalar loop over the columns: no fused or reordered
arithmetic, the same bits.

Each takes blocks of shape (columns, LANES), writes one sum for each lane into `sums`, and
returns a bit mask of the lanes whose sum is within the limit; a NaN never is.

The first `numeric` columns are coordinates. The others are codes of nominal columns, whole numbers
that are only equal or unequal: a step between two codes counts 1, whatever its length.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 16

# what a caller sees: the compiler passes the typing context
_instruction: Callable[[Callable[..., Any]], Callable[..., int]] = intrinsic

_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_ZERO = ir.Constant(_VECTOR, [0.0] * LANES)
_ONE = ir.Constant(_VECTOR, [1.0] * LANES)
_INFINITY = ir.Constant(_VECTOR, [float("inf")] * LANES)
_UNDEFINED = ir.Constant(_VECTOR, ir.Undefined)
_ALL_FIRST = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)


def _spread(builder: Any, number: Any) -> Any:
    """The same number in every lane."""
    vector = builder.insert_element(_UNDEFINED, number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(vector, _UNDEFINED, _ALL_FIRST)


def _load(builder: Any, rows: Any, index: Any) -> Any:
    return builder.load(builder.gep(rows, [index]), align=8)


def _larger(builder: Any, left: Any, right: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", left, right), left, right)


def _one_at_most(builder: Any, square: Any) -> Any:
    """1 for every step between codes; a free lane stays NaN, and an empty box infinite."""
    step = builder.fcmp_ordered(">", square, _ONE)
    empty = builder.fcmp_ordered("==", square, _INFINITY)
    return builder.select(step, builder.select(empty, square, _ONE), square)


def _sum_over_columns(
    term: Callable[..., Any], relation: str, coded: bool = True
) -> Callable[..., Any]:
    """Generator of code: add `term` over the columns to `sums`, and compare with the limit.

    Without `coded`, the columns of codes are left to the caller.
    """

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        views = [
            context.make_array(kind)(context, builder, value)
            if isinstance(kind, types.Array)
            else value
            for kind, value in zip(signature.args, values, strict=True)
        ]
        *arrays, numeric, limit, sums = views
        rows = [
            builder.bitcast(a.data, _VECTOR.as_pointer()) if kind.ndim == 2 else a.data
            for a, kind in zip(arrays, signature.args, strict=False)
        ]
        out = builder.bitcast(sums.data, _VECTOR.as_pointer())
        total = cgutils.alloca_once(builder, _VECTOR)  # type: ignore[no-untyped-call]
        builder.store(builder.load(out, align=8), total)
        with cgutils.for_range(builder, numeric) as loop:
            added = builder.fadd(builder.load(total), term(builder, loop.index, *rows))
            builder.store(added, total)
        if coded:
            columns = builder.extract_value(arrays[0].shape, 0)
            with cgutils.for_range(builder, columns, start=numeric) as loop:
                step = _one_at_most(builder, term(builder, loop.index, *rows))
                builder.store(builder.fadd(builder.load(total), step), total)
        result = builder.load(total)
        builder.store(result, out, align=8)
        within = builder.fcmp_ordered(relation, result, _spread(builder, limit))
        return builder.zext(builder.bitcast(within, ir.IntType(LANES)), ir.IntType(64))

    return generate


def _squared_gap(builder: Any, column: Any, values: Any, centre: Any) -> Any:
    at = _spread(builder, builder.load(builder.gep(centre, [column])))
    gap = builder.fsub(_load(builder, values, column), at)
    return builder.fmul(gap, gap)


def _squared_gap_to_box(builder: Any, column: Any, low: Any, high: Any, centre: Any) -> Any:
    at = _spread(builder, builder.load(builder.gep(centre, [column])))
    below = builder.fsub(_load(builder, low, column), at)
    above = builder.fsub(at, _load(builder, high, column))
    gap = _larger(builder, _larger(builder, below, above), _ZERO)
    return builder.fmul(gap, gap)


def _squared_gap_to_range(
    builder: Any, column: Any, low: Any, high: Any, least: Any, most: Any
) -> Any:
    """The gap between a box (or a value, which is both of its ends) and the range least … most."""
    from_least = _spread(builder, builder.load(builder.gep(least, [column])))
    to_most = _spread(builder, builder.load(builder.gep(most, [column])))
    above = builder.fsub(_load(builder, low, column), to_most)
    below = builder.fsub(from_least, _load(builder, high, column))
    # The unordered comparison propagates NaN, so that a free lane stays NaN.
    gap = builder.select(builder.fcmp_unordered(">", above, below), above, below)
    gap = builder.select(builder.fcmp_unordered(">", gap, _ZERO), gap, _ZERO)
    return builder.fmul(gap, gap)


def _rise_to_corner(builder: Any, column: Any, low: Any, high: Any, pivot: Any, slope: Any) -> Any:
    at = _spread(builder, builder.load(builder.gep(pivot, [column])))
    steepness = builder.load(builder.gep(slope, [column]))
    rising = builder.fcmp_ordered(">", steepness, ir.Constant(ir.DoubleType(), 0.0))
    corner = _load(builder, builder.select(rising, high, low), column)
    return builder.fmul(_spread(builder, steepness), builder.fsub(corner, at))


@_instruction
def distances_within(
    typing: Any, values: Any, centre: Any, numeric: Any, limit: Any, sums: Any
) -> Any:
    """Add to `sums` the squared distances from `centre`; the lanes at most at `limit`."""
    signature = types.int64(values, centre, types.int64, limit, sums)
    return signature, _sum_over_columns(_squared_gap, "<=")


@_instruction
def distances_beyond(
    typing: Any, values: Any, centre: Any, numeric: Any, limit: Any, sums: Any
) -> Any:
    """Add to `sums` the squares of the coordinates' gaps; the lanes at least at `limit`."""
    signature = types.int64(values, centre, types.int64, limit, sums)
    return signature, _sum_over_columns(_squared_gap, ">=", coded=False)


@_instruction
def boxes_within(
    typing: Any, low: Any, high: Any, centre: Any, numeric: Any, limit: Any, sums: Any
) -> Any:
    """Add to `sums` the squared distances to the boxes; the lanes at most at `limit`."""
    signature = types.int64(low, high, centre, types.int64, limit, sums)
    return signature, _sum_over_columns(_squared_gap_to_box, "<=")


@_instruction
def ranges_within(
    typing: Any, low: Any, high: Any, least: Any, most: Any, numeric: Any, limit: Any, sums: Any
) -> Any:
    """Add to `sums` the squared gaps between boxes and ranges; the lanes at most at `limit`."""
    signature = types.int64(low, high, least, most, types.int64, limit, sums)
    return signature, _sum_over_columns(_squared_gap_to_range, "<=")


@_instruction
def corners_beyond(
    typing: Any, low: Any, high: Any, pivot: Any, slope: Any, numeric: Any, limit: Any, sums: Any
) -> Any:
    """Add to `sums` the largest slope·(x - pivot) in each box; the lanes at least at `limit`."""
    signature = types.int64(low, high, pivot, slope, types.int64, limit, sums)
    return signature, _sum_over_columns(_rise_to_corner, ">=", coded=False)


@_instruction
def lowest_lane(typing: Any, mask: Any) -> Any:
    """The lowest lane of a mask that is not empty."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.cttz(values[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate
