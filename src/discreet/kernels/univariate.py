"""Microaggregation of one column with the least possible sum of squares.

Hansen and Mukherjee (2003), A polynomial algorithm for optimal univariate microaggregation: some
optimal groups are runs of k to 2k - 1 values in ascending order, so the best cuts are a shortest
path. With f(j) the least sum of squares of the first j values and c(i, j) that of the values
after the first i up to the j-th around their mean,

    f(j) = min f(i) + c(i, j)  over  j - 2k + 1 <= i <= j - k.

No f(j) of k consecutive j depends on another of them, so these are computed together, in blocks. In
a block, the best i never falls as j rises, since c is concave (for a < b <= c < d,
c(a, c) + c(b, d) <= c(a, d) + c(b, c)): the best i of two rows confine that of all rows between.
This takes n log k steps instead of n k.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled, in_place, inner

_SPLITTER = 134217729.0  # 2^27 + 1
PIECE = 1_000_000
"""Values whose order is checked together."""


@in_place
def _two_sum(a: float, b: float) -> tuple[float, float]:
    """a + b and its rounding error (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@in_place
def _two_product(a: float, b: float) -> tuple[float, float]:
    """a * b and its rounding error (Dekker, with Veltkamp's splitting)."""
    product = a * b
    scaled = _SPLITTER * a
    a_high = scaled - (scaled - a)
    scaled = _SPLITTER * b
    b_high = scaled - (scaled - b)
    a_low, b_low = a - a_high, b - b_high
    error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return product, error


@in_place
def _plus(a: float, a_low: float, b: float, b_low: float) -> tuple[float, float]:
    """The sum of two numbers of twice the usual precision."""
    total, error = _two_sum(a, b)
    return _two_sum(total, error + (a_low + b_low))


@in_place
def _cost(sums: NDArray[np.float64], i: int, j: int) -> float:
    """c(i, j) from running sums, which have twice the precision because digits cancel."""
    size = float(j - i)
    total, total_low = _plus(sums[j, 0], sums[j, 1], -sums[i, 0], -sums[i, 1])
    squares, squares_low = _plus(sums[j, 2], sums[j, 3], -sums[i, 2], -sums[i, 3])
    square, square_low = _two_product(total, total)
    square_low += 2.0 * total * total_low
    times, times_low = _two_product(size, squares)
    times_low += size * squares_low
    gap, gap_low = _plus(times, times_low, -square, -square_low)
    return max(gap + gap_low, 0.0) / size


@inner
def _running_sums(
    values: NDArray[np.float64], shift: int, start: int, stop: int, sums: NDArray[np.float64]
) -> None:
    """Sums of the values and of their squares from `start` on, as pairs of number and rest.

    Values are multiplied by 2^shift, which changes no digit.
    """
    origin = math.ldexp(values[(start + stop) // 2], shift)
    sums[0] = 0.0
    for at in range(stop - start):
        gap, gap_low = _two_sum(math.ldexp(values[start + at], shift), -origin)
        square, square_low = _two_product(gap, gap)
        square_low += 2.0 * gap * gap_low
        sums[at + 1, 0], sums[at + 1, 1] = _plus(sums[at, 0], sums[at, 1], gap, gap_low)
        sums[at + 1, 2], sums[at + 1, 3] = _plus(sums[at, 2], sums[at, 3], square, square_low)


@inner
def _fill_block(
    best: NDArray[np.float64],
    cut: NDArray[np.int64],
    sums: NDArray[np.float64],
    start: int,
    stop: int,
    k: int,
) -> None:
    """Fill f and the last cut for start <= j < stop, every other row first, then between."""
    first = max(0, start - 2 * k + 1)
    rows = stop - start
    step = 1
    while 2 * step <= rows:
        step *= 2
    while step >= 1:
        for row in range(step - 1, rows, 2 * step):
            j = start + row
            low = cut[j - step] if row >= step else first
            high = cut[j + step] if row + step < rows else j - k
            least, best_cut = np.inf, low
            for i in range(max(low, j - 2 * k + 1), min(high, j - k) + 1):
                value = best[i] + _cost(sums, i - first, j - first)
                if value < least:
                    least, best_cut = value, i
            best[j], cut[j] = least, best_cut
        step //= 2


@compiled
def _shortest_path(
    values: NDArray[np.float64],
    shift: int,
    k: int,
    best: NDArray[np.float64],
    cut: NDArray[np.int64],
) -> None:
    """Fill in the last cut before each j, for at least k ascending values."""
    n = len(values)
    for j in range(k):
        best[j], cut[j] = np.inf, 0
    best[0] = 0.0
    sums = np.empty((3 * k, 4))
    for start in range(k, n + 1, k):
        stop = min(start + k, n + 1)
        first = max(0, start - 2 * k + 1)
        # Only differences within the block matter: without what came before, they stay exact
        # to the last digit however large f has become.
        base = np.inf
        for i in range(first, start):
            base = min(base, best[i])
        for i in range(first, start):
            best[i] -= base
        _running_sums(values, shift, first, stop - 1, sums)
        _fill_block(best, cut, sums, start, stop, k)


@compiled
def _lengths(cut: NDArray[np.int64], sizes: NDArray[np.int64]) -> int:
    """Count the groups from the last cut back, and fill in their sizes if there is space."""
    at, count = len(cut) - 1, 0
    while at > 0:
        if count < len(sizes):
            sizes[len(sizes) - 1 - count] = at - cut[at]
        at = cut[at]
        count += 1
    return count


def optimal_sizes(
    values: NDArray[np.float64], k: int, room: Callable[[int, Any], NDArray[Any]] = np.empty
) -> NDArray[np.int64]:
    """Return the sizes of the optimal groups of ascending values, from the lowest group up.

    The groups have k to 2k - 1 values (fewer than 2k values make one group) and the least sum of
    squared deviations from their means of all groupings into groups of at least k. Among equally
    good last groups the largest is taken. `room` makes the arrays, which may be files.

    >>> optimal_sizes(np.array([1.0, 2.0, 3.0, 10.0, 11.0, 30.0, 31.0, 33.0]), k=2)
    array([3, 2, 3])
    """
    if k < 1:
        raise ValueError(f"groups need at least one value, but k is {k}")
    values = np.require(values, np.float64, ["C", "A", "W"])
    n = len(values)
    largest = float(max(abs(values[0]), abs(values[-1]))) if n else 0.0
    if not np.isfinite(largest):
        raise ValueError("the values must be finite, but one is missing or infinite")
    for first in range(0, n, PIECE):
        piece = values[first : first + PIECE + 1]
        if not (piece[1:] >= piece[:-1]).all():
            raise ValueError("the values must be in ascending order, and finite")
    if n < 2 * k:
        return np.full(min(n, 1), n, np.int64)
    # With values below 1 squares neither overflow nor vanish.
    best, cut = room(n + 1, np.float64), room(n + 1, np.int64)
    _shortest_path(values, -int(np.frexp(largest)[1]), k, best, cut)
    sizes = np.empty(0, np.int64)
    sizes = np.empty(_lengths(cut, sizes), np.int64)
    _lengths(cut, sizes)
    return sizes
