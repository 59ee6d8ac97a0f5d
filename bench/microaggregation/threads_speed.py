"""MDAV, V-MDAV and refinement on one thread and on two, same groups, in one run.

    python -m bench microaggregation.threads_speed [--quick]

"wall" is how many times as fast two threads are by the clock, which says something on a machine
with two idle cores only. "free" is what two free cores would give by CPU time, whatever else the
machine does: the CPU seconds of one thread over those of the main thread and half of the others'.

Groups form one after the other, on one thread, and the others make the lists that it will need
soonest. What is left to one thread alone is short: listing the records farthest from the average,
handing a queue to the threads, and the first cuts of a tree. The farthest records are listed by
two, since another group often takes the first, which takes four tenths longer than one.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.mdav_by_tree import labels_by_tree
from discreet.kernels.refine import refine_labels
from discreet.kernels.vmdav import vmdav_labels

Run = Callable[[int], NDArray[np.int64]]
K, STEPS = 5, 20


class Cost(NamedTuple):
    """Seconds of a run: by the clock, of all threads, and of the main thread."""

    clock: float
    cpu: float
    main: float

    @property
    def free(self) -> float:
        """Seconds if two cores were free."""
        return self.main + (self.cpu - self.main) / 2


def cost(run: Run, threads: int) -> tuple[Cost, NDArray[np.int64]]:
    began = time.perf_counter(), time.process_time(), time.thread_time()
    labels = run(threads)
    now = time.perf_counter(), time.process_time(), time.thread_time()
    return Cost(*(after - before for after, before in zip(now, began, strict=True))), labels


def compare(name: str, run: Run, repeats: int) -> None:
    """Best of as many runs for each, taken in turn."""
    one, two = [], []
    for _ in range(repeats):
        single, expected = cost(run, 1)
        double, labels = cost(run, 2)
        if not np.array_equal(labels, expected):
            raise SystemExit(f"{name}: two threads give other groups")
        one.append(single)
        two.append(double)
    wall = min(c.clock for c in one) / min(c.clock for c in two)
    cpu, free = min(c.cpu for c in one), min(c.free for c in two)
    more = min(c.cpu for c in two) / cpu - 1
    print(f"{name:34}{cpu:9.2f}{free:9.2f}{cpu / free:8.2f}{wall:8.2f}{more:+9.0%}", flush=True)


def mdav(points: NDArray[np.float64], threads: int) -> NDArray[np.int64]:
    return labels_by_tree(points, K, threads=threads)


def vmdav(points: NDArray[np.float64], threads: int) -> NDArray[np.int64]:
    return vmdav_labels(points, K, threads=threads)


def refined(
    points: NDArray[np.float64], start: NDArray[np.int64], threads: int
) -> NDArray[np.int64]:
    os.environ["NUMBA_NUM_THREADS"] = str(threads)
    rng = np.random.default_rng(1)
    try:
        return refine_labels(points, start, K, steps=STEPS * len(points), rng=rng)
    finally:
        del os.environ["NUMBA_NUM_THREADS"]


def runs(points: NDArray[np.float64]) -> dict[str, Run]:
    start = labels_by_tree(points, K)
    return {
        "MDAV": partial(mdav, points),
        "V-MDAV": partial(vmdav, points),
        f"refinement, {STEPS} steps": partial(refined, points, start),
    }


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="60,000 records, once")
    quick = parser.parse_args(arguments).quick
    n, repeats = (60_000, 1) if quick else (200_000, 3)
    normal = np.random.default_rng(1).normal(size=(n, 9))
    skewed = np.exp(normal)
    skewed = (skewed - skewed.mean(axis=0)) / skewed.std(axis=0)
    for run in runs(normal[:50_000].copy()).values():
        run(2)  # compiles
    print(f"{n:,} x 9, k = {K}")
    print(f"{'':34}{'one s':>9}{'two s':>9}{'free':>8}{'wall':>8}{'more CPU':>9}")
    for kind, points in (("normal", normal), ("log-normal", skewed)):
        for name, run in runs(points).items():
            compare(f"{name}, {kind}", run, repeats)


if __name__ == "__main__":
    main()
