"""Time of MDAV compared with the yardstick, with the same labels, in one run.

    python -m bench microaggregation.exact_speed [--quick]

The census table is read from the folder named by DISCREET_DATA, or from ../shared/data
beside the project.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from bench.data import reference_data
from bench.microaggregation import yardstick
from discreet.kernels.mdav import mdav_labels

CENSUS = "gov_census_acs2018.parquet"
CENSUS_COLUMNS = ["age", "citizenship", "family_size", "children", "education_level"]
CENSUS_COLUMNS += ["english_level", "salary", "hours_worked", "weeks_worked"]

FIRST_CALL = """
import time
start = time.perf_counter()
import numpy as np
from numba import njit
loaded = time.perf_counter()
from discreet.kernels.mdav import mdav_labels
mdav_labels(np.arange(40.0).reshape(20, 2), 3)
print(time.perf_counter() - loaded)
"""


def census(records: int) -> NDArray[np.float64] | None:
    folder = reference_data()
    if folder is None:
        return None
    table = pq.read_table(folder / CENSUS, columns=CENSUS_COLUMNS).slice(0, records)
    points = np.column_stack([table[name].to_numpy() for name in CENSUS_COLUMNS]).astype(float)
    return np.asarray((points - points.mean(axis=0)) / points.std(axis=0))


def seconds(run: Callable[[], NDArray[np.int64]]) -> tuple[float, NDArray[np.int64]]:
    start = time.perf_counter()
    labels = run()
    return time.perf_counter() - start, labels


def compare(name: str, points: NDArray[np.float64], k: int, repeats: int) -> None:
    """The best of several runs of each, taken in turn."""
    plain, fast = [], []
    for _ in range(repeats):
        elapsed, expected = seconds(lambda: yardstick.mdav_labels(points, k))
        plain.append(elapsed)
        elapsed, labels = seconds(lambda: mdav_labels(points, k))
        fast.append(elapsed)
        if not np.array_equal(labels, expected):
            raise SystemExit(f"{name}: the labels differ from the yardstick's")
    size = f"{points.shape[0]:,} x {points.shape[1]}"
    ratio = min(plain) / min(fast)
    print(f"{name:22}{size:>15}{k:4}{min(plain):12.3f}{min(fast):10.3f}{ratio:9.1f}", flush=True)


def growth(d: int, k: int, sizes: list[int]) -> None:
    before: tuple[int, float] | None = None
    for n in sizes:
        points = np.random.default_rng(n).normal(size=(n, d))
        elapsed, _ = seconds(partial(mdav_labels, points, k))
        slope = ""
        if before:
            slope = f"{np.log(elapsed / before[1]) / np.log(n / before[0]):9.2f}"
        print(f"{f'{n:,} x {d}':>15}{k:4}{elapsed:12.3f}{slope}", flush=True)
        before = n, elapsed


def first_calls() -> None:
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        for state in ("compiling", "from the cache"):
            result = subprocess.run(
                [sys.executable, "-c", FIRST_CALL],
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
            print(f"first call, {state}: {float(result.stdout):.2f} s")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="MDAV beside its yardstick")
    parser.add_argument("--quick", action="store_true", help="10,000 records, no growth")
    quick = parser.parse_args(arguments).quick
    n, repeats = (10_000, 1) if quick else (50_000, 3)
    rng = np.random.default_rng(20_240_229)
    small = rng.normal(size=(100, 2))
    yardstick.mdav_labels(small, 3)
    mdav_labels(small, 3)

    print(f"{'data':22}{'size':>15}{'k':>4}{'yardstick s':>12}{'ours s':>10}{'ratio':>9}")
    compare("standard normal", rng.normal(size=(n, 9)), 3, repeats)
    compare("log-normal", rng.lognormal(size=(n, 9)), 3, repeats)
    people = census(n)
    if people is not None:
        compare("census (ACS 2018)", people, 3, repeats)
    compare("standard normal", rng.normal(size=(n, 5)), 5, 1)
    compare("standard normal", rng.normal(size=(n, 13)), 3, 1)
    compare("integers 0-4", rng.integers(0, 5, (n, 9)).astype(float), 3, 1)
    compare("equicorrelated, 0.5", rng.normal(size=(n, 9)) + rng.normal(size=(n, 1)), 3, 1)
    compare("all equal", np.full((n, 9), 0.1), 3, 1)
    print()
    first_calls()
    if not quick:
        print(f"\n{'size':>15}{'k':>4}{'ours s':>12}{'exponent':>9}")
        growth(9, 3, [20_000, 50_000, 100_000, 200_000])
        growth(5, 5, [100_000, 1_000_000])


if __name__ == "__main__":
    main()
