"""Intervals of numbers: round widths, where they begin, and what they are called.

A width is round if it is 1, 2 or 5 times a power of ten.

Edges are decimal numbers, so that 0.3 begins the interval [0.3, 0.4) and does not fall just
before it; a value lies in an interval if, as a number of the file, it is at or above the edge.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray


def round_step(width: Decimal, *, down: bool = False) -> Decimal:
    """Return the least round width at or above this one; with `down`, the greatest at or below.

    >>> round_step(Decimal(3)), round_step(Decimal("0.07"), down=True)
    (Decimal('5'), Decimal('0.05'))
    """
    power = Decimal(10) ** width.adjusted()
    steps = [factor * power for factor in (1, 2, 5, 10)]
    return max(s for s in steps if s <= width) if down else min(s for s in steps if s >= width)


def round_edges(
    low: float, high: float, most: int = 24, *, whole: bool = False
) -> list[float] | None:
    """Return the edges of about `most` intervals of one round width that cover the numbers.

    For whole numbers, `high` is the first of its interval or within it, not its end. None is
    returned where the numbers are too far apart to be put on one axis.

    >>> round_edges(0.3, 4.1)[:3], round_edges(0.3, 4.1)[-1]
    ([0.2, 0.4, 0.6], 4.2)
    >>> round_edges(0, 3, whole=True), round_edges(0, 731, 5)
    ([0.0, 1.0, 2.0, 3.0, 4.0], [0.0, 200.0, 400.0, 600.0, 800.0])
    """
    span = high - low
    if span == 0:
        span = abs(low) / 5 or 1.0
        low, high = low - span / 2, high + span / 2
    if not (math.isfinite(low) and math.isfinite(high) and math.isfinite(span)):
        return None
    # Below these widths neighbouring edges would be the same floating-point number.
    width = max(span / most, max(abs(low), abs(high)) / 1e11, 5e-300)
    step = round_step(max(Decimal(f"{width:.9g}"), Decimal(whole)))
    first = math.floor(Decimal(repr(float(low))) / step)
    last = math.ceil(Decimal(repr(float(high))) / step)
    last += whole and last * step <= high
    edges = [float(index * step) for index in range(first, max(last, first + 1) + 1)]
    return edges if math.isfinite(edges[0]) and math.isfinite(edges[-1]) else None


def round_width(spread: Decimal, whole: bool) -> Decimal:
    """Return a round width of about a twentieth of the spread.

    >>> round_width(Decimal(73), whole=True), round_width(Decimal("0.7"), whole=False)
    (Decimal('2'), Decimal('0.02'))
    """
    if spread == 0:
        return Decimal(1)
    width = round_step(spread / 20, down=True)
    return max(width, Decimal(2)) if whole else width


def round_first_width(spread: Decimal, whole: bool) -> Decimal:
    """Return the round width that cuts the spread into about 8 to 20 intervals.

    Intervals of whole numbers are at least 2 wide, since those of 1 are the numbers themselves.

    >>> round_first_width(Decimal(73), whole=True), round_first_width(Decimal(4), whole=True)
    (Decimal('5'), Decimal('2'))
    """
    if spread == 0:
        return Decimal(1)
    width = round_step(spread / 20)
    return max(width, Decimal(2)) if whole else width


def next_round_width(width: Decimal) -> Decimal:
    """Return the least greater round width that is a multiple of this one.

    A width that is not round itself has twice its width for the next.

    >>> [next_round_width(Decimal(width)) for width in (1, 2, 5, 20, 7)]
    [Decimal('2'), Decimal('10'), Decimal('10'), Decimal('100'), Decimal('14')]
    """
    # Neither 40 nor 50 would do after 20: one is not round, the other no multiple of it.
    return width * (5 if width.normalize().as_tuple().digits == (2,) else 2)


def interval_label(low: Decimal, width: Decimal, whole: bool) -> str:
    """Return "20–24" for whole numbers, "[0.2, 0.3)" for others.

    >>> interval_label(Decimal(20), Decimal(5), True)
    '20–24'
    >>> interval_label(Decimal("0.20"), Decimal("0.1"), False)
    '[0.2, 0.3)'
    """
    if whole:
        return f"{int(low)}–{int(low + width) - 1}"
    return f"[{low.normalize():f}, {(low + width).normalize():f})"


def labels_between(cuts: Sequence[Decimal], whole: bool) -> list[str]:
    """Return what the intervals before, between and after some cuts are called.

    >>> labels_between([Decimal(20), Decimal(65)], whole=True)
    ['below 20', '20–64', '65 and above']
    """
    inner = [interval_label(low, high - low, whole) for low, high in pairwise(cuts)]
    texts = [f"{cut.normalize():f}" for cut in (cuts[0], cuts[-1])]
    return [f"below {texts[0]}", *inner, f"{texts[1]} and above"]


def places_between(values: NDArray[np.float64], cuts: Sequence[Decimal]) -> NDArray[np.int64]:
    """Return how many cuts each value has at or below it.

    >>> places_between(np.array([0.1, 0.3, 0.35]), [Decimal("0.3")])
    array([0, 1, 1])
    """
    return np.searchsorted(np.array([float(cut) for cut in cuts]), values, side="right")
