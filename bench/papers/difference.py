"""How far our figure is from the paper's, in numbers and in words."""

from __future__ import annotations

from collections.abc import Iterable

from bench.papers.section import Pair, Quantity
from discreet.report.markup import NO_FIGURE, THIN

NEAR = 0.1
"""Figures that differ by no more than this share of the paper's count as near."""


def is_near(pair: Pair) -> bool:
    """Whether our figure is within a tenth of the paper's.

    >>> is_near(Pair(100, 109)), is_near(Pair(0, 0.1)), is_near(Pair(None, 1))
    (True, False, False)
    """
    if pair.paper is None or pair.ours is None:
        return False
    # A paper's figure is rounded; the last bit of ours must not decide.
    return abs(pair.ours - pair.paper) <= NEAR * abs(pair.paper) + 1e-12


def difference(pair: Pair, quantity: Quantity) -> str:
    """Return ours minus the paper's: relative to it, or in the quantity's own unit.

    >>> difference(Pair(2.0, 3.0), Quantity("X²")), difference(Pair(5.0, 4.2), Quantity("s", "%",
    ...     relative=False))
    ('+50\\u202f%', '−0.80')
    >>> difference(Pair(0, 3.0), Quantity("X²")), difference(Pair(None, 3.0), Quantity("X²"))
    ('+3.00', '–')
    """
    if pair.paper is None or pair.ours is None:
        return NO_FIGURE
    gap = pair.ours - pair.paper
    if quantity.relative and pair.paper:
        return signed(100 * gap / abs(pair.paper), 0) + f"{THIN}%"
    return signed(gap, quantity.decimals)


def signed(value: float, decimals: int) -> str:
    """Return a difference as it is printed.

    >>> signed(-0.0812, 3), signed(1234, 0), signed(0.0001, 2)
    ('−0.081', '+1,234', '0')
    """
    digits = f"{abs(value):,.{decimals}f}"
    if not float(digits.replace(",", "")):
        return "0"
    return f"{'−' if value < 0 else '+'}{digits}"


def ours_in_words(value: float | None, quantity: Quantity) -> str:
    """Return our figure with the decimals of its quantity.

    >>> ours_in_words(1234.5, Quantity("records", decimals=0)), ours_in_words(None, Quantity("k"))
    ('1,234', '–')
    """
    if value is None:
        return NO_FIGURE
    digits = f"{abs(value):,.{quantity.decimals}f}"
    return f"−{digits}" if value < 0 and float(digits.replace(",", "")) else digits


def paper_in_words(value: float | None, quantity: Quantity) -> str:
    """Return the paper's figure with the digits that it has.

    >>> paper_in_words(1343.7, Quantity("ABICO")), paper_in_words(4.3, Quantity("X²", printed=2))
    ('1,343.7', '4.30')
    """
    if value is None:
        return NO_FIGURE
    return f"{value:,.10g}" if quantity.printed is None else f"{value:,.{quantity.printed}f}"


def counted(pairs: Iterable[Pair]) -> tuple[int, int]:
    """Return how many pairs are near, and how many there are.

    >>> counted([Pair(1, 1.05), Pair(1, 2)])
    (1, 2)
    """
    listed = list(pairs)
    return sum(map(is_near, listed)), len(listed)
