"""Tables of points with ties, outliers and duplicates."""

from collections.abc import Callable

import numpy as np

Table = np.ndarray


def squared_distances(points: Table, centre: Table) -> Table:
    """Column by column: the order in which the kernels add."""
    squares = (points - centre) ** 2
    return np.asarray(squares.cumsum(axis=1)[:, -1])


def constant_columns(rng: np.random.Generator, n: int, d: int) -> Table:
    points = rng.normal(size=(n, d))
    points[:, ::2] = 0.1
    return points


def duplicates(rng: np.random.Generator, n: int, d: int) -> Table:
    return rng.normal(size=(max(1, n // 4), d))[rng.integers(0, max(1, n // 4), n)]


def two_scales(rng: np.random.Generator, n: int, d: int) -> Table:
    return rng.normal(size=(n, d)) * 1e-3 + 1e6 * rng.integers(0, 3, (n, 1))


MAKERS: dict[str, Callable[[np.random.Generator, int, int], Table]] = {
    "normal": lambda rng, n, d: rng.normal(size=(n, d)),
    "lognormal": lambda rng, n, d: rng.lognormal(sigma=2.0, size=(n, d)),
    "few integers": lambda rng, n, d: rng.integers(0, 3, (n, d)).astype(float),
    "signs": lambda rng, n, d: rng.choice([-0.1, 0.1], (n, d)),
    "integers": lambda rng, n, d: rng.integers(-20, 20, (n, d)).astype(float),
    "all equal": lambda rng, n, d: np.full((n, d), 0.1),
    "constant columns": constant_columns,
    "duplicates": duplicates,
    "two scales": two_scales,
    "clusters": lambda rng, n, d: rng.normal(size=(n, d)) * 0.01 + rng.integers(0, 4, (n, 1)),
}
