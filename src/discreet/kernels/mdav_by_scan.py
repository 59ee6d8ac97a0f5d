"""MDAV by scanning all records that are left: for small tables. See `discreet.kernels.mdav`.

Arithmetic is that of the compiled kernel, in the same order, so that both give the same labels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.stretches import Advance

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]


class _Left:
    """The records that have no group yet, in their order, and their average."""

    def __init__(self, points: Floats, nominal: int) -> None:
        self.rows: Rows = np.arange(len(points))
        self.numeric = points.shape[1] - nominal
        self.columns = points.T.copy()
        codes = self.columns[self.numeric :].astype(np.int64)
        self.counts = [np.bincount(code) for code in codes]
        self.sums = self.slips = np.zeros((1, self.numeric))
        self._add(points[:, : self.numeric])

    def __len__(self) -> int:
        return len(self.rows)

    def _add(self, values: Floats) -> None:
        """Add records to sums that carry their rounding errors (Neumaier), one after another."""
        totals = np.cumsum(np.concatenate([self.sums, values]), axis=0)
        before, after = totals[:-1], totals[1:]
        slips = np.where(
            np.abs(before) >= np.abs(values), (before - after) + values, (values - after) + before
        )
        self.sums = totals[-1:]
        self.slips = np.cumsum(np.concatenate([self.slips, slips]), axis=0)[-1:]

    def from_average(self) -> Floats:
        """Return the squared distances to the average, which has the share of each category."""
        left = len(self)
        squared = self._numeric((self.sums[0] + self.slips[0]) / left)
        for counts, codes in zip(self.counts, self.columns[self.numeric :], strict=True):
            steps = 0.5 * (((counts**2).sum() / left - 2 * counts) / left + 1.0)
            squared += steps[codes.astype(np.int64)]
        return squared

    def from_record(self, record: Floats) -> Floats:
        """Return the squared distances to a record."""
        squared = self._numeric(record)
        for codes, code in zip(
            self.columns[self.numeric :], record[self.numeric :].tolist(), strict=True
        ):
            squared += codes != code
        return squared

    def _numeric(self, centre: Floats) -> Floats:
        squared = np.zeros(len(self))
        for column, value in zip(self.columns[: self.numeric], centre.tolist(), strict=False):
            gap = column - value
            gap *= gap
            squared += gap
        return squared

    def take(self, places: Rows) -> Rows:
        """Remove the records at these places, in their order, and return their rows."""
        rows = self.rows[places]
        gone = self.columns[:, places]
        self._add(-gone[: self.numeric].T)
        for counts, codes in zip(self.counts, gone[self.numeric :].astype(np.int64), strict=True):
            np.subtract.at(counts, codes, 1)
        kept = np.ones(len(self.rows), dtype=np.bool_)
        kept[places] = False
        self.rows, self.columns = self.rows[kept], self.columns[:, kept]
        return rows


def _around(left: _Left, seed: int, record: Floats, k: int) -> Rows:
    """Return the positions of the seed and of the k − 1 nearest to it, the first among equals."""
    squared = left.from_record(record)
    squared[seed] = -1.0
    last = np.partition(squared, k - 1)[k - 1]
    nearer = np.flatnonzero(squared < last)
    as_near = np.flatnonzero(squared == last)[: k - len(nearer)]
    return np.sort(np.concatenate([nearer, as_near]))


def labels_by_scan(
    points: Floats,
    k: int,
    advance: Advance | None = None,
    nominal: int = 0,
) -> Rows:
    """Return the labels of `mdav.mdav_labels`, for a table with columns and in range.

    >>> labels_by_scan(np.array([[18.0], [19.0], [45.0], [46.0]]), 2)
    array([0, 0, 1, 1])
    """
    left = _Left(points, nominal)
    labels = np.full(len(points), -1, np.int64)
    label = 0
    while len(left) >= 2 * k:
        pair = len(left) >= 3 * k
        squared = left.from_average()
        for _ in range(2 if pair else 1):
            seed = int(np.argmax(squared))
            record = left.columns[:, seed].copy()
            labels[left.take(_around(left, seed, record, k))] = label
            label += 1
            if pair:
                squared = left.from_record(record)
        if not pair:
            break
    labels[left.rows] = label
    if advance is not None and len(points):
        advance(len(points))
    return labels
