"""Mixtures beside mclust, the R package, on the same points: seconds and the BIC that is reached.

Both choose among all fourteen families and two to nine clusters. Times are those of the processor,
without the start of R; the ratio is mclust's time to ours. Without R and mclust it is skipped.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.side_by_side import report
from discreet.models.mixture.choosing import choose

CLUSTERS = range(2, 10)
PUBLISHED = Path(__file__).parents[1] / "tests" / "models" / "mixture" / "published"
PEER = """
suppressMessages(library(mclust))
x <- as.matrix(read.csv(commandArgs(TRUE)[1], header = FALSE))
spent <- system.time(found <- Mclust(x, G = 2:9, verbose = FALSE))
cat(spent[1] + spent[2], found$bic, found$modelName, found$G)
"""


def peer() -> bool:
    """Is mclust there to be run?"""
    try:
        asked = ["Rscript", "-e", "suppressMessages(library(mclust))"]
        return subprocess.run(asked, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def files(quick: bool) -> dict[str, NDArray[np.float64]]:
    """Return the points of each file, in units of their spread."""
    from sklearn.datasets import load_iris

    rng = np.random.default_rng(1)
    found = {
        "iris, 150 x 4": load_iris().data,
        "old faithful, 272 x 2": _published("old_faithful.csv"),
        "diabetes, 145 x 3": _published("reaven_miller.csv"),
    }
    if not quick:
        large = rng.normal(size=(4000, 4))
        large[:1500] = large[:1500] @ rng.uniform(size=(4, 4)) + 3
        large[1500:2500] = 0.3 * large[1500:2500] - 2
        found["generated, 4,000 x 4"] = large
    return {name: (x - x.mean(axis=0)) / x.std(axis=0) for name, x in found.items()}


def _published(name: str) -> NDArray[np.float64]:
    return np.loadtxt(PUBLISHED / name, delimiter=",", skiprows=1)


def ours(points: NDArray[np.float64]) -> tuple[float, str, float]:
    """Return seconds, the model chosen and its BIC."""
    started = time.process_time()
    best = choose(points, CLUSTERS).best
    return time.process_time() - started, f"{best.family},{best.clusters}", best.bic


def theirs(points: NDArray[np.float64]) -> tuple[float, str, float]:
    """Return the same of mclust."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "points.csv"
        np.savetxt(file, points, delimiter=",", fmt="%.17g")
        asked = ["Rscript", "-e", PEER, str(file)]
        done = subprocess.run(asked, capture_output=True, text=True, check=True)
    seconds, bic, family, clusters = done.stdout.split()
    return float(seconds), f"{family},{clusters}", float(bic)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small files only, fewer rounds")
    given = parser.parse_args(arguments)
    if not peer():
        print("mixtures: skipped, since R with the package mclust is not installed")
        return
    ours(np.random.default_rng(0).normal(size=(40, 2)))  # the kernels are compiled
    for name, points in files(given.quick).items():
        rounds = 3 if len(points) < 1000 else 1
        turns = [(ours(points), theirs(points)) for _ in range(rounds)]
        (_, model, bic), (_, other_model, other_bic) = turns[0]
        report(name, min(a[0] for a, _ in turns), min(b[0] for _, b in turns), "mclust")
        print(f"    {model} at {bic:.1f}, mclust {other_model} at {other_bic:.1f}")


if __name__ == "__main__":
    main()
