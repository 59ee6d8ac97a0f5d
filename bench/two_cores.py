"""Exact methods on one thread and on two: the same results, and how many times as fast.

    python -m bench two_cores [--quick] [NAME ...]

MDAV, V-MDAV, distance linkage, spanning and regression trees, and refinement of 200,000 × 9. The
times are by the clock, medians of alternating runs, and are meaningful only while nothing else
runs: "core" is how much of a core the runs on one thread had, 1.00 if the machine was idle. "more
CPU" is what two threads take beyond one. Different results end the benchmark.

Groups of MDAV and V-MDAV form one after another, on one thread, while others make the lists that it
will need soonest; everything else is divided among the threads.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.kernels import regression_tree
from discreet.kernels.mdav_by_tree import labels_by_tree
from discreet.kernels.mst import minimum_spanning_tree
from discreet.kernels.refine import refine_labels
from discreet.kernels.vmdav import vmdav_labels
from discreet.measures.linkage.neighbours import own_among_nearest
from discreet.microdata import Attribute, Column, Microdata, Role
from discreet.models.regression_tree import grow

Points = NDArray[np.float64]
Run = Callable[[], Any]
K, LEAF, STEPS = 5, 20, 20


class Cost(NamedTuple):
    """The seconds of a run: by the clock, and in all threads."""

    clock: float
    cpu: float


def on_threads(threads: int, run: Run) -> tuple[Cost, Any]:
    """Run on this many threads; return the cost and the result."""
    os.environ["NUMBA_NUM_THREADS"] = str(threads)
    try:
        clock, cpu = time.perf_counter(), time.process_time()
        result = run()
        return Cost(time.perf_counter() - clock, time.process_time() - cpu), result
    finally:
        del os.environ["NUMBA_NUM_THREADS"]


def _same(first: NDArray[Any], second: NDArray[Any]) -> bool:
    return first.tobytes() == second.tobytes()


def compare(name: str, run: Run, repeats: int) -> None:
    """Print one line of medians."""
    on_one, on_two = [], []
    for _ in range(repeats):
        single, expected = on_threads(1, run)
        double, result = on_threads(2, run)
        if not all(map(_same, expected, result)):
            raise SystemExit(f"{name}: two threads give another result")
        on_one.append(single)
        on_two.append(double)
    clock, cpu = (statistics.median(c[i] for c in on_one) for i in range(2))
    other_clock, other_cpu = (statistics.median(c[i] for c in on_two) for i in range(2))
    line = f"{name:<20}{clock:9.2f}{other_clock:9.2f}{clock / other_clock:8.2f}{cpu / clock:8.2f}"
    print(f"{line}{other_cpu / cpu - 1:+10.0%}", flush=True)


def table(points: Points) -> Microdata:
    """Return the points as quasi-identifiers, with two responses that depend on them."""
    noise = np.random.default_rng(3).normal(size=(len(points), 2))
    columns = [
        Column(Attribute(f"x{j}", Role.QUASI_IDENTIFIER), column)
        for j, column in enumerate(points.T)
    ]
    responses = points[:, 0] + points[:, 1] * points[:, 2], points[:, 3] + np.sin(points[:, 4])
    columns += [
        Column(Attribute(f"y{j}", Role.CONFIDENTIAL), response + noise[:, j])
        for j, response in enumerate(responses)
    ]
    return Microdata(columns)


def runs(points: Points) -> dict[str, Run]:
    """Return what is measured; each run returns arrays."""
    n = len(points)
    start = labels_by_tree(points, K)
    released = points + 0.3 * np.random.default_rng(2).normal(size=points.shape)
    data = table(points)
    responses = data.having(Role.CONFIDENTIAL)

    def regress() -> Any:
        tree = grow(data, data.quasi_identifiers, responses, LEAF)
        return tree.parent, tree.column, tree.cut, tree.start, tree.rows

    def refine() -> Any:
        rng = np.random.default_rng(1)
        return [refine_labels(points, start, K, steps=STEPS * n, rng=rng)]

    return {
        "MDAV": lambda: [labels_by_tree(points, K)],
        "V-MDAV": lambda: [vmdav_labels(points, K)],
        "distance linkage": lambda: [
            own_among_nearest(points, released, np.arange(n), 1, Context())
        ],
        "spanning tree": lambda: minimum_spanning_tree(points),
        "regression tree": regress,
        "refinement": refine,
    }


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="what to measure; all if not named"
    )
    parser.add_argument("--quick", action="store_true", help="60,000 records, once")
    given = parser.parse_args(arguments)
    n, repeats = (60_000, 1) if given.quick else (200_000, 5)
    regression_tree.UNCOMPILED = 0  # only the kernel is to be measured
    points = np.random.default_rng(1).normal(size=(n, 9))
    measured = runs(points)
    if set(given.names) - set(measured):
        parser.error(f"choose from {', '.join(measured)}")
    first = runs(points[:60_000].copy())
    print(f"{n:,} x 9, k = {K}")
    print(f"{'':<20}{'one s':>9}{'two s':>9}{'ratio':>8}{'core':>8}{'more CPU':>10}")
    for name in given.names or measured:
        on_threads(2, first[name])  # compiles
        compare(name, measured[name], repeats)


if __name__ == "__main__":
    main()
