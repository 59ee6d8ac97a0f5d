"""MDAV in many small strata at once, by scanning, since a tree of each takes longer to build.

Arithmetic is that of `discreet.kernels.mdav`, in the same order, so that both give the same labels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.carried_sums import add
from discreet.kernels.compiling import compiled, inner
from discreet.kernels.magnitude import in_range

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]


@inner
def _farthest(squared: Floats, labels: Rows, start: int, end: int) -> int:
    """Return the remaining record that is farthest, the first among equals."""
    best = -1
    for record in range(start, end):
        if labels[record] < 0 and (best < 0 or squared[record - start] > squared[best - start]):
            best = record
    return best


@inner
def _measure(
    squared: Floats, points: Floats, labels: Rows, start: int, end: int, centre: Floats
) -> None:
    """Set the squared distances of the remaining records from a centre, in its numeric columns."""
    for record in range(start, end):
        if labels[record] < 0:
            total = 0.0
            for j in range(len(centre)):
                gap = points[record, j] - centre[j]
                total += gap * gap
            squared[record - start] = total


@compiled
def _label_strata(points: Floats, ends: Rows, k: int, nominal: int, labels: Rows) -> None:
    numeric = points.shape[1] - nominal
    largest = start = widest = 0
    for end in ends:
        largest, start = max(largest, end - start), end
    for record in range(len(points)):
        for m in range(nominal):
            widest = max(widest, int(points[record, numeric + m]) + 1)
    squared, centre = np.empty(largest), np.empty(numeric)
    counts = np.zeros((nominal, widest), np.int64)
    sums, slips = np.empty(numeric), np.empty(numeric)
    start = label = 0
    for end in ends:
        sums[:], slips[:] = 0.0, 0.0
        for record in range(start, end):
            add(sums, slips, points, record, 1.0)
            for m in range(nominal):
                counts[m, int(points[record, numeric + m])] += 1
        left = end - start
        while left >= 2 * k:
            pair = left >= 3 * k
            for j in range(numeric):
                centre[j] = (sums[j] + slips[j]) / left
            _measure(squared, points, labels, start, end, centre)
            for m in range(nominal):
                both = 0
                for code in range(widest):
                    both += counts[m, code] ** 2
                for record in range(start, end):
                    if labels[record] < 0:
                        count = counts[m, int(points[record, numeric + m])]
                        squared[record - start] += 0.5 * ((both / left - 2 * count) / left + 1.0)
            for _ in range(2 if pair else 1):
                seed = _farthest(squared, labels, start, end)
                for j in range(numeric):
                    centre[j] = points[seed, j]
                _measure(squared, points, labels, start, end, centre)
                for record in range(start, end):
                    for m in range(numeric, numeric + nominal):
                        squared[record - start] += points[record, m] != points[seed, m]
                labels[seed] = label
                for _ in range(k - 1):
                    near = -1
                    for record in range(start, end):
                        if labels[record] < 0 and (
                            near < 0 or squared[record - start] < squared[near - start]
                        ):
                            near = record
                    labels[near] = label
                for record in range(start, end):
                    if labels[record] == label:
                        add(sums, slips, points, record, -1.0)
                        for m in range(nominal):
                            counts[m, int(points[record, numeric + m])] -= 1
                left -= k
                label += 1
            if not pair:
                break
        for record in range(start, end):
            if labels[record] < 0:
                labels[record] = label
                for m in range(nominal):
                    counts[m, int(points[record, numeric + m])] -= 1
        label += 1
        start = end


def mdav_labels_within(points: Floats, ends: Rows, k: int, nominal: int = 0) -> Rows:
    """Group the records of each stratum by MDAV, as `discreet.kernels.mdav` groups a table.

    `points` are ordered by stratum, and `ends` says where each stratum ends. The last `nominal`
    columns are codes. Groups are numbered from 0 through all strata. The time grows with the
    squares of their sizes.

    >>> ages = np.array([[18.0], [80.0], [19.0], [83.0], [45.0], [46.0]])
    >>> mdav_labels_within(ages, np.array([4, 6]), 2)
    array([1, 0, 1, 0, 2, 2])
    """
    points, _ = in_range(np.require(points, np.float64, ["C", "A", "W"]), "MDAV", nominal)
    labels = np.full(len(points), -1, np.int64)
    _label_strata(points, np.require(ends, np.int64, ["C", "A", "W"]), k, nominal, labels)
    return labels
