"""Example 1.4 of the survey: methods and parameters ranked by the Score, on Census (CASC).

The survey reports that rank swapping with p near 15 and microaggregation of three attributes at a
time came out best by the Score on the Census file (1,080 × 13). Here they stand among everything
else that treats numbers; the parts of the Score are printed beside it. The file has no class to
protect, so thirds of PTOTVAL (total personal income) serve as the confidential class of CAMP-CREST.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import discreet
from bench.data import PROJECT, reference_data
from discreet.exploring.exploration import Exploration

CENSUS = "casc_census.csv"
PARTS = ("information-loss", "distance-linkage", "probabilistic-linkage", "interval-disclosure")
SCORE = "trade-off-score"
CLASS = "income class"
NOISE = ("correlated", "uncorrelated")


def census(folder: Path) -> discreet.Microdata:
    """The file with all its attributes as quasi-identifiers, and a class beside them."""
    import pyarrow.csv

    table = pyarrow.csv.read_csv(folder / CENSUS)
    columns: dict[str, Any] = {name: table[name].to_numpy() for name in table.column_names}
    third = np.quantile(columns["PTOTVAL"], [1 / 3, 2 / 3])
    names = np.array(["low", "middle", "high"])
    columns[CLASS] = names[np.searchsorted(third, columns["PTOTVAL"], side="right")].tolist()
    roles = dict.fromkeys(table.column_names, "quasi-identifier")
    return discreet.read(columns, roles={**roles, CLASS: "confidential"})


def candidates(quick: bool) -> list[Any]:
    """The survey's two winners over their whole range, and other methods that take numbers."""
    p = {"try": [5, 10, 15, 20]} if quick else {"from": 1, "to": 20}
    k = {"try": [3, 5, 10, 20]} if quick else {"from": 3, "to": 20}
    few = {"try": [3, 10]} if quick else {"try": [3, 5, 10, 20]}
    some = {"try": [0.05, 0.5]} if quick else {"try": [0.01, 0.05, 0.1, 0.2, 0.5, 1.0]}
    return [
        {"rank-swapping": {"p": p}},
        *(
            {"microaggregation": {"attributes_at_a_time": size, "partition": {"mdav": {"k": k}}}}
            for size in (3, 4, 13)
        ),
        {"individual-ranking": {"k": few}},
        *(
            {"additive-noise": {"variant": v, "alpha": some}}
            for v in ("correlated", "uncorrelated")
        ),
        {"moment-preserving-noise": {"c": some}},
        {"nonlinear-noise": {"alpha": some}},
        {"resampling": {"samples": {"try": [1, 3]}}},
        {"camp-crest": {"k": few}},
        {"partial-camp-crest": {"k": few}},
        {"hybrid-micro": {"k": {"try": [10, 20]}}},
        {"local-synthesis": {"k": {"try": [20, 50]}}},
        {"sequential-regression": {}},
    ]


def results(quick: bool) -> Exploration | None:
    """Run the example; None where the data are not here."""
    folder = reference_data()
    if folder is None:
        return None
    return discreet.explore(
        census(folder),
        {},
        [SCORE, *PARTS],
        candidates=candidates(quick),
        every=True,
        repeats=1 if quick else 3,
        seed=2013,
        trial_budget="2m",
    )


def rows(found: Exploration, most: int) -> list[list[str]]:
    """The best of each method by the Score, with its parts, as printed."""
    listed, seen = [], set()
    for point in found.by_goal:
        if point.candidate.label in seen:
            continue
        seen.add(point.candidate.label)
        values = [point.scores[name].mean for name in (SCORE, *PARTS)]
        shares = [f"{100 * value:.2f}" for value in values[2:]]
        listed.append([point.label, f"{values[0]:.2f}", f"{values[1]:.2f}", *shares])
    return listed[:most]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few values of each parameter")
    quick = parser.parse_args(arguments).quick
    started = time.perf_counter()
    found = results(quick)
    if found is None:
        return
    head = ["setting (the best of each method)", "Score", "IL", "DLD", "PLD", "ID"]
    table = [head, *rows(found, 40)]
    widths = [max(len(row[i]) for row in table) for i in range(len(head))]
    for row in table:
        print("  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in
                        enumerate(zip(row, widths, strict=True))))  # fmt: skip
    for point in found.points:
        if point.reason:
            print(f"left out: {point.label}: {point.reason}")
    out = PROJECT / "bench" / "results" / "survey"
    found.write(out)
    print(
        f"{len(found.points)} settings in {time.perf_counter() - started:.0f} s; "
        f"the map is in {out.relative_to(PROJECT)}"
    )


if __name__ == "__main__":
    main()
