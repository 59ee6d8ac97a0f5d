"""How far partitions of the CASC sets are from the best possible, by proven bounds.

    python -m bench certificate [--quick]

Losses and bounds are 100·SSE/SST of standardised columns. The bounds to reproduce are those of
the linear programme over all groups: Census 4.646 and 6.002, Tarragona 13.857 and 17.043, for
k = 3 and 4.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.data import reference_data
from discreet.kernels.mdav import mdav_labels
from discreet.kernels.refine import refine_labels, within_sse
from discreet.microaggregation.certificate import certify

SETS = ("census", "tarragona")
QUICK, ALL = (3, 4), (3, 4, 5, 7, 10)


def standardised(path: Path) -> NDArray[np.float64]:
    with path.open(newline="") as file:
        table = np.array(list(csv.reader(file))[1:], dtype=np.float64)
    return np.asarray((table - table.mean(axis=0)) / table.std(axis=0))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="k = 3 and 4, shorter searches")
    options = parser.parse_args(arguments)
    folder = reference_data()
    if folder is None:
        return
    refining, certifying = (2.0, 30.0) if options.quick else (60.0, 120.0)
    print(f"{'set':10} {'k':>3} {'MDAV':>8} {'refined':>8} {'bound':>8} {'gap %':>6}", end="")
    print(f" {'seconds':>8} {'solved':>7}")
    for name in SETS:
        points = standardised(folder / f"casc_{name}.csv")
        unit = 100.0 / float((points**2).sum())
        for k in QUICK if options.quick else ALL:
            rng = np.random.default_rng(1)
            start = mdav_labels(points, k)
            labels = refine_labels(points, start, k, seconds=refining, rng=rng)
            found = certify(points, labels, k, seconds=certifying, rng=rng)
            print(
                f"{name:10} {k:3} {within_sse(points, start) * unit:8.4f} {found.sse * unit:8.4f}"
                f" {found.bound * unit:8.4f} {100 * found.gap:6.2f} {found.seconds:8.1f}"
                f" {'yes' if found.finished else 'no':>7}",
                flush=True,
            )


if __name__ == "__main__":
    main()
