"""Intervals of numbers: round widths, where they begin, and what they are called.

Edges are decimal numbers, so that 0.3 begins the interval [0.3, 0.4) and does not fall a hair
before it; a value lies in an interval if, as a number of the file, it is at or above the edge.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray


def round_width(spread: Decimal, whole: bool) -> Decimal:
    """Return 1, 2 or 5 times a power of ten, about a twentieth of the spread.

    >>> round_width(Decimal(73), whole=True), round_width(Decimal("0.7"), whole=False)
    (Decimal('2'), Decimal('0.02'))
    """
    if spread == 0:
        return Decimal(1)
    target = spread / 20
    power = Decimal(10) ** target.adjusted()
    width = max(step * power for step in (1, 2, 5) if step * power <= target)
    return max(width, Decimal(2)) if whole else width


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
