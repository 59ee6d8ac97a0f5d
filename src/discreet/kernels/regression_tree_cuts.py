"""The best cut of one column within a node of a regression tree.

A cut of n records into parts reduces the error of eq. 2 by Σ n_c |ȳ_c − ȳ|²; with responses that
are centred on the node's mean this is Σ |s_c|² / n_c, s_c the sum of the responses of part c. The
larger this gain, the smaller the error within the parts.

Gains that differ by less than `tie` are equal, and the first one wins: rounding must not decide.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled, inner

Entries = NDArray[np.int64]
"""Records of a node in the order of a numeric column: rank · 2³² + place in the table."""

PLACE = 2**32 - 1
_DIGITS = 1e8  # scores of categories that agree to one part in this many are ties


@compiled
def centre(y: NDArray[np.float64], start: int, end: int, mean: NDArray[np.float64]) -> float:
    """Write the mean of the responses of these records, and return their error (eq. 2)."""
    error = 0.0
    for j in range(y.shape[1]):
        total = 0.0
        for i in range(start, end):
            total += y[i, j]
        mean[j] = total / (end - start)
        for i in range(start, end):
            error += (y[i, j] - mean[j]) ** 2
    return error


@inner
def numeric_cut(
    entries: Entries, y: NDArray[np.float64], mean: NDArray[np.float64], k: int, tie: float
) -> tuple[float, int]:
    """Return the gain of the best cut between distinct values, and how many records lie below."""
    n = len(entries)
    best, below = 0.0, 0
    if n < 2 * k or entries[0] >> 32 == entries[n - 1] >> 32:
        return best, below
    if y.shape[1] == 2:
        return _cut_of_two_responses(entries, y, mean, k, tie)
    left = np.zeros(y.shape[1])
    for i in range(n - k):
        place = entries[i] & PLACE
        for j in range(len(left)):
            left[j] += y[place, j] - mean[j]
        if i + 1 >= k and entries[i + 1] >> 32 != entries[i] >> 32:
            square = 0.0
            for j in range(len(left)):
                square += left[j] * left[j]
            gain = square * n / (float(i + 1) * float(n - i - 1))
            if gain > best + tie:
                best, below = gain, i + 1
    return best, below


@inner
def _cut_of_two_responses(
    entries: Entries, y: NDArray[np.float64], mean: NDArray[np.float64], k: int, tie: float
) -> tuple[float, int]:
    # The same with both sums in registers takes half the time.
    n = len(entries)
    best, below = 0.0, 0
    first, second = 0.0, 0.0
    mean_first, mean_second = mean[0], mean[1]
    for i in range(n - k):
        place = entries[i] & PLACE
        first += y[place, 0] - mean_first
        second += y[place, 1] - mean_second
        if i + 1 >= k and entries[i + 1] >> 32 != entries[i] >> 32:
            gain = (first * first + second * second) * n / (float(i + 1) * float(n - i - 1))
            if gain > best + tie:
                best, below = gain, i + 1
    return best, below


@compiled
def tally(
    codes: NDArray[np.int32],
    y: NDArray[np.float64],
    start: int,
    mean: NDArray[np.float64],
    counts: NDArray[np.int64],
    sums: NDArray[np.float64],
    present: NDArray[np.int64],
) -> int:
    """Sum the centred responses of each category; return how many categories occur.

    `counts` and `sums` are zeros before and after: `forget` clears what was written.
    """
    occurring = 0
    for i in range(len(codes)):
        code = codes[i]
        if counts[code] == 0:
            present[occurring] = code
            occurring += 1
        counts[code] += 1
        for j in range(y.shape[1]):
            sums[code, j] += y[start + i, j] - mean[j]
    return occurring


@compiled
def forget(
    counts: NDArray[np.int64], sums: NDArray[np.float64], present: NDArray[np.int64]
) -> None:
    """Reset the tallies of these categories to zero."""
    for code in present:
        counts[code] = 0
        for j in range(sums.shape[1]):
            sums[code, j] = 0.0


@compiled
def _direction(
    counts: NDArray[np.int64], sums: NDArray[np.float64], present: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the first principal component of the category means weighted by their counts.

    Its largest entry is positive, so that low responses come first.
    """
    r = sums.shape[1]
    between = np.zeros((r, r))
    for code in present:
        for j in range(r):
            for m in range(r):
                between[j, m] += sums[code, j] * sums[code, m] / counts[code]
    if r == 1:
        return np.ones(1)
    if r == 2:
        angle = 0.5 * np.arctan2(2 * between[0, 1], between[0, 0] - between[1, 1])
        axis = np.array([np.cos(angle), np.sin(angle)])
    else:
        axis = np.linalg.eigh(between)[1][:, r - 1].copy()
    largest = 0
    for j in range(1, r):
        if abs(axis[j]) > abs(axis[largest]) + 1 / _DIGITS:
            largest = j
    if axis[largest] < 0:
        axis = -axis
    return axis


@inner
def category_order(
    counts: NDArray[np.int64],
    sums: NDArray[np.float64],
    present: NDArray[np.int64],
    keys: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return the categories in the order in which they are cut.

    With one response that is the order of their means, in which no cut in two is better than the
    best of these (Breiman et al. 1984); with several, that of their scores on the first principal
    component. Among equal scores the lower category comes first.
    """
    axis = _direction(counts, sums, present)
    ordered = keys[: len(present)]
    for c in range(len(present)):
        code = present[c]
        score = 0.0
        for j in range(len(axis)):
            score += axis[j] * sums[code, j]
        ordered[c] = (int(np.rint(score / counts[code] * _DIGITS)) << 32) + code
    sort(ordered)
    for c in range(len(ordered)):
        ordered[c] &= PLACE
    return ordered


@inner
def sort(values: NDArray[np.int64]) -> None:
    """Sort in place, by gaps that shrink (Shell): the compiler's own sort takes long to compile."""
    gap = len(values) // 2
    while gap > 0:
        for i in range(gap, len(values)):
            value, at = values[i], i
            while at >= gap and values[at - gap] > value:
                values[at] = values[at - gap]
                at -= gap
            values[at] = value
        gap //= 2


@inner
def category_cut(
    counts: NDArray[np.int64],
    sums: NDArray[np.float64],
    ordered: NDArray[np.int64],
    n: int,
    k: int,
    tie: float,
    parts: NDArray[np.int64],
) -> tuple[float, int]:
    """Return the gain of the best cut of the ordered categories, and the number of parts.

    `parts` receives the part of each category.
    """
    left = np.zeros(sums.shape[1])
    best, cut, below = 0.0, 0, 0
    for c in range(len(ordered) - 1):
        code = ordered[c]
        below += counts[code]
        square = 0.0
        for j in range(len(left)):
            left[j] += sums[code, j]
            square += left[j] * left[j]
        if below >= k and n - below >= k:
            gain = square * n / (float(below) * float(n - below))
            if gain > best + tie:
                best, cut = gain, c + 1
    for c in range(len(ordered)):
        parts[ordered[c]] = 0 if c < cut else 1
    return best, 2 if cut > 0 else 0


@inner
def _several(labels: NDArray[np.int64], level: int, present: NDArray[np.int64], first: int) -> bool:
    """Whether the values that are present, from the first on, have several labels at a level."""
    for i in range(first + 1, len(present)):
        if labels[level, present[i]] != labels[level, present[first]]:
            return True
    return False


@inner
def hierarchy_cut(
    counts: NDArray[np.int64],
    sums: NDArray[np.float64],
    present: NDArray[np.int64],
    labels: NDArray[np.int64],
    k: int,
    parts: NDArray[np.int64],
) -> tuple[float, int]:
    """Return the gain of the cut into the children of the node of the hierarchy, and their number.

    `labels` has for each level the label number of each category; the node is the lowest label
    that covers the records, and every child that occurs must have k of them. Category 0 is
    "missing": a child of its own if it has k records, otherwise part of the first child.
    """
    level = 0
    first = 1 if len(present) > 0 and present[0] == 0 else 0  # the first value that is not missing
    values = len(present) - first
    if values < 2:
        if values == 0 or counts[0] < k or counts[present[first]] < k:
            return 0.0, 0
    else:
        while _several(labels, level, present, first):
            level += 1
        level -= 1
    level = max(level, 0)
    children = np.empty(values, np.int64)
    for i in range(values):
        children[i] = labels[level, present[first + i]]
    sort(children)
    distinct = 1
    for i in range(1, values):
        if children[i] != children[distinct - 1]:
            children[distinct] = children[i]
            distinct += 1
    apart = 1 if counts[0] >= k else 0  # the missing ones are a child of their own
    count = distinct + apart
    part_counts = np.zeros(count, np.int64)
    part_sums = np.zeros((count, sums.shape[1]))
    for code in present:
        part = 0
        if code > 0:
            while children[part] < labels[level, code]:
                part += 1
            part += apart
        parts[code] = part
        part_counts[part] += counts[code]
        for j in range(sums.shape[1]):
            part_sums[part, j] += sums[code, j]
    gain = 0.0
    for part in range(count):
        if part_counts[part] < k:
            return 0.0, 0
        for j in range(sums.shape[1]):
            gain += part_sums[part, j] ** 2 / part_counts[part]
    return gain, count
