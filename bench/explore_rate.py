"""How many settings a search tries in a minute of CPU time, on 10,000 records of six columns.

    python -m bench explore_rate
    python -m bench explore_rate --against OTHER/src     beside another version of the package

Every value of some candidates is tried, five times where it is random, by one worker, with two
measures. Times are those of the processor, of the search and its worker, without what the start of
both takes: that is measured by a search of one setting and taken off.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
from pathlib import Path

RECORDS = 10_000
VALUES: dict[str, tuple[str, list[float]]] = {
    "rank-swapping": ("p", [2, 4, 6, 8, 10, 12, 14, 16, 18, 20]),
    "additive-noise": ("alpha", [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5]),
    "microaggregation": ("k", [3, 4, 5, 6, 8, 10, 15, 20]),
}


def search(settings: int | None, records: int) -> None:
    """Try the settings, or so many of the first candidate; print how many were tried."""
    import numpy as np

    import discreet

    rng = np.random.default_rng(1)
    common = rng.normal(size=records)
    columns = {f"x{j}": (common + rng.normal(size=records)).round(4) for j in range(6)}
    roles = dict.fromkeys(columns, "quasi-identifier")
    candidates = []
    for method, (name, values) in VALUES.items():
        some = {"try": values if settings is None else values[:settings]}
        stated = {"partition": {"mdav": {name: some}}} if name == "k" else {name: some}
        candidates.append({method: stated})
    found = discreet.explore(
        discreet.read(columns, roles=roles),
        {"distance-linkage": 0.05},
        ["sse-sst"],
        candidates=candidates if settings is None else candidates[:1],
        every=True,
        repeats=5,
        cores=1,
        seed=1,
    )
    spent = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        spent += usage.ru_utime + usage.ru_stime
    print(sum(len(point.trials) for point in found.points), spent)


def rate(source: Path, records: int) -> tuple[int, float]:
    """Return how many trials there were, and the CPU seconds for each, start taken off."""
    environment = {**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{Path(__file__).parents[1]}"}

    def asked(settings: list[str]) -> tuple[int, float]:
        command = [sys.executable, "-m", "bench.explore_rate", "--records", str(records)]
        done = subprocess.run(
            [*command, "--search", *settings],
            capture_output=True, text=True, check=True, env=environment,
        )  # fmt: skip
        trials, spent = done.stdout.split()[-2:]
        return int(trials), float(spent)

    asked(["1"])  # compiled, or loaded
    few, start = asked(["1"])
    many, spent = asked([])
    return many - few, (spent - start) / (many - few)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--against", type=Path, help="the folder src of another version")
    parser.add_argument("--records", type=int, default=RECORDS)
    parser.add_argument("--quick", action="store_true", help="2,000 records")
    parser.add_argument("--search", nargs="?", const=0, type=int, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.search is not None:
        search(given.search or None, given.records)
        return
    records = 2_000 if given.quick else given.records
    trials, each = rate(Path(__file__).parents[1] / "src", records)
    print(f"{trials} trials of {records:,} records, {each:.3f} s each, {60 / each:.0f} a minute")
    if given.against:
        trials, other = rate(given.against, records)
        print(f"{trials} trials of the other version, {other:.3f} s each; ratio {other / each:.2f}")


if __name__ == "__main__":
    main()
