"""Time of spanning trees compared with scipy's dense one, how it grows, and what cutting adds.

    python -m bench microaggregation.mst_speed [--quick]

Total lengths are compared as well. Records are independent normal unless stated otherwise: the
hardest case for the boxes that save comparisons.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import minimum_spanning_tree as dense_tree
from scipy.spatial.distance import pdist, squareform

from discreet.kernels.mst import grow_by_comparison, minimum_spanning_tree
from discreet.kernels.tree_closeness import cut_by_closeness
from discreet.kernels.tree_cutting import cut_by_size
from discreet.kernels.tree_growing import grow_by_boxes, share_of_boxes

Points = NDArray[np.float64]
K, T, CLASSES = 5, 0.2, 3


def normal(n: int, d: int) -> Points:
    return np.random.default_rng(n + d).normal(size=(n, d))


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def beside_scipy(n: int, d: int, rounds: int) -> None:
    """The best of several rounds of each, taken in turn."""
    points = normal(n, d)
    boxed, dense = [], []
    for _ in range(rounds):
        elapsed, (_, lengths) = seconds(lambda: minimum_spanning_tree(points))
        boxed.append(elapsed)
        elapsed, tree = seconds(lambda: dense_tree(squareform(pdist(points))))
        dense.append(elapsed)
        if not np.isclose(lengths.sum(), tree.sum()):
            raise SystemExit(f"{n} x {d}: the total length is not scipy's")
    ratio = min(dense) / min(boxed)
    print(f"{f'{n:,} x {d}':>15}{min(dense):12.3f}{min(boxed):12.3f}{ratio:12.1f}", flush=True)


def both_ways(name: str, points: Points) -> None:
    """The two ways of finding the tree, with the share of boxes that decides between them."""
    boxes, (_, squares) = seconds(lambda: grow_by_boxes(points))
    compared, (_, others) = seconds(lambda: grow_by_comparison(points))
    if not np.array_equal(np.sort(squares), np.sort(others)):
        raise SystemExit(f"{name}: the two ways find different trees")
    size = f"{points.shape[0]:,} x {points.shape[1]}"
    share = share_of_boxes(points)
    print(
        f"{name:22}{size:>15}{share:8.3f}{compared:12.3f}{boxes:12.3f}{compared / boxes:12.1f}",
        flush=True,
    )


def growth(d: int, sizes: list[int]) -> None:
    before: tuple[int, float] | None = None
    for n in sizes:
        points = normal(n, d)
        classes = np.random.default_rng(n).integers(0, CLASSES, n)
        grown, (edges, lengths) = seconds(partial(minimum_spanning_tree, points))
        cut, _ = seconds(partial(cut_by_size, edges, lengths, K))
        close, _ = seconds(partial(cut_by_closeness, edges, lengths, K, classes, CLASSES, T))
        exponent = ""
        if before:
            exponent = f"{np.log(grown / before[1]) / np.log(n / before[0]):10.2f}"
        print(f"{f'{n:,} x {d}':>15}{grown:10.3f}{cut:10.3f}{close:12.3f}{exponent}", flush=True)
        before = n, grown


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="mst_speed", description="spanning trees and cutting")
    parser.add_argument("--quick", action="store_true", help="smaller sizes")
    quick = parser.parse_args(arguments).quick
    for d in (2, 3):  # compile, or load what was compiled
        edges, lengths = minimum_spanning_tree(normal(5_000, d))
        grow_by_comparison(normal(100, d))
        cut_by_size(edges, lengths, K)
        cut_by_closeness(edges, lengths, K, np.zeros(5_000, np.int64), 1, T)

    print(f"{'size':>15}{'scipy s':>12}{'ours s':>12}{'ratio':>12}")
    for n in (1_000, 2_000) if quick else (1_000, 2_000, 5_000):
        beside_scipy(n, 4, 1 if quick else 3)

    print(f"\n{'data':22}{'size':>15}{'share':>8}{'Prim s':>12}{'boxes s':>12}{'ratio':>12}")
    n = 5_000 if quick else 20_000
    rng = np.random.default_rng(1)
    for d in (2, 4, 9, 13, 20):
        both_ways("independent normal", normal(n, d))
    both_ways("equicorrelated, 0.8", normal(n, 13) + 2 * rng.normal(size=(n, 1)))
    categories = np.eye(20)[rng.integers(0, 20, n)] * np.sqrt(0.5)
    both_ways("normal and 20 categories", np.column_stack([normal(n, 2), categories]))

    print(f"\n{'size':>15}{'tree s':>10}{'cut s':>10}{'within t s':>12}{'exponent':>10}")
    growth(4, [10_000, 20_000] if quick else [10_000, 20_000, 50_000, 100_000, 200_000])
    growth(9, [10_000] if quick else [10_000, 20_000, 40_000])


if __name__ == "__main__":
    main()
