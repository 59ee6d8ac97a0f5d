"""Earth mover's distance of a group's classes to those of the file (t-closeness).

Li, Li & Venkatasubramanian, t-Closeness, §5. With p the shares of the classes in a group and q
in the file, the cost of moving a share from one class to another is

- nominal classes: 1, which makes the distance ½ Σ |pᵢ − qᵢ|, the total variation;
- ordinal classes: |i − j| / (C − 1), which makes it Σᵢ |Σⱼ≤ᵢ (pⱼ − qⱼ)| / (C − 1).

A missing class is a class of its own, one whole step from every other. For nominal classes nothing
else changes. For ordinal ones, with p₀ and q₀ the missing shares, the distance is
|p₀ − q₀| + min(1 − p₀, 1 − q₀) · E, E being the ordered distance among the classes present: the
cost of moving the missing share first. The risk measure t-closeness is defined in the same way.

If nothing is missing, and for nominal classes, the distance is convex in p: a union of groups
is no farther from the file than the farthest of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled


@compiled
def closeness(
    counts: NDArray[np.int64], size: int, overall: NDArray[np.int64], total: int, ordered: bool
) -> float:
    """Return the distance of a group's class counts to those of the file, from 0 to 1.

    The last place counts the missing. Sums are whole numbers and divided only once, so that
    rounding does not move a group that is exactly at the bound.

    >>> closeness(np.array([2, 0, 0, 0]), 2, np.array([2, 2, 2, 0]), 6, False)
    0.666...
    >>> closeness(np.array([0, 2, 0, 0]), 2, np.array([2, 2, 2, 0]), 6, True)
    0.333...
    """
    last = len(counts) - 1
    absent = abs(counts[last] * total - overall[last] * size)
    moved, surplus = 0, 0
    if not ordered:
        for i in range(last):
            moved += abs(counts[i] * total - overall[i] * size)
        return float((moved + absent) / (2.0 * size * total))
    missing = absent / (1.0 * size * total)
    present, overall_present = size - counts[last], total - overall[last]
    if present == 0 or overall_present == 0 or last < 2:
        return float(missing)
    for i in range(last - 1):
        surplus += counts[i] * overall_present - overall[i] * present
        moved += abs(surplus)
    order = moved / ((last - 1.0) * present * overall_present)
    return float(missing + min(present / size, overall_present / total) * order)


def distances(
    labels: NDArray[np.int64], classes: NDArray[np.int64], count: int, ordered: bool
) -> NDArray[np.float64]:
    """Return the distance of every group to the file; a class is 0 … `count` − 1, −1 if missing.

    >>> distances(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), 2, False)
    array([0.25, 0.25])
    """
    codes = np.where(classes < 0, count, classes)
    groups = int(labels.max(initial=-1)) + 1
    counts = np.zeros((groups, count + 1), np.int64)
    np.add.at(counts, (labels, codes), 1)
    overall = counts.sum(axis=0)
    values = [closeness(c, int(c.sum()), overall, len(labels), ordered) for c in counts]
    return np.array(values, dtype=np.float64)
