"""Average absolute bias: the shared form of ABIM, ABISD and ABICO (Li & Sarkar, eq. 14–16)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Score
from discreet.errors import NotApplicable
from discreet.microdata import Microdata
from discreet.microdata.comparison import comparable_numbers

ROUNDING = 1e-12
Statistic = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def average_absolute_bias(
    original: Microdata, released: Microdata, statistic: Statistic, *, pairs: bool = False
) -> Score:
    """Return the mean of |released − original| / |original| of a statistic over the columns.

    `pairs` takes a matrix statistic over the pairs of columns. A zero in a denominator, and a
    statistic that does not exist (a column without values, a correlation of a constant), is left
    out and counted.
    """
    names = comparable_numbers(original, released)
    needed = 2 if pairs else 1
    if len(names) < needed:
        raise NotApplicable(
            f"it needs {needed} continuous quasi-identifier{'s' * (needed > 1)} released as "
            f"numbers, and there {'is' if len(names) == 1 else 'are'} {len(names) or 'none'}"
        )
    if len(original) < 2 or len(released) < 2:
        raise NotApplicable("it needs at least two records")
    values = original.matrix(names)
    before, after = statistic(values), statistic(released.matrix(names))
    labels = list(names)
    # A mean or deviation this small beside the values themselves is zero but for rounding.
    zero = ROUNDING * np.nanmax(np.abs(values), axis=0, initial=0)
    if pairs:
        index = list(combinations(range(len(names)), 2))
        rows, columns = [i for i, _ in index], [j for _, j in index]
        before, after = before[rows, columns], after[rows, columns]
        labels = [f"{names[i]} × {names[j]}" for i, j in index]
        zero = np.full(len(index), ROUNDING)
    defined = np.isfinite(before) & np.isfinite(after) & (np.abs(before) > zero)
    biases = np.abs((after[defined] - before[defined]) / before[defined])
    left_out = [label for label, ok in zip(labels, defined, strict=True) if not ok]
    if not len(biases):
        raise NotApplicable("every denominator is zero or missing")
    kept = [label for label, ok in zip(labels, defined, strict=True) if ok]
    return Score(
        float(biases.mean()),
        detail={"bias": dict(zip(kept, biases.tolist(), strict=True)), "left out": left_out},
        note=f"{len(left_out)} left out: zero or missing denominator" if left_out else "",
    )
