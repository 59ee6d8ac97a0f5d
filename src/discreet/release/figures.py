"""Figures in the words of a verdict: to a few digits, shares in percent."""

from __future__ import annotations

import numpy as np

from discreet.contracts import MeasureSpec

ROUNDING = 1e-9
"""A figure that rounding errors may leave in place of zero."""


def in_figures(value: float, spec: MeasureSpec) -> str:
    """Return a value to a few digits, shares in percent.

    >>> from discreet.contracts.registry import find
    >>> spec = find("measure", "distance-linkage").spec
    >>> in_figures(0.18904, spec), in_figures(7.3125, spec), in_figures(0.00033, spec)
    ('18.9 %', '731 %', '0.033 %')
    >>> in_figures(3e-33, spec)   # what rounding leaves of nothing
    '0 %'
    """
    if spec.percent and np.isfinite(value):
        return percent(value)
    return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"


def from_to(before: float, after: float, spec: MeasureSpec) -> str:
    """Return both figures, to as many digits as they need to differ.

    >>> from discreet.contracts.registry import find
    >>> from_to(0.0023911, 0.0023917, find("measure", "distance-linkage").spec)
    '0.2391 % → 0.2392 %'
    """
    short = in_figures(before, spec), in_figures(after, spec)
    if short[0] != short[1]:
        return " → ".join(short)
    unit, factor = (" %", 100) if spec.percent else ("", 1)
    for digits in range(3, 16):
        texts = [f"{factor * value:.{digits}g}{unit}" for value in (before, after)]
        if texts[0] != texts[1]:
            break
    return " → ".join(texts)


def percent(share: float) -> str:
    """Return a share in percent, to two or three digits.

    >>> percent(0.18904), percent(7.3125), percent(0.0)
    ('18.9 %', '731 %', '0 %')
    """
    figure = 100 * share if abs(share) > ROUNDING else 0.0
    digits = 2 if abs(figure) < 1 else 3
    return f"{figure:,.0f} %" if abs(figure) >= 100 else f"{figure:.{digits}g} %"
