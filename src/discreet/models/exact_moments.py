"""Synthetic values with exactly the mean and the covariance matrix of the original ones.

The common definition behind R-microhybrid, HybridMicro, local synthesis and noise that keeps
moments exactly. Normal draws are shifted, rotated and scaled until their mean and covariance are
those of the records: what mvrnorm(empirical=TRUE) of the R package MASS does (Oganian &
Domingo-Ferrer 2017, §4), after Burridge (2003).

With X the deviations of n records from their mean, and A any matrix with AᵀA = XᵀX, the values
mean + Z·A have the same mean and the same covariance matrix if the columns of Z are orthonormal and
each sums to zero. Z is drawn uniformly among all such matrices. A has no more than n − 1 rows, so
nothing has to be inverted and no rank guessed: constant columns, collinear columns and
groups with fewer records than columns need no special case, and the result lies in the
subspace that the records span.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.progress import Advance
from discreet.errors import DataError
from discreet.microdata import Numbers

Draw = Callable[[int, int], Numbers]
"""Independent draws for this many records and columns."""

LEAST = 3
"""Two records with the same mean and covariance would be the same two records."""
CELLS = 200_000
"""Cells of the groups that are processed together, and of the largest group not cut into blocks."""
BLOCK = 6000
"""Numbers in a block that is factored at a time."""


def put_exact_moments(
    values: Numbers,
    labels: NDArray[np.int64],
    rng: np.random.Generator,
    advance: Advance | None = None,
) -> None:
    """Put synthetic records with exactly the mean and covariance matrix of each group in place.

    Groups of one size are processed together, a large group block by block: besides the values
    there is only the order of the records by group, and memory for blocks.

    >>> values = np.array([[1.0], [2.0], [9.0]])
    >>> put_exact_moments(values, np.zeros(3, dtype=np.int64), np.random.default_rng(1))
    >>> round(float(values.mean()), 9), round(float(values.var()), 6)
    (4.0, 12.666667)

    >>> values = np.array([[1.0], [2.0], [9.0], [100.0], [200.0], [600.0]])
    >>> put_exact_moments(values, np.array([0, 0, 0, 1, 1, 1]), np.random.default_rng(1))
    >>> bool(np.allclose([values[:3].mean(), values[3:].mean()], [4.0, 300.0]))
    True
    >>> put_exact_moments(values, np.array([0, 0, 0, 0, 1, 1]), np.random.default_rng(1))
    Traceback (most recent call last):
    discreet.errors.DataError: synthetic values with exact moments need groups of at least 3
    records, but one has 2, which would come back as they are; form larger groups
    """
    sizes = np.bincount(labels) if len(labels) else np.zeros(0, dtype=np.int64)
    require_size(sizes[sizes > 0], LEAST)
    order = np.argsort(labels, kind="stable")
    starts = np.cumsum(sizes) - sizes
    columns = values.shape[1]
    for size in np.unique(sizes[sizes > 0]).tolist():
        groups = np.flatnonzero(sizes == size)
        if is_large(size, columns):
            for start in starts[groups].tolist():
                rows = order[start : start + size]
                put_in_blocks(values, rows, lambda *shape: rng.standard_normal(shape), advance)
            continue
        step = max(1, CELLS // (size * max(columns, 1)))
        for at in range(0, len(groups), step):
            rows = order[starts[groups[at : at + step], None] + np.arange(size)]
            values[rows] = _synthetic(values[rows], rng)
            if advance is not None:
                advance(rows.size)


def is_large(records: int, columns: int) -> bool:
    """Whether a group is cut into blocks; it has far more records than columns then.

    >>> is_large(1_000_000, 10), is_large(100, 10)
    (True, False)
    """
    return records * columns > CELLS and records > 2 * columns


def put_in_blocks(
    values: Numbers, rows: NDArray[np.int64], draw: Draw, advance: Advance | None = None
) -> None:
    """Put synthetic records in the place of these rows, a block of them at a time.

    The draws behind a constant, [1 Y] = QR, give Z as all columns of Q but the first. Neither Q
    nor a copy of the values is kept: the first pass over the values computes their mean and root A,
    the next one draws Y into their place and computes R, and the last one makes mean + Z·A.

    >>> values = np.array([[1.0], [2.0], [6.0], [7.0]])
    >>> put_in_blocks(values, np.arange(4), lambda *shape: np.array([[3.0], [1.0], [5.0], [4.0]]))
    >>> round(float(values.mean()), 9), round(float(values.var()), 9)
    (4.0, 6.5)
    """
    columns = values.shape[1]
    blocks = np.array_split(rows, -(-len(rows) * columns // max(BLOCK, 2 * columns**2)))
    mean = _mean_of(values, rows, blocks)
    root = np.empty((0, columns))
    for block in blocks:
        root = _root_below(root, values[block] - mean)
    turn = np.empty((0, 1 + columns))
    for block in blocks:
        values[block] = drawn = draw(len(block), columns)
        turn = _root_below(turn, np.column_stack([np.ones(len(block)), drawn]))
    back = np.linalg.inv(_signs(turn)[:, None] * turn)[:, 1:] @ root
    for block in blocks:
        values[block] = values[block] @ back[1:] + (mean + back[0])
        if advance is not None:
            advance(len(block))


def with_moments_of(values: Numbers, draws: Numbers) -> Numbers:
    """Return the draws, by one linear map for all of them, with the values' mean and covariance.

    It takes a draw for every record, in as many columns as the values have, or in one less than
    there are records where that is fewer.

    >>> values = np.array([[1.0], [2.0], [6.0], [7.0]])
    >>> made = with_moments_of(values, np.array([[3.0], [1.0], [5.0], [4.0]]))
    >>> round(float(made.mean()), 9), round(float(made.var()), 9)
    (4.0, 6.5)
    """
    means = _means(values)
    # Orthogonal to the sum, the draws have mean zero.
    return means + _back(_orthonormal(_across(draws)) @ _root(values - means))


def exact_noise(values: Numbers, rng: np.random.Generator) -> Numbers:
    """Return noise with exactly the values' covariance matrix, and exactly uncorrelated with them.

    Its mean is zero. Added to the values, c times as much of it (in variance) multiplies their
    covariance matrix by exactly 1 + c: eq. 10 of Oganian & Domingo-Ferrer (2017) made exact. It
    takes more than twice as many records as columns.

    >>> values = np.array([[1.0], [2.0], [4.0], [9.0]])
    >>> noise = exact_noise(values, np.random.default_rng(1))
    >>> bool(np.allclose(np.cov(values.T, noise.T), np.cov(values.T) * np.eye(2)))
    True
    """
    rows, columns = values.shape
    if rows < 2 * columns + 1:
        raise DataError(
            f"exact noise for {columns} columns needs at least {2 * columns + 1} records, but the "
            f"data have {rows}; treat fewer columns, or use noise that is exact on average only"
        )
    # Factorising [1, values, draws] leaves the draws orthogonal to the constant and the values.
    # Without a part along the constant the noise has mean zero.
    joint = np.empty((rows, 1 + 2 * columns))
    joint[:, 0] = 1
    np.subtract(values, _means(values), out=joint[:, 1 : 1 + columns])
    joint[:, 1 + columns :] = rng.standard_normal(values.shape)
    root = _factored(joint)
    of_values, of_draws = slice(1, 1 + columns), slice(1 + columns, None)
    return _times(
        joint[:, of_draws], _signs(root[of_draws, of_draws])[:, None] * root[of_values, of_values]
    )


def require_size(sizes: NDArray[np.int64], least: int) -> None:
    """Refuse groups that are too small to be synthesised with exact moments."""
    smallest = int(sizes.min(initial=least))
    if smallest < least:
        came_back = ", which would come back as they are" if smallest < LEAST else ""
        raise DataError(
            f"synthetic values with exact moments need groups of at least {least} records, but "
            f"one has {smallest}{came_back}; form larger groups"
        )


def _synthetic(values: Numbers, rng: np.random.Generator) -> Numbers:
    """Return the synthetic records of a stack of groups of one size: groups × records × columns."""
    means = _means(values)
    root = _root(values - means)
    turned = rng.standard_normal((*values.shape[:-2], values.shape[-2] - 1, root.shape[-2]))
    return means + _back(_orthonormal(turned) @ root)


def _root(deviations: Numbers) -> Numbers:
    """Return a root A of each group, AᵀA = XᵀX, with no more rows than columns or n − 1."""
    root = _across(deviations)
    tall = root.shape[-2] > root.shape[-1]
    return np.asarray(np.linalg.qr(root, mode="r")) if tall else root


def _mean_of(values: Numbers, rows: NDArray[np.int64], blocks: list[NDArray[np.int64]]) -> Numbers:
    """Return the mean of each column over these rows, as `_means` does for a group at once."""
    least, most = (np.array([take(values[b], axis=0) for b in blocks]) for take in (np.min, np.max))
    least, most = least.min(axis=0), most.max(axis=0)
    mean = sum(values[b].sum(axis=0) for b in blocks) / len(rows)
    mean = mean + sum((values[b] - mean).sum(axis=0) for b in blocks) / len(rows)
    return np.asarray(np.where(least == most, least, mean))


def _root_below(root: Numbers, block: Numbers) -> Numbers:
    """Return the triangular root of a matrix and a block of rows below it."""
    return np.asarray(np.linalg.qr(np.concatenate([root, block]), mode="r"))


def _means(values: Numbers) -> Numbers:
    """Return the mean of each column of each group, to the last bit where all values are equal."""
    means = values.mean(axis=-2, keepdims=True)
    # A second pass corrects the rounding of the sum in the first.
    means += (values - means).mean(axis=-2, keepdims=True)
    least = values.min(axis=-2, keepdims=True)
    return np.asarray(np.where(least == values.max(axis=-2, keepdims=True), least, means))


def _orthonormal(draws: Numbers) -> Numbers:
    """Return orthonormal columns, uniformly drawn if the entries are independent normal draws."""
    columns, root = np.linalg.qr(draws)
    return np.asarray(columns * _signs(root)[..., None, :])


def _signs(root: Numbers) -> Numbers:
    """Return the signs that make the diagonal of a triangular root positive.

    The factorisation prefers one sign; with these it is unique.
    """
    return np.where(np.diagonal(root, axis1=-2, axis2=-1) < 0, -1.0, 1.0)


def _factored(values: Numbers) -> Numbers:
    """Turn values in place into orthonormal columns Q; return the triangular R of values = QR.

    Blocks of rows are factored, then their roots on top of each other (Demmel et al. 2012, TSQR):
    as exact as in one step, faster since a block stays in the cache, and the same with any number
    of threads.
    """
    blocks = _blocks(values)
    if len(blocks) == 1:
        values[:], root = np.linalg.qr(values)
        return root
    roots = []
    for block in blocks:
        block[:], root = np.linalg.qr(block)
        roots.append(root)
    turns = np.concatenate(roots)
    root = _factored(turns)
    for i, block in enumerate(blocks):
        block[:] = block @ turns[i * len(root) : (i + 1) * len(root)]
    return root


def _times(values: Numbers, square: Numbers) -> Numbers:
    """Return the product of a long matrix and a small square one."""
    result = np.empty(values.shape)
    for part, block in zip(_blocks(values), _blocks(result), strict=True):
        np.matmul(part, square, out=block)
    return result


def _blocks(values: Numbers) -> list[Numbers]:
    """Return blocks of rows, each with at least twice as many rows as columns if there are several.

    A block is small enough for the cache, and for a single thread.
    """
    rows, columns = values.shape
    count = rows // max(BLOCK // max(1, columns), 2 * columns, 1)
    return np.array_split(values, max(1, count))


def _across(deviations: Numbers) -> Numbers:
    """Return deviations, which sum to zero, in n − 1 coordinates at right angles to the sum.

    A reflection takes the direction of the sum, (1, …, 1)/√n, to the first axis, which is dropped.
    """
    return np.asarray(_reflected(deviations)[..., 1:, :])


def _back(coordinates: Numbers) -> Numbers:
    """Return deviations of n records from n − 1 coordinates: the way back from `_across`."""
    first = np.zeros((*coordinates.shape[:-2], 1, coordinates.shape[-1]))
    return _reflected(np.concatenate([first, coordinates], axis=-2))


def _reflected(values: Numbers) -> Numbers:
    """Reflect the records at the plane between the first axis and the direction of the sum."""
    share = 1 / math.sqrt(values.shape[-2])
    normal = np.full((values.shape[-2], 1), -share)
    normal[0] += 1
    along = (values * normal).sum(axis=-2, keepdims=True) / (1 - share)
    return np.asarray(values - normal * along)
