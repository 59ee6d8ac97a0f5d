"""Third and fourth moments that local synthesis will change (eq. 8 and 9).

Within a cluster the synthetic values are normal, with the cluster's mean and covariance. So the
expectation of every moment of the release is known before it is made, and with it the change. If
they are t distributed this holds for the third moments, a t being as symmetric as a normal; the
fourth depend on how much of the tails shows in a cluster of a given number of records.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers
from discreet.models.mixture.members import members

MOST_COLUMNS = 20
BLOCK = 4_096
ROUNDING = 1e-12


def normal_moments(mean: Numbers, covariance: Numbers) -> tuple[Numbers, Numbers]:
    """Return E[X X X] and E[X X X X] of a normal X, as tables over all triples and quadruples.

    >>> third, fourth = normal_moments(np.array([1.0]), np.array([[2.0]]))
    >>> float(third[0, 0, 0]), float(fourth[0, 0, 0, 0])   # μ³ + 3μσ², μ⁴ + 6μ²σ² + 3σ⁴
    (7.0, 25.0)
    """
    m, s = mean, covariance
    mm = np.multiply.outer(m, m)
    third = np.multiply.outer(mm, m)
    for places in ("i,jk->ijk", "j,ik->ijk", "k,ij->ijk"):
        third = third + np.einsum(places, m, s)
    fourth = np.multiply.outer(mm, mm)
    for pair, rest in (("ij", "kl"), ("ik", "jl"), ("il", "jk")):
        fourth = fourth + np.einsum(f"{pair},{rest}->ijkl", mm, s)
        fourth = fourth + np.einsum(f"{pair},{rest}->ijkl", s, mm)
        fourth = fourth + np.einsum(f"{pair},{rest}->ijkl", s, s)
    return third, fourth


def sample_moments(values: Numbers) -> tuple[Numbers, Numbers]:
    """Return the third and fourth moments about 0, as tables over all triples and quadruples."""
    n, d = values.shape
    third, fourth = np.zeros((d * d, d)), np.zeros((d * d, d * d))
    for start in range(0, n, BLOCK):
        rows = values[start : start + BLOCK]
        pairs = (rows[:, :, None] * rows[:, None, :]).reshape(len(rows), d * d)
        third += pairs.T @ rows
        fourth += pairs.T @ pairs
    return third.reshape(d, d, d) / n, fourth.reshape(d, d, d, d) / n


def expected_change(
    values: Numbers, labels: NDArray[np.int64], names: Sequence[str], normal: bool = True
) -> dict[str, Any]:
    """Return by how much moments of order 3 and 4 are expected to change, mixed ones included.

    The values are standardised over all records. For each order: the mean relative change, a
    moment of zero being left out, and the one that changes most. Above 20 columns there are too
    many mixed moments, and nothing is returned. `normal` is false where the clusters are t.

    >>> values = np.random.default_rng(1).exponential(size=(4000, 1))
    >>> change = expected_change(values, np.zeros(4000, dtype=np.int64), ["x"])
    >>> change["expected change of moments of order 3"]   # a normal variable has no skewness
    '100.0 % (most: x × x × x, by 100.0 %)'
    """
    if not 0 < len(names) <= MOST_COLUMNS or not len(values):
        return {}
    # Column by column, and clusters in blocks: the file is not copied.
    centre = np.array([column.mean() for column in values.T])
    # The mean of a constant column may be off by rounding, which must not count as spread.
    constant = np.array([column.min() == column.max() for column in values.T])
    centre[constant] = values[0, constant]
    spread = np.array([column.std() for column in values.T])
    # Squares of the least numbers are zero.
    spread[constant | (spread == 0)] = 1.0
    d, n = len(names), len(values)
    before = [np.zeros((d,) * order) for order in (3, 4)]
    after = [np.zeros((d,) * order) for order in (3, 4)]
    for blocks in members(labels):
        size = sum(map(len, blocks))
        mean, squares = np.zeros(d), np.zeros((d, d))
        for block in blocks:
            rows = (values[block] - centre) / spread
            mean += rows.sum(axis=0) / size
            squares += rows.T @ rows / size
            for total, part in zip(before, sample_moments(rows), strict=True):
                total += len(block) / n * part
        for total, part in zip(
            after, normal_moments(mean, squares - np.outer(mean, mean)), strict=True
        ):
            total += size / n * part
    detail: dict[str, Any] = {}
    for order, old, new in zip((3, 4), before, after, strict=True):
        if order == 4 and not normal:
            detail[f"expected change of moments of order {order}"] = (
                "not predicted: the clusters are t"
            )
            continue
        places = np.array(list(combinations_with_replacement(range(len(names)), order)))
        was, now = old[tuple(places.T)], new[tuple(places.T)]
        used = np.flatnonzero(np.abs(was) > ROUNDING)
        if not len(used):
            continue
        changes = np.abs(now[used] - was[used]) / np.abs(was[used])
        most = int(changes.argmax())
        moment = " × ".join(names[i] for i in places[used[most]])
        detail[f"expected change of moments of order {order}"] = (
            f"{100 * changes.mean():.1f} % (most: {moment}, by {100 * changes[most]:.1f} %)"
        )
    return detail
