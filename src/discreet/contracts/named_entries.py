"""Parameters that set something per column; their names and values are checked here."""

from __future__ import annotations

import math
from collections.abc import Collection
from numbers import Real
from typing import Any

from discreet.contracts.entries import Entries
from discreet.errors import UsageError, nearest


def named(entries: Entries, treated: Collection[str], parameter: str, owner: str) -> dict[str, Any]:
    """Return the entries, each of which must name a treated column.

    >>> named({"agee": 5}, ["age"], "widths", "GlobalRecoding")
    Traceback (most recent call last):
    discreet.errors.UsageError: widths of GlobalRecoding names 'agee', which is not a treated ...
    """
    for name in entries or {}:
        if name not in treated:
            raise UsageError(
                f"{parameter} of {owner} names '{name}', which is not a treated column"
                f"{nearest(str(name), treated)} (treated: {', '.join(treated)})"
            )
    return dict(entries or {})


def numbers(
    entries: Entries, treated: Collection[str], parameter: str, owner: str
) -> dict[str, float]:
    """Return entries that are numbers above 0.

    >>> numbers({"age": -5}, ["age"], "widths", "GlobalRecoding")
    Traceback (most recent call last):
    discreet.errors.UsageError: widths of GlobalRecoding must be numbers above 0, but -5 was ...
    """
    checked = named(entries, treated, parameter, owner)
    for name, value in checked.items():
        if not is_number(value) or value <= 0:
            raise UsageError(
                f"{parameter} of {owner} must be numbers above 0, but {value!r} was given for "
                f"'{name}'"
            )
    return {name: float(value) for name, value in checked.items()}


def is_number(value: object) -> bool:
    """Whether a value is a finite number; true and false are not numbers.

    >>> is_number(5), is_number(True), is_number("5"), is_number(math.inf)
    (True, False, False, False)
    """
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
