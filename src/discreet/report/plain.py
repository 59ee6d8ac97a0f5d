"""Plain data: figures and details of any origin as what JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

LONGEST = 200
"""A list longer than this is no detail for a reader, and may be a value for every record."""


def number(value: Any) -> float | str | None:
    """Return a figure as JSON has it; what JSON has no number for becomes a word.

    >>> number(0.5), number(float("inf")), number(float("nan")), number(None)
    (0.5, 'infinity', 'undefined', None)
    """
    if value is None:
        return None
    figure = float(value)
    if math.isfinite(figure):
        return figure
    if math.isnan(figure):
        return "undefined"
    return "infinity" if figure > 0 else "-infinity"


def plain(value: Any) -> Any:
    """Return nested details as dictionaries, lists, texts and figures.

    >>> import numpy as np
    >>> plain({"bias": {"age": np.float64(0.25)}, "columns": ("age",), 3: np.arange(2)})
    {'bias': {'age': 0.25}, 'columns': ['age'], '3': [0, 1]}
    """
    if value is None or isinstance(value, bool | str):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in list(value.items())[:LONGEST]}
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return number(value)
    if hasattr(value, "tolist"):
        if getattr(value, "size", 0) > LONGEST:
            return f"{value.size:,} values"
        return plain(value.tolist())
    if isinstance(value, list | tuple | set | frozenset):
        if len(value) > LONGEST:
            return f"{len(value):,} values"
        ordered = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        return [plain(inner) for inner in ordered]
    return str(value)
