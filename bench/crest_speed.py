"""Time and memory of CREST, growing and cutting, and of Partial CREST on a large file.

    python -m bench crest_speed [--quick]

Times are of the processor, after compilation, so that other work on the machine counts less. The
paper took 126 s for CREST of Medicare, on a machine of 2013, and 35 s for Partial CREST.
"""

from __future__ import annotations

import argparse
import functools
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import discreet
from bench.data import reference_data
from discreet.kernels.class_restricted_tree import class_restricted_tree
from discreet.kernels.mst import minimum_spanning_tree
from discreet.kernels.tree_divergence import cut_by_ratio
from discreet.microaggregation.class_restriction import farthest_from_centroid
from discreet.microdata.embedding import Embedding

Points = NDArray[np.float64]
Classes = NDArray[np.int64]
K, ALPHA, CLASSES = 5, 0.5, 3


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def made_up(n: int, d: int) -> tuple[Points, Classes]:
    """Independent normal columns by their range, and classes that depend on the first."""
    rng = np.random.default_rng(n + d)
    points = rng.normal(size=(n, d))
    classes = np.digitize(points[:, 0] + rng.normal(size=n), [-0.6, 0.6])
    return points / np.ptp(points, axis=0), classes


def header(title: str) -> None:
    print(f"\n{title}\n{'size':>15}{'tree s':>10}{'cut s':>10}{'groups':>10}{'MB':>8}{'B/rec':>8}")


def row(n: int, d: int, tree: float, cut: float, labels: Classes, peak: int | None) -> None:
    memory = "" if peak is None else f"{peak / 1e6:8.1f}{peak / n:8.0f}"
    print(f"{f'{n:,} x {d}':>15}{tree:10.2f}{cut:10.2f}{labels.max() + 1:10,}{memory}", flush=True)


def full(points: Points, attributes: int, classes: Classes, start: int) -> None:
    """CREST, and its peak memory beyond the points."""
    n = len(points)

    def grow() -> tuple[Classes, Points]:
        return class_restricted_tree(points, attributes, classes, alpha=ALPHA, b=K, start=start)

    tree, (edges, lengths) = seconds(grow)
    cut, labels = seconds(lambda: cut_by_ratio(edges, lengths, K, classes))
    tracemalloc.start()
    cut_by_ratio(*grow(), K, classes)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    row(n, attributes, tree, cut, labels, peak)


def partial(n: int, d: int) -> None:
    points, classes = made_up(n, d)
    tree, (edges, lengths) = seconds(lambda: minimum_spanning_tree(points))
    cut, labels = seconds(lambda: cut_by_ratio(edges, lengths / np.sqrt(d), K, classes))
    row(n, d, tree, cut, labels, None)


def unusual(n: int) -> None:
    """Cutting when few ratios are settled by a bound: a class of one record, and many classes."""
    points, _ = made_up(n, 3)
    edges, lengths = minimum_spanning_tree(points)
    print(f"\nCutting {n:,} x 3, unusual classes\n{'classes':>24}{'cut s':>10}{'groups':>10}")
    draw = np.random.default_rng(n)
    for words, classes in (
        ("one record, all others", (np.arange(n) == n // 2).astype(np.int64)),
        ("1 : 1000", (np.arange(n) % 1001 == 0).astype(np.int64)),
        ("200 alike", draw.permutation(np.arange(n) % 200)),
    ):
        cutting = functools.partial(cut_by_ratio, edges, lengths / np.sqrt(3), K, classes)
        spent, labels = seconds(cutting)
        print(f"{words:>24}{spent:10.2f}{labels.max() + 1:10,}", flush=True)


def medicare() -> None:
    """The paper's largest file; its class is the number of chronic conditions, 0, 1, and more."""
    folder = reference_data()
    if folder is None:
        return
    data = discreet.read(folder / "medicare_nmes1988.csv")
    classes = np.minimum(data["chronic"], 2).astype(np.int64)
    columns = [attribute.name for attribute in data.schema if attribute.name != "chronic"]
    points = Embedding.fit(data, columns, "range").points(data)
    start = farthest_from_centroid(data, columns, points)
    header("CREST of Medicare (to be under 2 s; the paper 126 s)")
    full(points, len(columns), classes, start)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="crest_speed", description="CREST and Partial CREST")
    parser.add_argument("--quick", action="store_true", help="smaller sizes")
    quick = parser.parse_args(arguments).quick
    points, classes = made_up(5_000, 3)  # compile, or load what was compiled
    cut_by_ratio(
        *class_restricted_tree(points[:200], 3, classes[:200], alpha=ALPHA, b=K, start=0),
        K,
        classes[:200],
    )
    minimum_spanning_tree(points)

    print(f"k = {K}, alpha = {ALPHA}, {CLASSES} classes; processor seconds after compilation")
    medicare()
    header("CREST (20,000 to be under 60 s; memory per record is to stay the same)")
    for n in (2_000, 5_000) if quick else (5_000, 10_000, 20_000, 40_000):
        full(*_with(n, 9), start=0)
    header("Partial CREST")
    for n, d in ((5_000, 4), (5_000, 9)) if quick else ((200_000, 4), (50_000, 9), (200_000, 9)):
        partial(n, d)
    unusual(10_000 if quick else 100_000)


def _with(n: int, d: int) -> tuple[Points, int, Classes]:
    points, classes = made_up(n, d)
    return points, d, classes


if __name__ == "__main__":
    main()
