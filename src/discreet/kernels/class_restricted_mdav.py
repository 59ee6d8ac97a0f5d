"""MDAV with class divergence as an added term (Li & Sarkar 2013, §8).

Groups are formed from the outside in, as by MDAV. But the records that join a seed s are chosen
one by one, each time the one with the least

    α L(s, v) + (1 − α) JSD(group so far and v).

Only the class of v enters the divergence, so it is one of the nearest of each class to the seed.
With α = 1 the groups are those of MDAV, as long as no distances are tied.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled, inner
from discreet.kernels.divergence import jensen_shannon, on_grid
from discreet.kernels.stretches import Advance, next_pace

_FIRST_STRETCH = 4
"""Groups in the first stretch, a guess."""


class _Left(NamedTuple):
    """The records without a group, side by side at the front."""

    columns: NDArray[np.float64]  # (d, n)
    records: NDArray[np.int64]
    place: NDArray[np.int64]  # (n,) of each record in the two above
    squares: NDArray[np.float64]  # working space for distances


class _Nearest(NamedTuple):
    """The nearest of each class to a seed, the first of them first."""

    counts: NDArray[np.int64]  # (classes,) how many
    record: NDArray[np.int64]  # (classes, k − 1)
    length: NDArray[np.float64]  # α L, on the grid


@inner
def _distances(left: _Left, size: int, centre: NDArray[np.float64]) -> None:
    squares = left.squares[:size]
    for i in range(len(squares)):
        squares[i] = 0.0
    for j in range(len(centre)):
        value, column = centre[j], left.columns[j, :size]
        for i in range(size):
            gap = column[i] - value
            squares[i] += gap * gap


@inner
def _farthest(left: _Left, size: int, centre: NDArray[np.float64]) -> int:
    """The record farthest from a point, the first of the file among equals."""
    _distances(left, size, centre)
    best = 0
    for i in range(1, size):
        if left.squares[i] > left.squares[best] or (
            left.squares[i] == left.squares[best] and left.records[i] < left.records[best]
        ):
            best = i
    return int(left.records[best])


@inner
def _remove(left: _Left, size: int, record: int) -> int:
    """Move the last record into the place of another; returns how many are left."""
    at, last = left.place[record], size - 1
    moved = left.records[last]
    for j in range(len(left.columns)):
        left.columns[j, at] = left.columns[j, last]
    left.records[at], left.place[moved] = moved, at
    return last


@inner
def _rank(
    left: _Left,
    size: int,
    nearest: _Nearest,
    classes: NDArray[np.int64],
    attributes: float,
    alpha: float,
) -> None:
    """Find the nearest of each class by (α L, record), from the distances just taken."""
    for i in range(len(nearest.counts)):
        nearest.counts[i] = 0
    room = nearest.record.shape[1]
    for i in range(size):
        record = left.records[i]
        c = classes[record]
        length = on_grid(alpha * on_grid(np.sqrt(left.squares[i] / attributes)))
        at = nearest.counts[c]
        while at > 0 and (
            length < nearest.length[c, at - 1]
            or (length == nearest.length[c, at - 1] and record < nearest.record[c, at - 1])
        ):
            at -= 1
        if at == room:
            continue
        if nearest.counts[c] < room:
            nearest.counts[c] += 1
        for m in range(nearest.counts[c] - 1, at, -1):
            nearest.record[c, m] = nearest.record[c, m - 1]
            nearest.length[c, m] = nearest.length[c, m - 1]
        nearest.record[c, at], nearest.length[c, at] = record, length


@compiled
def _fill(
    nearest: _Nearest,
    classes: NDArray[np.int64],
    shares: NDArray[np.float64],
    alpha: float,
    group: NDArray[np.int64],
) -> None:
    """Choose the records that join the seed in `group[0]`, the best of all classes each time."""
    counts, taken = np.zeros(len(shares), np.int64), np.zeros(len(shares), np.int64)
    counts[classes[group[0]]] += 1
    for m in range(1, len(group)):
        chosen, least = -1, np.inf
        for c in range(len(shares)):
            if taken[c] == nearest.counts[c]:
                continue
            counts[c] += 1
            distance = nearest.length[c, taken[c]] + on_grid(
                (1 - alpha) * jensen_shannon(counts, m + 1, shares)
            )
            counts[c] -= 1
            if (
                chosen < 0
                or distance < least
                or (
                    distance == least
                    and nearest.record[c, taken[c]] < nearest.record[chosen, taken[chosen]]
                )
            ):
                chosen, least = c, distance
        group[m] = nearest.record[chosen, taken[chosen]]
        taken[chosen] += 1
        counts[chosen] += 1


@compiled
def _form_groups(
    points: NDArray[np.float64],
    attributes: float,
    classes: NDArray[np.int64],
    shares: NDArray[np.float64],
    alpha: float,
    k: int,
    left: _Left,
    size: int,
    label: int,
    labels: NDArray[np.int64],
    rounds: int,
) -> tuple[int, int]:
    """Form groups for some rounds, two in each but the last; return how many records remain."""
    group, centre = np.empty(k, np.int64), np.empty(points.shape[1])
    nearest = _Nearest(
        np.zeros(len(shares), np.int64),
        np.empty((len(shares), k - 1), np.int64),
        np.empty((len(shares), k - 1)),
    )
    while rounds > 0 and size >= 2 * k:
        rounds -= 1
        for j in range(len(centre)):
            centre[j] = left.columns[j, :size].mean()
        for _ in range(2 if size >= 3 * k else 1):
            seed = _farthest(left, size, centre)
            centre[:] = points[seed]
            group[0] = seed
            size = _remove(left, size, seed)
            _distances(left, size, centre)
            _rank(left, size, nearest, classes, attributes, alpha)
            _fill(nearest, classes, shares, alpha, group)
            labels[seed] = label
            for m in range(1, k):
                labels[group[m]] = label
                size = _remove(left, size, group[m])
            label += 1
    return size, label


def class_restricted_mdav_labels(
    points: NDArray[np.float64],
    attributes: int,
    classes: NDArray[np.int64],
    k: int,
    alpha: float,
    advance: Advance | None = None,
) -> NDArray[np.int64]:
    """Group records as MDAV does, with the classes of each group near those of the file.

    Parameters
    ----------
    points, attributes
        Records by coordinates; a length is the Euclidean distance over the root of `attributes`.
    classes
        The class of each record, from 0 without gaps.
    k
        Least size of a group, 2 or more; with fewer than 2k records there is one group.
    alpha
        Weight of the length, from 0 to 1; the rest is that of the divergence.
    advance
        Called between stretches of work with the number of records grouped since the last call.

    Returns
    -------
    The group of each record, numbered from 0 in the order in which groups are formed.

    Examples
    --------
    >>> points, classes = np.array([[0.0], [0.1], [0.3], [0.9], [1.0]]), np.array([0, 0, 1, 1, 0])
    >>> class_restricted_mdav_labels(points, 1, classes, k=2, alpha=0.5)
    array([1, 1, 1, 0, 0])
    >>> class_restricted_mdav_labels(points, 1, np.array([0, 0, 1, 1, 1]), k=2, alpha=0.1)
    array([1, 0, 1, 1, 0])
    """
    points = np.require(points, np.float64, ["C", "A", "W"])
    classes = np.ascontiguousarray(classes, np.int64)
    n = len(points)
    left = _Left(np.array(points.T, order="C"), np.arange(n), np.arange(n), np.empty(n))
    labels = np.full(n, -1, np.int64)
    size, label, pace = n, 0, float(_FIRST_STRETCH)
    shares = np.bincount(classes) / max(n, 1)
    while size >= 2 * k:
        before, clock = size, time.perf_counter()
        size, label = _form_groups(
            points, float(attributes), classes, shares, float(alpha), k, left, size, label, labels,
            max(1, int(pace)),
        )  # fmt: skip
        pace = next_pace(pace, clock)
        if advance is not None:
            advance(before - size)
    labels[labels < 0] = label
    if advance is not None:
        advance(size)
    return labels
