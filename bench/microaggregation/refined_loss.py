"""Information loss 100·SSE/SST of MDAV before and after the local search, on the CASC sets.

    python -m bench microaggregation.refined_loss [--quick]

The data folder is $DISCREET_DATA, or shared/data beside the project. The targets are what long
annealing runs reached elsewhere; the bounds, where known, are those of linear programming.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.data import reference_data
from discreet.kernels.mdav import mdav_labels
from discreet.kernels.refine import refine_labels, within_sse

TARGETS = {
    "census": {3: 4.76, 4: 6.15, 5: 7.45, 10: 11.65},
    "tarragona": {3: 14.75, 4: 17.40, 5: 20.50, 10: 30.70},
    "eia": {3: 0.37, 4: 0.51, 5: 0.85, 10: 2.00},
}
BOUNDS = {
    ("census", 3): 4.646,
    ("census", 4): 6.002,
    ("tarragona", 3): 13.857,
    ("tarragona", 4): 17.043,
}
# The attributes of the literature; the other columns are names and dates.
EIA_COLUMNS = ("UTILITYID", "REVENUE", "SALES")


def standardised(path: Path) -> NDArray[np.float64]:
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    names = list(rows[0])
    if "eia" in path.name:
        names = [name for name in names if name.endswith(EIA_COLUMNS)]
    table = np.array([[float(row[name]) for name in names] for row in rows])
    return np.asarray((table - table.mean(axis=0)) / table.std(axis=0))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="of search per line")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="two seconds per line")
    options = parser.parse_args(arguments)
    seconds = 2.0 if options.quick else options.seconds
    folder = reference_data()
    if folder is None:
        return
    print(f"{'set':10} {'k':>3} {'MDAV':>8} {'refined':>8} {'target':>7} {'bound':>7}", end="")
    print(f" {'wall s':>7} {'CPU s':>6}")
    missed = 0
    for name, targets in TARGETS.items():
        points = standardised(folder / f"casc_{name}.csv")
        unit = 100.0 / float((points**2).sum())
        for k, target in targets.items():
            start = mdav_labels(points, k)
            rng = np.random.default_rng(options.seed)
            refine_labels(points, start, k, steps=1, rng=rng)  # compilation is not the subject
            wall, cpu = time.perf_counter(), time.process_time()
            labels = refine_labels(points, start, k, seconds=seconds, rng=rng)
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            loss = within_sse(points, labels) * unit
            missed += loss > target
            bound = f"{BOUNDS[name, k]:7.3f}" if (name, k) in BOUNDS else f"{'':7}"
            print(
                f"{name:10} {k:3} {within_sse(points, start) * unit:8.4f} {loss:8.4f}"
                f" {target:7.2f} {bound} {wall:7.1f} {cpu:6.1f}",
                flush=True,
            )
    print(f"{missed} of {sum(map(len, TARGETS.values()))} above their target")


if __name__ == "__main__":
    main()
