"""Exact distance linkage compared with scikit-learn's nearest neighbours on the same points.

    python -m bench linkage_speed [--quick]

Both find for every released record whether its own original is the nearest; the shares must agree.
The released records are the originals with noise, and the originals microaggregated by MDAV. The
last line is for a million records, with the memory that the process has used by then.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bench.side_by_side import ratio, report
from discreet.contracts import Context
from discreet.kernels.mdav import mdav_labels
from discreet.measures.linkage.neighbours import own_among_nearest

Points = NDArray[np.float64]
MEMORY_LIMIT = 1.0


def noisy(points: Points, share: float, seed: int) -> Points:
    """The points with normal noise of this share of a standard deviation."""
    noise = np.random.default_rng(seed).normal(size=points.shape)
    spread: Points = points.std(axis=0)
    return points + share * spread * noise


def microaggregated(points: Points, k: int) -> Points:
    """The mean of each record's MDAV group of k."""
    labels = mdav_labels(points, k)
    sizes = np.bincount(labels)
    means = [np.bincount(labels, weights=column) / sizes for column in points.T]
    return np.column_stack(means)[labels]


def linked_by_sklearn(originals: Points, released: Points) -> float:
    from sklearn.neighbors import NearestNeighbors

    search = NearestNeighbors(n_neighbors=1, algorithm="kd_tree", n_jobs=1).fit(originals)
    nearest = search.kneighbors(released, return_distance=False)[:, 0]
    return float((nearest == np.arange(len(released))).mean())


def linked(originals: Points, released: Points) -> float:
    own_rows = np.arange(len(released))
    return float(own_among_nearest(originals, released, own_rows, 1, Context()).mean())


def gigabytes() -> float:
    """The most memory that this process has held."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / (1 << 30 if sys.platform == "darwin" else 1 << 20)


def compare(title: str, originals: Points, released: Points) -> None:
    own_share, sklearn_share = linked(originals, released), linked_by_sklearn(originals, released)
    # If records tie, scikit-learn takes the first and we count the chance: equal on average.
    if abs(own_share - sklearn_share) > 0.02:
        raise SystemExit(
            f"{title}: {own_share:.4f} are linked, by scikit-learn {sklearn_share:.4f}"
        )
    times = ratio(
        lambda: linked(originals, released), lambda: linked_by_sklearn(originals, released), 1
    )
    report(f"{title}, {own_share:.2%} linked", *times, "scikit-learn")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="10,000 and 100,000 records")
    quick = parser.parse_args(arguments).quick
    n, many = (10_000, 100_000) if quick else (100_000, 1_000_000)
    rng = np.random.default_rng(20_250_101)
    small = rng.normal(size=(200, 10))
    linked(small, noisy(small, 0.1, 1))  # compile

    originals = rng.normal(size=(n, 10))
    print(f"{n:,} × 10 against {n:,}")
    compare("noise of 10 %", originals, noisy(originals, 0.1, 2))
    compare("microaggregated, k = 3", originals, microaggregated(originals, 3))
    compare("microaggregated, k = 10", originals, microaggregated(originals, 10))

    originals = rng.normal(size=(many, 10))
    released = noisy(originals, 0.1, 3)
    started = time.perf_counter()
    share = linked(originals, released)
    seconds = time.perf_counter() - started
    used = gigabytes()
    print(f"{many:,} × 10: {share:.2%} linked in {seconds:.1f} s, {used:.2f} GB in all")
    if used > MEMORY_LIMIT:
        raise SystemExit(f"the memory limit is {MEMORY_LIMIT} GB")


if __name__ == "__main__":
    main()
