"""Mixtures compared with mclust, the R package, on the same points: seconds and the BIC reached.

Both choose among all fourteen families and two to nine clusters, for columns in units of their
spread: some of the families depend on the units. The small files come with R, MASS and mclust, and
are read from R at run time. Times are those of the processor, without the start of R; the ratio is
mclust's time to ours, and BIC is in the files' own units. Without R and mclust it is skipped.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import discreet
from bench.side_by_side import report
from discreet.models.mixture.choosing import choose
from discreet.models.mixture.coordinates import Coordinates

Points = NDArray[np.float64]

CLUSTERS = range(2, 10)
SMALL = {
    "old faithful": "faithful",
    "geyser": "MASS::geyser",
    "iris": "iris[, 1:4]",
    "swiss": "swiss",
    "earthquakes": "quakes",
    "diabetes": "mclust::diabetes[, -1]",
    "thyroid": "mclust::thyroid[, -1]",
    "banknote": "mclust::banknote[, -1]",
    "chevron": "mclust::chevron[, -1]",
    "acidity": "mclust::acidity",
    "rain in cities": "as.numeric(precip)",
}
"""Files that come with R, by their names in R."""
READ = """
suppressMessages(library(mclust))
x <- try(as.matrix({file}), silent = TRUE)
if (!inherits(x, "try-error")) {{
    x <- format(x, digits = 17, trim = TRUE)
    write.table(x, "{path}", sep = ",", row.names = FALSE, col.names = FALSE, quote = FALSE)
}}
"""
PEER = """
suppressMessages(library(mclust))
x <- as.matrix(read.csv(commandArgs(TRUE)[1], header = FALSE))
spent <- system.time(found <- Mclust(x, G = 2:9, verbose = FALSE))
cat(spent[1] + spent[2], format(found$bic, digits = 15), found$modelName, found$G)
"""


def peer() -> bool:
    """Whether mclust can be run."""
    try:
        asked = ["Rscript", "-e", "suppressMessages(library(mclust))"]
        return subprocess.run(asked, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def small_files() -> dict[str, Points]:
    """Return the files that come with R, as far as they are installed."""
    files = {}
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: Path(folder) / f"{number}.csv" for number, name in enumerate(SMALL)}
        asked = "\n".join(READ.format(file=SMALL[n], path=paths[n].as_posix()) for n in SMALL)
        subprocess.run(["Rscript", "-e", asked], capture_output=True, check=True)
        for name, path in paths.items():
            if path.exists():
                files[name] = np.loadtxt(path, delimiter=",", ndmin=2)
            else:
                print(f"{name}: skipped, since R does not have it here")
    return files


def generated() -> Points:
    """Return 4,000 points in three clusters and four dimensions."""
    rng = np.random.default_rng(1)
    large = rng.normal(size=(4000, 4))
    large[:1500] = large[:1500] @ rng.uniform(size=(4, 4)) + 3
    large[1500:2500] = 0.3 * large[1500:2500] - 2
    return large


def with_discreet(points: Points) -> tuple[float, str, float]:
    """Return seconds, the model chosen and its BIC, as the partition computes them."""
    data = discreet.read({f"x{j}": column for j, column in enumerate(points.T)})
    rows = np.arange(len(points))
    started = time.process_time()
    placed = Coordinates.fit(data, data.schema.names, rows)
    best = choose(
        placed.points(data, rows),
        CLUSTERS,
        unscaled=placed.in_own_units(data, rows),
        log_unit=placed.log_unit(data),
    ).best
    spent = time.process_time() - started
    return spent, f"{best.family},{best.clusters}", best.bic - _of_units(points)


def with_mclust(points: Points) -> tuple[float, str, float]:
    """Return the same from mclust."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "points.csv"
        np.savetxt(file, points / points.std(axis=0), delimiter=",", fmt="%.17g")
        asked = ["Rscript", "-e", PEER, str(file)]
        done = subprocess.run(asked, capture_output=True, text=True, check=True)
    seconds, bic, family, clusters = done.stdout.split()
    return float(seconds), f"{family},{clusters}", float(bic) - _of_units(points)


def _of_units(points: Points) -> float:
    """Return by how much BIC is larger for columns in units of their spread."""
    return 2 * len(points) * float(np.log(points.std(axis=0)).sum())


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="small files only, fewer rounds")
    given = parser.parse_args(arguments)
    if not peer():
        print("mixtures: skipped, since R with the package mclust is not installed")
        return
    with_discreet(np.random.default_rng(0).normal(size=(40, 2)))  # the kernels are compiled
    files = small_files()
    if not given.quick:
        files["generated"] = generated()
    for name, points in files.items():
        rounds = 1 if given.quick or len(points) > 1000 else 3
        turns = [(with_discreet(points), with_mclust(points)) for _ in range(rounds)]
        (_, model, bic), (_, other_model, other_bic) = turns[0]
        size = f"{name}, {points.shape[0]:,} x {points.shape[1]}"
        report(size, min(a[0] for a, _ in turns), min(b[0] for _, b in turns), "mclust")
        more = f"{bic - other_bic:+.4f}"
        print(f"    {model} at {bic:.1f}, mclust {other_model}: {more} of its BIC", flush=True)


if __name__ == "__main__":
    main()
