"""The nearest record outside a component against a scan of all records, in any boxes."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.kernels.kdtree import NOBODY, Tree, build
from discreet.kernels.kept_apart import build_apart
from discreet.kernels.lanes import LANES
from discreet.kernels.nearest_outside import MIXED, nearest_outside
from tests.kernels.points import MAKERS, Table


def slow_nearest(
    points: Table, record: int, component: Table, limit: float, nominal: int
) -> tuple[float, int]:
    outside = np.flatnonzero(component != component[record])
    numeric = points.shape[1] - nominal
    squares = np.zeros(len(outside))
    for j in range(numeric):
        squares += (points[outside, j] - points[record, j]) ** 2
    for j in range(numeric, points.shape[1]):
        squares += points[outside, j] != points[record, j]
    if squares.min(initial=np.inf) > limit or not len(outside):
        return limit, NOBODY
    first = int(squares.argmin())
    return float(squares[first]), int(outside[first])


def owners(tree: Tree, component: Table) -> Table:
    """The component of each slot whose records are all of one, from the records below it."""
    owner = np.full(tree.first.size, MIXED)
    below: dict[int, set[int]] = {}
    for leaf, size in enumerate(tree.size):
        below[leaf] = set(component[tree.records[leaf, :size]].tolist())
    for block in range(len(tree.parent) - 1):
        slots = range(block * LANES, (block + 1) * LANES)
        below[int(tree.parent[block])] = set().union(*(below.get(slot, set()) for slot in slots))
    for slot, found in below.items():
        if len(found) == 1:
            owner[slot] = found.pop()
    return owner


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("components", [3, 40])
@pytest.mark.parametrize("nominal", [0, 1])
@pytest.mark.parametrize("maker", ["normal", "few integers", "duplicates", "all equal"])
def test_the_nearest_record_is_that_of_a_scan(
    maker: str, nominal: int, components: int, apart: bool
) -> None:
    rng = np.random.default_rng(components)
    n = 700
    points = MAKERS[maker](rng, n, 3)
    points = np.column_stack([points, rng.integers(0, 4, (n, nominal))])
    component = rng.integers(0, components, n)
    if components < 10:  # large ones, which own whole boxes
        component = np.searchsorted(np.quantile(points[:, 0], [0.2, 0.5]), points[:, 0])
    if apart:
        tree = build_apart(points, rng.integers(0, 3, n), nominal)
    else:
        tree = build(points, np.arange(n), points.mean(axis=0), nominal)
    owner = owners(tree, component)
    for record in rng.integers(0, n, 40).tolist():
        home = int(tree.place[record]) // LANES
        for limit in (np.inf, 1.0, 0.01):
            found = nearest_outside(
                tree, points[record], home, component, owner, component[record], limit
            )
            assert found == slow_nearest(points, record, component, limit, nominal)
